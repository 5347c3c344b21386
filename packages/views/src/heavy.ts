// Very large pages are shown on request only, since they freeze the browser.

import { button, element } from "./element";
import { number, text } from "./i18n";

/** Laid out in a few seconds even if all are nested. Few pages have a tenth of this. */
const MOST_TAGS = 100_000;

export function isHeavy(html: string): boolean {
    let count = 0;
    for (let at = html.indexOf("<"); at >= 0; at = html.indexOf("<", at + 1)) {
        count += 1;
        if (count > MOST_TAGS) return true;
    }
    return false;
}

/** Shows a page at once, or a heavy one on request. */
export function shownIfLight(html: string, show: () => Node[]): Node[] {
    if (!isHeavy(html)) return show();
    const megabytes = number(Math.round(html.length / 1e5) / 10);
    const place = element("p", { class: "note heavy" }, text("heavy", { megabytes }), " ");
    place.append(button(text("heavyShow"), () => place.replaceWith(...show())));
    return [place];
}
