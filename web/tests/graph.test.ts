import { describe, expect, it } from "vitest";
import type { ProgressEvent } from "../src/api/types";
import { advance, type Crawl, NO_CRAWL } from "../src/crawl/crawl";
import { graphOf } from "../src/crawl/graph";
import { layoutOf, originOf } from "../src/crawl/layout";

const at = (name: string) => `https://e.example/${name}`;

function told(...events: ProgressEvent[]): Crawl {
    return events.reduce(advance, NO_CRAWL);
}

const loaded = (name: string, ...links: string[]): ProgressEvent => ({
    name: "loaded",
    url: at(name),
    foundAt: at(name),
    links: links.map(at),
});
const loading = (name: string, maxRemaining = 3): ProgressEvent => ({
    name: "loading",
    url: at(name),
    why: "linked",
    maxRemaining,
});

/** A key page with a menu of a, b, c; all but c link to each other. */
const CRAWL = told(
    { name: "started", page: at("key") },
    loaded("key", "a", "b", "c", "d", "e"),
    loading("a"),
    loaded("a", "key", "b", "c"),
    { name: "accepted", url: at("a") },
    loading("b"),
    loaded("b", "key", "a#top", "c"),
    loading("c"),
    loaded("c", "a"),
);

describe("the crawl", () => {
    it("knows what came of each page", () => {
        const crawl = [
            { name: "rejected", url: at("b"), cause: "has another layout" },
            { name: "failed", url: at("c"), cause: "answers 404" },
        ].reduce((crawl, event) => advance(crawl, event as ProgressEvent), CRAWL);
        expect(crawl.pages.map(({ state, cause }) => [state, cause])).toEqual([
            ["accepted", undefined],
            ["rejected", "has another layout"],
            ["failed", "answers 404"],
        ]);
        expect(crawl.key?.state).toBe("loaded");
    });

    it("is never further back than it was", () => {
        const one = told({ name: "started", page: at("key") }, loading("a", 1));
        const two = advance(one, loading("b", 40));
        expect(one.done).toBeGreaterThan(0.4);
        expect(two.done).toBe(one.done);
        expect(advance(two, { name: "writing" }).done).toBe(1);
    });

    it("takes the key page for the key page, also where it was led on to another address", () => {
        const crawl = told(
            { name: "started", page: at("old") },
            { name: "loading", url: at("old"), why: undefined, maxRemaining: 9 },
            { name: "loaded", url: at("old"), foundAt: at("new"), links: [] },
            { name: "accepted", url: at("new") },
        );
        expect(crawl.pages).toEqual([]);
        expect(crawl.key?.state).toBe("accepted");
    });

    it("knows pages that were given and never asked for", () => {
        const crawl = told(loaded("key"), loaded("a"), { name: "accepted", url: at("a") });
        expect(crawl.key?.url).toBe(at("key"));
        expect(crawl.pages.map(({ state }) => state)).toEqual(["accepted"]);
    });

    it("tells how many are before it", () => {
        expect(told({ name: "queued", ahead: 4 })).toMatchObject({ stage: "queued", ahead: 4 });
        expect(told({ name: "queued", ahead: 4 }, { name: "started", page: at("") }).ahead).toBe(0);
    });
});

describe("the graph", () => {
    it("has a line for each pair that is linked", () => {
        const { links } = graphOf(CRAWL);
        const pairs = links.map(({ from, to, isMutual }) => `${from}${isMutual ? "=" : ">"}${to}`);
        expect(pairs.toSorted()).toEqual(["0=1", "0=2", "0>3", "1=2", "1=3", "2>3"]);
    });

    it("finds the largest set of pages that all link to each other", () => {
        expect([...graphOf(CRAWL).clique]).toEqual([0, 1, 2]);
    });

    it("leaves out of that set what is of no use", () => {
        const crawl = advance(CRAWL, { name: "rejected", url: at("a"), cause: "" });
        expect([...graphOf(crawl).clique]).toEqual([0, 2]);
    });

    it("does not take the first set for the largest", () => {
        const crawl = told(
            loaded("key", "a", "b", "c", "d"),
            loaded("a", "key", "b"),
            loaded("b", "key", "a", "c", "d"),
            loaded("c", "key", "b", "d"),
            loaded("d", "key", "b", "c"),
        );
        expect([...graphOf(crawl).clique]).toEqual([0, 2, 3, 4]);
    });

    it("has no set where nobody links back", () => {
        expect(graphOf(told(loaded("key", "a"), loaded("a"))).clique.size).toBe(0);
    });

    it("offers the links that were not followed, each once", () => {
        const crawl = told(loaded("key", "a", "b", "b#x", "b/", "c"), loading("a"));
        expect(graphOf(crawl).candidates).toEqual([at("b"), at("c")]);
    });

    it("ends soon, however many pages link to each other", () => {
        const names = Array.from({ length: 60 }, (_, number) => `p${number}`);
        // All link to all but their neighbour: the worst for such a search.
        const crawl = told(
            ...names.map((name, here) => loaded(name, ...names.filter((_, there) => (there ^ 1) !== here))),
        );
        expect(graphOf(crawl).clique.size).toBe(30);
    });

    it("is nothing before there is a page", () => {
        expect(graphOf(NO_CRAWL).pages).toEqual([]);
    });
});

describe("the layout", () => {
    it("has the key page in the middle, and nobody on top of another", () => {
        const names = Array.from({ length: 16 }, (_, number) => `p${number}`);
        const { pages } = layoutOf(graphOf(told(loaded("key"), ...names.map((name) => loading(name)))));
        expect(pages[0]).toEqual({ x: 0, y: 0 });
        const gaps = pages.flatMap((one, here) =>
            pages.slice(here + 1).map((other) => Math.hypot(one.x - other.x, one.y - other.y)),
        );
        expect(Math.min(...gaps)).toBeGreaterThan(24);
    });

    it("leaves everybody in place when a link is followed", () => {
        const before = told(loaded("key", "a", "b", "c"), loading("a"));
        const later = advance(before, loading("b"));
        expect(layoutOf(graphOf(later)).pages.slice(0, 2)).toEqual(layoutOf(graphOf(before)).pages);
        expect(layoutOf(graphOf(later)).candidates.get(at("c"))).toEqual(
            layoutOf(graphOf(before)).candidates.get(at("c")),
        );
        expect(originOf(graphOf(later), at("b"))).toEqual(layoutOf(graphOf(before)).candidates.get(at("b")));
    });
});
