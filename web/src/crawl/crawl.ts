// State of a crawl: the requested pages and what happened.

import type { SelectionReason } from "@husk/views/engine";
import type { ProgressEvent } from "../api/types";

export type PageState = "loading" | "loaded" | "accepted" | "rejected" | "failed";

export interface CrawledPage {
    url: string;
    /** URL after redirects; links may use either. */
    foundAt: string;
    why: SelectionReason | undefined;
    state: PageState;
    /** Why it is not compared, from the server. */
    cause: string | undefined;
    /** Links to pages of the site. */
    links: string[];
}

export interface Crawl {
    key: CrawledPage | undefined;
    /** Other requested pages, in order. */
    pages: CrawledPage[];
    stage: "queued" | "started" | "sitemap" | "stylesheets" | "writing";
    /** Requests ahead in the queue. */
    ahead: number;
    /** Progress between 0 and 1; never decreases. */
    done: number;
}

export const NO_CRAWL: Crawl = { key: undefined, pages: [], stage: "queued", ahead: 0, done: 0 };

/** Applies an event. */
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

function pageOf(url: string, why?: SelectionReason): CrawledPage {
    return { url, foundAt: url, why, state: "loading", cause: undefined, links: [] };
}

function isOf(page: CrawledPage | undefined, url: string): boolean {
    return page !== undefined && (page.url === url || page.foundAt === url);
}

function loading(crawl: Crawl, url: string, why: SelectionReason | undefined, maxRemaining: number): Crawl {
    // The key page is not a sibling.
    if (isOf(crawl.key, url)) return crawl;
    const before = crawl.pages.length + 1;
    const expected = before / (before + Math.max(1, maxRemaining));
    const isKnown = crawl.pages.some((page) => page.url === url);
    const pages = isKnown ? crawl.pages : [...crawl.pages, pageOf(url, why)];
    return { ...crawl, stage: "started", pages, done: Math.max(crawl.done, expected) };
}

/** Changes one page; adds it if it was sent in the request. */
function changed(crawl: Crawl, url: string, change: (page: CrawledPage) => CrawledPage): Crawl {
    if (crawl.key === undefined) return { ...crawl, key: change(pageOf(url)) };
    if (isOf(crawl.key, url)) return { ...crawl, key: change(crawl.key) };
    if (!crawl.pages.some((page) => isOf(page, url))) {
        return { ...crawl, pages: [...crawl.pages, change(pageOf(url))] };
    }
    return { ...crawl, pages: crawl.pages.map((page) => (isOf(page, url) ? change(page) : page)) };
}
