// What can go wrong, and how it is recognised.

import { type CapturedPage, faultOf, type Summary } from "../protocol";
import { allWantLogin } from "./cause";

export type Problem =
    /** The tab was closed. */
    | { kind: "tab-gone" }
    /** A page of the browser itself, or one that extensions are kept away from. */
    | { kind: "kept-away" }
    /** The click's permission is used up: the tab went elsewhere. Which pages are kept away looks the same. */
    | { kind: "out-of-reach" }
    /** A picture, a text, a feed. */
    | { kind: "not-html" }
    /** Longer than browsers pass from a tab to an extension. */
    | { kind: "too-large" }
    /** A page from the user's disk, or of another scheme that has no site around it. */
    | { kind: "no-site"; page: CapturedPage }
    | { kind: "refused"; page: CapturedPage }
    | { kind: "no-links"; page: CapturedPage; summary: Summary }
    | { kind: "none-usable"; page: CapturedPage; summary: Summary }
    | { kind: "login"; page: CapturedPage; summary: Summary }
    | { kind: "scripts"; page: CapturedPage; summary: Summary }
    /** The engine stopped, most likely for want of memory. */
    | { kind: "broken"; details: string };

/** What kept a tab from being read; `url` is its address as far as the browser tells it. */
export function problemOfTab(isThere: boolean, url: string | undefined, error: unknown): Problem {
    if (!isThere) return { kind: "tab-gone" };
    switch (faultOf(error)) {
        case "not-html":
            return { kind: "not-html" };
        case "too-large":
            return { kind: "too-large" };
        case "no-access":
        case "page-changed":
            return url !== undefined && !isOfWeb(url) ? { kind: "kept-away" } : { kind: "out-of-reach" };
        default:
            return { kind: "broken", details: messageOf(error) };
    }
}

/** What is wrong with a result: nothing if the page could be compared. */
export function problemOf(page: CapturedPage, summary: Summary): Problem | undefined {
    if (summary.compared.length > 0) return undefined;
    if (summary.needsRendering !== undefined) return { kind: "scripts", page, summary };
    if (summary.visits.length === 0) return { kind: "no-links", page, summary };
    return { kind: allWantLogin(summary.visits) ? "login" : "none-usable", page, summary };
}

export function isOfWeb(url: string): boolean {
    return /^https?:/i.test(url);
}

export function messageOf(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}
