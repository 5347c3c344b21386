// The crawl through the menu as far as it has got: which pages were asked for, and what came of each.

import type { Why } from "@husk/views/engine";
import type { ProgressEvent } from "../api/types";

export type PageState = "loading" | "loaded" | "accepted" | "rejected" | "failed";

export interface CrawledPage {
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

export interface Crawl {
    /** The key page, once it is loaded or known. */
    key: CrawledPage | undefined;
    /** The other pages that were asked for, in that order. */
    pages: CrawledPage[];
    stage: "queued" | "started" | "sitemap" | "stylesheets" | "writing";
    /** How many others are served first. */
    ahead: number;
    /** How much of the work is done, between 0 and 1; it never goes back. */
    done: number;
}

export const NO_CRAWL: Crawl = { key: undefined, pages: [], stage: "queued", ahead: 0, done: 0 };

/** The crawl after another event. */
export function advance(crawl: Crawl, event: ProgressEvent): Crawl {
    switch (event.name) {
        case "queued":
            return { ...crawl, stage: "queued", ahead: event.ahead };
        case "started":
            return { ...crawl, stage: "started", ahead: 0, key: crawl.key ?? pageOf(event.page) };
        case "loading":
            return loading(crawl, event.url, event.why, event.maxRemaining);
        case "loaded":
            return changed(crawl, event.url, (page) => ({
                ...page,
                state: "loaded",
                foundAt: event.foundAt,
                links: event.links,
            }));
        case "accepted":
            return changed(crawl, event.url, (page) => ({ ...page, state: "accepted" }));
        case "rejected":
        case "failed":
            return changed(crawl, event.url, (page) => ({ ...page, state: event.name, cause: event.cause }));
        case "sitemap":
            return { ...crawl, stage: "sitemap" };
        case "stylesheets":
        case "writing":
            return { ...crawl, stage: event.name, done: 1 };
    }
}

function pageOf(url: string, why?: Why): CrawledPage {
    return { url, foundAt: url, why, state: "loading", cause: undefined, links: [] };
}

function isOf(page: CrawledPage | undefined, url: string): boolean {
    return page !== undefined && (page.url === url || page.foundAt === url);
}

function loading(crawl: Crawl, url: string, why: Why | undefined, maxRemaining: number): Crawl {
    // The key page is asked for as well, where it is not given.
    if (isOf(crawl.key, url)) return crawl;
    const before = crawl.pages.length + 1;
    const expected = before / (before + Math.max(1, maxRemaining));
    const isKnown = crawl.pages.some((page) => page.url === url);
    const pages = isKnown ? crawl.pages : [...crawl.pages, pageOf(url, why)];
    return { ...crawl, stage: "started", pages, done: Math.max(crawl.done, expected) };
}

/** The crawl with one page changed; one that was given and never asked for becomes known by it. */
function changed(crawl: Crawl, url: string, change: (page: CrawledPage) => CrawledPage): Crawl {
    if (crawl.key === undefined) return { ...crawl, key: change(pageOf(url)) };
    if (isOf(crawl.key, url)) return { ...crawl, key: change(crawl.key) };
    if (!crawl.pages.some((page) => isOf(page, url))) {
        return { ...crawl, pages: [...crawl.pages, change(pageOf(url))] };
    }
    return { ...crawl, pages: crawl.pages.map((page) => (isOf(page, url) ? change(page) : page)) };
}
