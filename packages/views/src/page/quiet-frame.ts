// The key page in a passive frame.

import { element } from "../element";
import { withLinksOutside } from "../frame";
import { findAll, heightOf, rootOf, setAttribute, widthOf } from "./foreign";

/**
 * `allow-same-origin` lets our code measure the page. Without `allow-scripts` the page itself cannot use it.
 * Its links open nothing.
 */
const SANDBOX = "allow-same-origin";

/** Focusable elements. */
const STOPS =
    "a[href], area[href], button, input, select, textarea, summary, iframe, object, embed, audio, video, [tabindex], [contenteditable]";

/** Browsers render taller frames badly. */
const TALLEST = 100_000;
const WIDEST = 5_000;
const LOWEST = 200;

export function quietFrame(title: string, html: string): HTMLIFrameElement {
    const made = element("iframe", {
        title,
        sandbox: SANDBOX,
        referrerpolicy: "no-referrer",
        tabindex: "-1",
    });
    made.srcdoc = withLinksOutside(html);
    return made;
}

/** Removes the page's elements from the tab order. */
export function passOver(page: Document): void {
    for (const stop of findAll(page, STOPS)) setAttribute(stop, "tabindex", "-1");
}

/**
 * Resizes the frame to its page, so that page and tints scroll together.
 *
 * Each resize lays out the page again, which takes seconds for nested tables: resize as rarely as
 * possible.
 */
export function giveRoom(frame: HTMLIFrameElement, page: Document): void {
    const root = rootOf(page);
    for (const side of ["width", "height"] as const) if (frame.style[side] !== "") frame.style[side] = "";
    const width = widthOf(root);
    if (width > frame.clientWidth) frame.style.width = `${Math.min(width, WIDEST)}px`;
    frame.style.height = `${Math.min(TALLEST, Math.max(heightOf(root), LOWEST))}px`;
}

/** Size of the page, to detect layout changes. */
export function sizeOf(page: Document): string {
    const root = rootOf(page);
    return `${widthOf(root)} ${heightOf(root)}`;
}
