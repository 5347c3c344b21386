// Problems and how they are detected.

import { allWantLogin, type Summary } from "@husk/views";
import { type CapturedPage, faultOf } from "../protocol";
import type { LoadingWay } from "../settings";

export type Problem =
    | { kind: "tab-gone" }
    /** A page that is closed to extensions. */
    | { kind: "kept-away" }
    /** The tab has navigated, or is closed to extensions. */
    | { kind: "out-of-reach" }
    /** Not an HTML page. */
    | { kind: "not-html" }
    /** Larger than a message may be. */
    | { kind: "too-large" }
    /** A local file or another scheme. */
    | { kind: "no-site"; page: CapturedPage }
    | { kind: "refused"; page: CapturedPage }
    | { kind: "no-links"; page: CapturedPage; summary: Summary }
    | { kind: "none-usable"; page: CapturedPage; summary: Summary; loading: LoadingWay }
    | { kind: "login"; page: CapturedPage; summary: Summary }
    /** The page is not rendered yet. */
    | { kind: "not-rendered"; page: CapturedPage; summary: Summary }
    /** The other pages need JavaScript. */
    | { kind: "scripts"; page: CapturedPage; summary: Summary }
    /** The engine stopped, probably out of memory. */
    | { kind: "broken"; details: string };

/** Why a tab could not be read; `url` if known. */
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

/** The problem of a result, if any. */
export function problemOf(page: CapturedPage, summary: Summary, loading: LoadingWay): Problem | undefined {
    if (loading === "fetch" && areFrames(summary)) return { kind: "scripts", page, summary };
    if (summary.compared.length > 0) return undefined;
    if (summary.needsRendering !== undefined) return { kind: "not-rendered", page, summary };
    if (summary.visits.length === 0) return { kind: "no-links", page, summary };
    if (allWantLogin(summary.visits)) return { kind: "login", page, summary };
    return { kind: "none-usable", page, summary, loading };
}

/**
 * Whether the other pages are empty without JavaScript: all compared ones, or most if none was compared. Empty
 * pages may be similar enough to be compared but are no evidence.
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
