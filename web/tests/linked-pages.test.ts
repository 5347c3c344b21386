import { describe, expect, it } from "vitest";
import { graphOf } from "../src/crawl/graph";
import type { Kept } from "../src/state";
import { crawlOf } from "../src/views/linked-pages";
import { summary } from "./canned.mjs";

const at = (name: string) => `https://e.example/${name}`;

/** A result as it is opened by its address: who saw the crawl is somebody else. */
function kept(given: Record<string, unknown>): Kept {
    return { summary: summary("r1", "husk", { page: at("key"), ...given }) } as unknown as Kept;
}

const visit = (name: string, outcome: string, why = "linked", cause: string | null = null) => ({
    url: at(name),
    found_at: outcome === "failed" ? null : at(name),
    why,
    outcome,
    cause,
});

describe("the graph of a result", () => {
    it("has the links between its pages, so that those which all link to each other are seen", () => {
        const result = kept({
            loaded: [at("key"), at("a"), at("b"), at("c")],
            visits: [
                visit("a", "compared"),
                visit("b", "compared"),
                visit("c", "left-out", "linked", "other layout"),
                visit("gone", "failed", "linked", "answers 404"),
                visit("far", "failed", "listed", "answers 404"),
            ],
            links: [
                [0, 1],
                [0, 2],
                [0, 3],
                [1, 0],
                [1, 2],
                [2, 0],
                [2, 1],
            ],
        });
        const { pages, links, clique } = graphOf(crawlOf(result));
        expect(pages.map(({ url }) => url)).toEqual(["key", "a", "b", "c", "gone", "far"].map(at));
        expect([...clique].sort()).toEqual([0, 1, 2]);
        const told = links.map(({ from, to, isMutual }) => `${from}${isMutual ? "=" : ">"}${to}`);
        expect(told.sort()).toEqual(["0=1", "0=2", "0>3", "0>4", "1=2"]);
    });
});
