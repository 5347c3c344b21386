import type { Visit } from "@husk/core";
import type { Summary } from "@husk/views";
import { describe, expect, it } from "vitest";
import { fault } from "../../src/protocol";
import { problemOf, problemOfTab } from "../../src/results/problem";
import type { LoadingWay } from "../../src/settings";

const page = { url: "https://example.org/", html: "", title: "", charset: "UTF-8", capture: 1 };
const missing: Visit = {
    url: "https://example.org/a",
    found_at: null,
    why: "linked",
    outcome: "unavailable",
    cause: "https://example.org/a answers 404",
};

function kindOf(summary: Partial<Summary>, loading: LoadingWay = "fetch"): string | undefined {
    const all = {
        url: page.url,
        nodes: 9,
        templateNodes: 3,
        templateSupport: 1,
        compared: [],
        visits: [],
        loaded: [],
        scripted: [],
        needsRendering: undefined,
    };
    return problemOf(page, { ...all, ...summary }, loading)?.kind;
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
        ).toBe("not-rendered");
    });

    const came = { ...missing, outcome: "refused" as const, cause: "has another layout" };
    const frames = { visits: [came, came], loaded: ["a", "b"], scripted: ["a"] };

    it("tells that scripts make the pages, if that is what most of them have in common", () => {
        expect(kindOf(frames)).toBe("scripts");
        expect(kindOf({ ...frames, loaded: ["a", "b", "c"] })).toBe("none-usable");
        expect(kindOf({ ...frames, scripted: [] })).toBe("none-usable");
        const login = { ...came, cause: "has another layout; it asks for a password" };
        expect(kindOf({ ...frames, visits: [login] })).toBe("login");
    });

    it("is none if only empty frames were compared, and one if anything else was", () => {
        expect(kindOf({ ...frames, compared: ["a"] })).toBe("scripts");
        expect(kindOf({ ...frames, compared: ["a", "b"] })).toBeUndefined();
    });

    it("does not blame it on scripts that had their turn", () => {
        expect(kindOf(frames, "tabs")).toBe("none-usable");
        expect(kindOf({ ...frames, compared: ["a"] }, "tabs")).toBeUndefined();
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
