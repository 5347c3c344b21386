import type { Visit } from "@husk/core";
import { describe, expect, it } from "vitest";
import { fault, type Summary } from "../../src/protocol";
import { problemOf, problemOfTab } from "../../src/results/problem";

const page = { url: "https://example.org/", html: "", title: "", charset: "UTF-8" };
const missing: Visit = {
    url: "https://example.org/a",
    found_at: null,
    why: "linked",
    outcome: "not-had",
    cause: "https://example.org/a answers 404",
};

function kindOf(summary: Partial<Summary>): string | undefined {
    const all = {
        url: page.url,
        nodes: 9,
        templateNodes: 3,
        compared: [],
        visits: [],
        needsRendering: undefined,
    };
    return problemOf(page, { ...all, ...summary })?.kind;
}

describe("a result", () => {
    it("is good if something was compared", () => {
        expect(kindOf({ compared: ["https://example.org/a"], needsRendering: "so" })).toBeUndefined();
    });

    it("says why nothing was", () => {
        expect(kindOf({})).toBe("no-links");
        expect(kindOf({ visits: [missing] })).toBe("none-usable");
        expect(kindOf({ visits: [{ ...missing, cause: "https://example.org/a answers 401" }] })).toBe(
            "login",
        );
        expect(
            kindOf({ visits: [missing], needsRendering: "the page has hardly anything but scripts" }),
        ).toBe("scripts");
    });
});

describe("a tab that cannot be read", () => {
    it.each([
        [false, undefined, fault("no-access"), "tab-gone"],
        [true, "chrome://settings/", fault("no-access"), "kept-away"],
        [true, "about:addons", fault("no-access"), "kept-away"],
        [true, undefined, fault("no-access"), "out-of-reach"],
        [true, "https://addons.mozilla.org/", fault("no-access"), "out-of-reach"],
        [true, "https://example.org/a.png", fault("not-html"), "not-html"],
        [true, "https://example.org/", fault("too-large"), "too-large"],
        [true, "https://example.org/", new Error("something else"), "broken"],
    ])("there: %s, address %s, %o: %s", (isThere, url, error, kind) => {
        expect(problemOfTab(isThere, url, error).kind).toBe(kind);
    });
});
