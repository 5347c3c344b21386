// The hunt through the menu as far as it has got: which pages were asked for, and what came of each.

import type { Why } from "@husk/views/engine";
import type { ProgressEvent } from "../api/types";

export type PageState = "loading" | "loaded" | "accepted" | "refused" | "failed";

export interface HuntedPage {
    url: string;
    /** Where it was found in the end; links may name either. */
    foundAt: string;
    why: Why | undefined;
    state: PageState;
    /** Why it has no vote, in the server's words. */
    cause: string | undefined;
    /** The pages of the site that it links to. */
    links: string[];
}

export interface Hunt {
    /** The key page, once it is loaded or known. */
    key: HuntedPage | undefined;
    /** The other pages that were asked for, in that order. */
    pages: HuntedPage[];
    stage: "queued" | "started" | "listing" | "styling" | "writing";
    /** How many others are served first. */
    ahead: number;
    /** How much of the work is done, between 0 and 1; it never goes back. */
    done: number;
}

export const NO_HUNT: Hunt = { key: undefined, pages: [], stage: "queued", ahead: 0, done: 0 };

/** The hunt after another event. */
export function advance(hunt: Hunt, event: ProgressEvent): Hunt {
    switch (event.name) {
        case "queued":
            return { ...hunt, stage: "queued", ahead: event.ahead };
        case "started":
            return { ...hunt, stage: "started", ahead: 0, key: hunt.key ?? pageOf(event.page) };
        case "loading":
            return loading(hunt, event.url, event.why, event.moreAtMost);
        case "loaded":
            return changed(hunt, event.url, (page) => ({
                ...page,
                state: "loaded",
                foundAt: event.foundAt,
                links: event.links,
            }));
        case "accepted":
            return changed(hunt, event.url, (page) => ({ ...page, state: "accepted" }));
        case "refused":
        case "failed":
            return changed(hunt, event.url, (page) => ({ ...page, state: event.name, cause: event.cause }));
        case "listing":
            return { ...hunt, stage: "listing" };
        case "styling":
        case "writing":
            return { ...hunt, stage: event.name, done: 1 };
    }
}

function pageOf(url: string, why?: Why): HuntedPage {
    return { url, foundAt: url, why, state: "loading", cause: undefined, links: [] };
}

function isOf(page: HuntedPage | undefined, url: string): boolean {
    return page !== undefined && (page.url === url || page.foundAt === url);
}

function loading(hunt: Hunt, url: string, why: Why | undefined, moreAtMost: number): Hunt {
    // The key page is asked for as well, where it is not given.
    if (isOf(hunt.key, url)) return hunt;
    const before = hunt.pages.length + 1;
    const expected = before / (before + Math.max(1, moreAtMost));
    const isKnown = hunt.pages.some((page) => page.url === url);
    const pages = isKnown ? hunt.pages : [...hunt.pages, pageOf(url, why)];
    return { ...hunt, stage: "started", pages, done: Math.max(hunt.done, expected) };
}

/** The hunt with one page changed; one that was given and never asked for becomes known by it. */
function changed(hunt: Hunt, url: string, change: (page: HuntedPage) => HuntedPage): Hunt {
    if (hunt.key === undefined) return { ...hunt, key: change(pageOf(url)) };
    if (isOf(hunt.key, url)) return { ...hunt, key: change(hunt.key) };
    if (!hunt.pages.some((page) => isOf(page, url))) {
        return { ...hunt, pages: [...hunt.pages, change(pageOf(url))] };
    }
    return { ...hunt, pages: hunt.pages.map((page) => (isOf(page, url) ? change(page) : page)) };
}
