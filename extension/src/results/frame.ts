// Foreign HTML as a page of its own, in a frame where no script ever runs.

import { element } from "../element";

/** Links open beside the extension's page; nothing else is allowed to what is shown. */
const SANDBOX = "allow-popups allow-popups-to-escape-sandbox";

export function frame(title: string, html: string): HTMLIFrameElement {
    const made = element("iframe", { title, sandbox: SANDBOX, referrerpolicy: "no-referrer" });
    made.srcdoc = withLinksOutside(withoutPagesInside(html));
    return made;
}

/**
 * The page with the rule that links open outside it, before any of its own.
 *
 * It stands in front of `<html>`, where parsers open the head for it and go on with the page as if nothing had been: a
 * search for `<head>` could be led astray by comments. Only the doctype has to come first.
 */
export function withLinksOutside(html: string): string {
    const doctype = /^(?:\s|<!--[\s\S]*?-->)*<!doctype[^>]*>/i.exec(html)?.[0] ?? "";
    return `${doctype}<base target="_blank">${html.slice(doctype.length)}`;
}

/** What brings another page or a program into a page. */
const INSIDE = { iframe: ["src", "srcdoc"], frame: ["src"], object: ["data"], embed: ["src"] };

/** The page with the frames in it left empty: their pages are not of the site, and browsers would refuse them one by one. */
export function withoutPagesInside(html: string): string {
    // Pages are long, and few have any.
    if (!/<(?:i?frame|object|embed)\b/i.test(html)) return html;
    const page = new DOMParser().parseFromString(html, "text/html");
    for (const [name, attributes] of Object.entries(INSIDE)) {
        for (const found of page.querySelectorAll(name)) {
            for (const attribute of attributes) found.removeAttribute(attribute);
        }
    }
    const hasDoctype = page.compatMode === "CSS1Compat";
    return `${hasDoctype ? "<!doctype html>" : ""}${page.documentElement.outerHTML}`;
}
