// @vitest-environment jsdom
// What is tinted, from the marks that are found.

import type { Mark } from "@husk/core";
import { beforeEach, expect, test } from "vitest";
import { capture } from "../../src/page/capture";
import { regionsOf } from "../../src/page/regions";

beforeEach(() => {
    document.body.innerHTML =
        "<header>ab<nav><a>cd</a><b>ef</b></nav></header><main>gh<p>ijkl</p></main><footer>mn</footer>";
});

const body = "/html[1]/body[1]";

function mark(path: string, kind: Mark["class"], support = 2): Mark {
    return { xpath: path, class: kind, support, verbatim_support: 1 };
}

function regions(...marks: Mark[]) {
    return regionsOf(capture(document, "https://example.org/").snapshot, { compared: 2, marks });
}

test("a region is the outermost node of a kind; others in it are its inner ones", () => {
    const { all, found } = regions(
        mark("/html[1]", "mixed"),
        mark(`${body}/header[1]`, "template"),
        mark(`${body}/header[1]/nav[1]`, "menu"),
        mark(`${body}/header[1]/nav[1]/b[1]`, "menu", 1),
        mark(`${body}/main[1]/p[1]`, "content"),
        mark(`${body}/aside[1]`, "content"),
    );
    expect(found).toBe(5);
    expect(all.map(({ kind, live }) => [kind, live])).toEqual([
        ["template", document.querySelector("header")],
        ["menu", document.querySelector("nav")],
        ["content", document.querySelector("p")],
    ]);
    expect(all[0]?.inner).toEqual([all[1]]);
});

test("a node knows its own mark and the region that it lies in", () => {
    const { known, all } = regions(
        mark(`${body}/header[1]`, "template"),
        mark(`${body}/header[1]/nav[1]`, "template", 1),
        mark(`${body}/main[1]`, "own"),
    );
    const nav = known.get(document.querySelector("nav") as Node);
    expect(nav?.mark.support).toBe(1);
    expect(nav?.region).toBe(all[0]);
    const main = known.get(document.querySelector("main") as Node);
    expect([main?.mark.class, main?.region]).toEqual(["own", undefined]);
});

test("shares are of all letters that a reader may see", () => {
    const { shares } = regions(
        mark("/html[1]", "mixed"),
        mark(`${body}/header[1]`, "template"),
        mark(`${body}/header[1]/nav[1]`, "menu"),
        mark(`${body}/main[1]/p[1]`, "content"),
    );
    expect(shares).toEqual({ template: 2 / 14, menu: 4 / 14, content: 4 / 14 });
});

test("a page without a letter has no shares", () => {
    document.body.innerHTML = "<img><hr>";
    expect(regions(mark("/html[1]", "content")).shares).toEqual({ template: 0, menu: 0, content: 0 });
});
