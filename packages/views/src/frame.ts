// Foreign HTML as a page of its own, in a frame where no script ever runs.

import { element } from "./element";
import { findAll, htmlOf, modeOf, removeAttribute, rootOf } from "./page/foreign";

/** Links open beside our page; nothing else is allowed to what is shown. */
const SANDBOX = "allow-popups allow-popups-to-escape-sandbox";

export function frame(title: string, html: string): HTMLIFrameElement {
    const made = element("iframe", { title, sandbox: SANDBOX, referrerpolicy: "no-referrer" });
    made.srcdoc = withLinksOutside(keptToItself(html));
    return made;
}

/**
 * The page with the rule that links open outside it, before any of its own.
 *
 * It stands in front of `<html>`, where parsers open the head for it and go on with the page as if nothing had been: a
 * search for `<head>` could be led astray by comments. Only the doctype has to come first.
 */
export function withLinksOutside(html: string): string {
    // A comment once found is not found again at another length: of many, there are too many lengths to try.
    const doctype = /^(?:\s|(?=(<!--[\s\S]*?-->))\1)*<!doctype[^>]*>/i.exec(html)?.[0] ?? "";
    return `${doctype}<base target="_blank">${html.slice(doctype.length)}`;
}

/** What brings another page or a program into a page. */
const INSIDE = { iframe: ["src", "srcdoc"], frame: ["src"], object: ["data"], embed: ["src"] };

/** What may have to be taken out: pages inside, and links that say themselves where they open. */
const IS_CONCERNED = /<(?:i?frame|object|embed)\b|\starget\s*=(?!\s*["']?_blank\b)/i;

/**
 * The page with the frames in it left empty: their pages are not of the site, and browsers would refuse them one by one.
 * Its links open outside, whatever they say: in the frame itself the browser would refuse their pages, too.
 */
export function keptToItself(html: string): string {
    // Pages are long, and many have none of this.
    if (!IS_CONCERNED.test(html)) return html;
    const page = new DOMParser().parseFromString(html, "text/html");
    for (const [name, attributes] of Object.entries(INSIDE)) {
        for (const found of findAll(page, name)) {
            for (const attribute of attributes) removeAttribute(found, attribute);
        }
    }
    for (const found of findAll(page, "[target]")) removeAttribute(found, "target");
    const hasDoctype = modeOf(page) === "CSS1Compat";
    return `${hasDoctype ? "<!doctype html>" : ""}${htmlOf(rootOf(page))}`;
}
