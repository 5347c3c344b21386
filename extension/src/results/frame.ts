// Foreign HTML as a page of its own, in a frame where no script ever runs.

import { element } from "../element";

/** Links open beside the extension's page; nothing else is allowed to what is shown. */
const SANDBOX = "allow-popups allow-popups-to-escape-sandbox";

export function frame(title: string, html: string): HTMLIFrameElement {
    const made = element("iframe", { title, sandbox: SANDBOX, referrerpolicy: "no-referrer" });
    made.srcdoc = withLinksOutside(html);
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
