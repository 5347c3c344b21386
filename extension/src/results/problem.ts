// What can go wrong, and how it is recognised.

import { allWantLogin, type Summary } from "@husk/views";
import { type CapturedPage, faultOf } from "../protocol";
import type { LoadingWay } from "../settings";

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
    | { kind: "none-usable"; page: CapturedPage; summary: Summary; loading: LoadingWay }
    | { kind: "login"; page: CapturedPage; summary: Summary }
    /** Scripts make the page, and have not yet. */
    | { kind: "not-rendered"; page: CapturedPage; summary: Summary }
    /** Scripts make the other pages, and did not run as they were loaded. */
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
export function problemOf(page: CapturedPage, summary: Summary, loading: LoadingWay): Problem | undefined {
    if (loading === "fetch" && areFrames(summary)) return { kind: "scripts", page, summary };
    if (summary.compared.length > 0) return undefined;
    if (summary.needsRendering !== undefined) return { kind: "not-rendered", page, summary };
    if (summary.visits.length === 0) return { kind: "no-links", page, summary };
    if (allWantLogin(summary.visits)) return { kind: "login", page, summary };
    return { kind: "none-usable", page, summary, loading };
}

/**
 * Whether the other pages are but frames for scripts: all that were compared, or most where none was. Frames may have
 * enough in common with the page to be compared, but what is missing in them says nothing.
 */
function areFrames({ compared, loaded, scripted, visits, needsRendering }: Summary): boolean {
    if (needsRendering !== undefined || scripted.length === 0 || allWantLogin(visits)) return false;
    if (compared.length > 0) return compared.every((url) => scripted.includes(url));
    return scripted.length * 2 >= loaded.length;
}

export function isOfWeb(url: string): boolean {
    return /^https?:/i.test(url);
}

export function messageOf(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}
