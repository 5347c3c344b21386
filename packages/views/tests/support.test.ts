// What people are told about a part of the page, in every language.

import { expect, test } from "vitest";
import pagelets from "../../../crates/husk/src/pagelets/mod.rs?raw";
import type { Mark } from "../src/engine";
import { messageOf, whyOf } from "../src/support";
import { LANGUAGES, speaker } from "./speaking";

function mark(support: number, verbatim_support: number, more: Partial<Mark> = {}): Mark {
    return { xpath: "/html[1]", class: "template", support, verbatim_support, ...more };
}

test.each([
    [
        mark(4, 3, { pagelet: "footer" }),
        4,
        "Template · on 4 of 4 compared pages, with the same text on 3 · footer",
    ],
    [mark(3, 3), 4, "Template · with the same text on 3 of 4 compared pages"],
    [mark(4, 0, { class: "content" }), 4, "Content · with other text on 4 of 4 compared pages"],
    [mark(0, 0, { class: "own" }), 4, "Neither template nor content · on none of the 4 compared pages"],
    [mark(1, 1, { class: "menu" }), 1, "Menu · with the same text on the one compared page"],
    [mark(1, 0), 1, "Template · with other text on the one compared page"],
    [mark(0, 0, { class: "content" }), 1, "Content · not on the one compared page"],
    [mark(3, 3, { class: "content" }), 4, "Content · on 3 of 4 compared pages"],
    [mark(1, 1, { class: "own" }), 1, "Neither template nor content · on the one compared page"],
    [mark(0, 0, { class: "content" }), 0, "Content · not compared"],
    [
        mark(2, 2, { class: "menu", pagelet: "main-menu" }),
        2,
        "Menu · with the same text on 2 of 2 compared pages",
    ],
])("%j", (mark, compared, words) => {
    expect(whyOf(mark, compared, speaker("en"))).toBe(words);
});

test("nothing is said where several things stand side by side", () => {
    expect(whyOf(mark(4, 4, { class: "mixed" }), 4, speaker("en"))).toBeUndefined();
});

test("Spanish says it in Spanish", () => {
    expect(whyOf(mark(4, 3, { pagelet: "footer" }), 4, speaker("es"))).toBe(
        "Plantilla · en 4 de 4 páginas comparadas, con el mismo texto en 3 · pie de página",
    );
});

test("every function that the engine knows has a name", () => {
    const functions = [...pagelets.matchAll(/Self::\w+ => "([a-z-]+)"/g)].map(([, name]) => name ?? "");
    expect(functions).toContain("main-menu");
    for (const name of functions.filter((name) => name !== "other")) {
        for (const language of LANGUAGES) expect(speaker(language)(messageOf(name))).not.toBe("");
    }
});
