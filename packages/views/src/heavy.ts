// Pages that a browser needs minutes for: they are shown to who asks for it, and hold up nobody else.

import { button, element } from "./element";
import { number, text } from "./i18n";

/** So many tags are read and laid out in a few seconds even if each is in the one before. Few pages have a tenth of them. */
const MOST_TAGS = 100_000;

export function isHeavy(html: string): boolean {
    let count = 0;
    for (let at = html.indexOf("<"); at >= 0; at = html.indexOf("<", at + 1)) {
        count += 1;
        if (count > MOST_TAGS) return true;
    }
    return false;
}

/** What shows a page, made at once or, if the page is heavy, when that is wanted. */
export function shownIfLight(html: string, show: () => Node[]): Node[] {
    if (!isHeavy(html)) return show();
    const megabytes = number(Math.round(html.length / 1e5) / 10);
    const place = element("p", { class: "note heavy" }, text("heavy", { megabytes }), " ");
    place.append(button(text("heavyShow"), () => place.replaceWith(...show())));
    return [place];
}
