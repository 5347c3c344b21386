import { describe, expect, it } from "vitest";
import type { Progress } from "../../src/loading/extract";
import { advance, beginLoading, type Loading } from "../../src/results/model";

const page = { url: "https://example.org/", html: "", title: "", charset: "UTF-8", capture: 1 };

function asked(url: string, atMost: number): Progress {
    return { kind: "loading", step: { kind: "page", url, why: "linked", atMost, ahead: [url] } };
}

function loaded(url: string, cause?: string): Progress {
    return { kind: "loaded", url, cause };
}

function told(...steps: Progress[]): Loading {
    return steps.reduce(advance, beginLoading(page, "fetch"));
}

describe("loading", () => {
    it("tells of each page what became of it", () => {
        const { items } = told(
            asked("a", 3),
            loaded("a"),
            asked("b", 2),
            loaded("b", "b answers 404"),
            asked("c", 1),
        );
        expect(items).toEqual([
            { url: "a", why: "linked", state: "taken", cause: undefined },
            { url: "b", why: "linked", state: "left-out", cause: "b answers 404" },
            { url: "c", why: "linked", state: "loading", cause: undefined },
        ]);
    });

    it("tells files that list pages from pages", () => {
        const { items } = told({ kind: "loading", step: { kind: "file", url: "robots.txt" } });
        expect(items[0]?.why).toBeUndefined();
    });

    it("goes on, never back", () => {
        const steps = [
            asked("a", 4),
            asked("b", 3),
            asked("c", 20),
            { kind: "loading", step: { kind: "file", url: "r" } },
        ];
        const done = steps.map((_, at) => told(...(steps.slice(0, at + 1) as Progress[])).done);
        expect(done).toEqual([0, 0.25, 0.25, 0.25]);
    });

    it("leaves earlier states as they were", () => {
        const before = told(asked("a", 1));
        advance(before, loaded("a"));
        expect(before.items[0]?.state).toBe("loading");
    });
});
