// The link graph of a crawl and its largest clique.

import type { Crawl, CrawledPage } from "./crawl";

export interface Graph {
    /** The key page first, then the others in order. */
    pages: CrawledPage[];
    /** Link targets of the key page that were not requested. */
    candidates: string[];
    /** Links between pages, by index. */
    links: Link[];
    /** Largest clique with the key page, by index. */
    clique: Set<number>;
}

export interface Link {
    from: number;
    to: number;
    isMutual: boolean;
}

/** More dots are unreadable. */
const MOST_CANDIDATES = 72;

export function graphOf(crawl: Crawl): Graph {
    if (!crawl.key) return { pages: [], candidates: [], links: [], clique: new Set() };
    const pages = [crawl.key, ...crawl.pages];
    const numbers = new Map<string, number>();
    for (const [number, page] of pages.entries()) {
        for (const url of [page.url, page.foundAt]) {
            if (!numbers.has(plain(url))) numbers.set(plain(url), number);
        }
    }
    const leads = pages.map((page) => targetsOf(page, numbers));
    const links = linksBetween(leads);
    return { pages, candidates: candidatesOf(crawl.key, numbers), links, clique: cliqueOf(pages, links) };
}

/** Normalised URL for comparing links. */
export function plain(url: string): string {
    return url.replace(/#.*$/, "").replace(/\/(?:index\.html?)?$/, "");
}

function targetsOf(page: CrawledPage, numbers: Map<string, number>): Set<number> {
    const found = page.links.map((url) => numbers.get(plain(url)));
    return new Set(found.filter((number) => number !== undefined));
}

function linksBetween(leads: Set<number>[]): Link[] {
    const links: Link[] = [];
    for (const [from, targets] of leads.entries()) {
        for (const to of targets) {
            if (to === from) continue;
            const isMutual = leads[to]?.has(from) ?? false;
            // Each mutual pair once.
            if (!isMutual || from < to) links.push({ from, to, isMutual });
        }
    }
    return links;
}

function candidatesOf(key: CrawledPage, numbers: Map<string, number>): string[] {
    const seen = new Set<string>();
    const found = key.links.filter((url) => {
        const isNew = !numbers.has(plain(url)) && !seen.has(plain(url));
        seen.add(plain(url));
        return isNew;
    });
    return found.slice(0, MOST_CANDIDATES);
}

/** Step limit, to keep the search fast. */
const MOST_STEPS = 20_000;

/** Deterministic branch and bound. */
function cliqueOf(pages: CrawledPage[], links: Link[]): Set<number> {
    const beside = pages.map(() => new Set<number>());
    for (const { from, to, isMutual } of links) {
        if (!isMutual) continue;
        beside[from]?.add(to);
        beside[to]?.add(from);
    }
    let best: number[] = [0];
    let steps = MOST_STEPS;
    const grow = (chosen: number[], open: number[]) => {
        if (chosen.length > best.length) best = chosen;
        for (const [at, next] of open.entries()) {
            steps -= 1;
            if (steps <= 0 || chosen.length + open.length - at <= best.length) return;
            const rest = open.slice(at + 1).filter((other) => beside[next]?.has(other));
            grow([...chosen, next], rest);
        }
    };
    const isLeftOut = (number: number) => ["rejected", "failed"].includes(pages[number]?.state ?? "");
    grow(
        [0],
        [...(beside[0] ?? [])].filter((number) => !isLeftOut(number)).sort((a, b) => a - b),
    );
    return new Set(best.length > 1 ? best : []);
}
