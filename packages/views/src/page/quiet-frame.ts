// The key page in a frame where it can only be looked at.

import { element } from "../element";
import { withLinksOutside } from "../frame";
import { findAll, heightOf, rootOf, setAttribute, widthOf } from "./foreign";

/**
 * Our code measures the page from outside, for which it has to be of our origin. Without `allow-scripts` that gives the page
 * nothing: there is nobody in the frame to use it. Nor can its links open anything, inside or outside.
 */
const SANDBOX = "allow-same-origin";

/** What the Tab key would stop at in the page. */
const STOPS =
    "a[href], area[href], button, input, select, textarea, summary, iframe, object, embed, audio, video, [tabindex], [contenteditable]";

/** Browsers draw no frame much taller than this well. */
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

/** Keeps the Tab key from going astray in the page, which lies under a pane. */
export function passOver(page: Document): void {
    for (const stop of findAll(page, STOPS)) setAttribute(stop, "tabindex", "-1");
}

/**
 * Gives the frame all the room that its page takes; what is too wide for the window is scrolled together with its tints.
 *
 * Each change of its size has the page laid out again, which takes seconds where tables stand in tables: there are as few as
 * can be.
 */
export function giveRoom(frame: HTMLIFrameElement, page: Document): void {
    const root = rootOf(page);
    for (const side of ["width", "height"] as const) if (frame.style[side] !== "") frame.style[side] = "";
    const width = widthOf(root);
    if (width > frame.clientWidth) frame.style.width = `${Math.min(width, WIDEST)}px`;
    frame.style.height = `${Math.min(TALLEST, Math.max(heightOf(root), LOWEST))}px`;
}

/** How large the page is, to tell whether things on it have moved. */
export function sizeOf(page: Document): string {
    const root = rootOf(page);
    return `${widthOf(root)} ${heightOf(root)}`;
}
