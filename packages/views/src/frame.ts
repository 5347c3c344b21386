// Untrusted HTML in a frame without scripts.

import { element } from "./element";
import { findAll, htmlOf, modeOf, removeAttribute, rootOf } from "./page/foreign";

/** Links open in a new tab; nothing else is allowed. */
const SANDBOX = "allow-popups allow-popups-to-escape-sandbox";

export function frame(title: string, html: string): HTMLIFrameElement {
    const made = element("iframe", { title, sandbox: SANDBOX, referrerpolicy: "no-referrer" });
    made.srcdoc = withLinksOutside(keptToItself(html));
    return made;
}

/**
 * Adds `<base target>` before any of the page's own.
 *
 * Placed before `<html>`, where parsers put it into the head: comments could mislead a search for `<head>`.
 * Only the doctype must come first.
 */
export function withLinksOutside(html: string): string {
    // Atomic match of comments, to avoid backtracking.
    const doctype = /^(?:\s|(?=(<!--[\s\S]*?-->))\1)*<!doctype[^>]*>/i.exec(html)?.[0] ?? "";
    return `${doctype}<base target="_blank">${html.slice(doctype.length)}`;
}

/** Elements that embed pages or plugins. */
const INSIDE = { iframe: ["src", "srcdoc"], frame: ["src"], object: ["data"], embed: ["src"] };

/** Embedded pages, and links with their own target. */
const IS_CONCERNED = /<(?:i?frame|object|embed)\b|\starget\s*=(?!\s*["']?_blank\b)/i;

/**
 * Empties embedded frames, which browsers would block one by one.
 * All links open in a new tab: within the frame, browsers would block them.
 */
export function keptToItself(html: string): string {
    // Skip parsing long pages that have none of this.
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
