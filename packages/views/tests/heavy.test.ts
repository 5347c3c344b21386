// @vitest-environment jsdom

import { beforeEach, describe, expect, it } from "vitest";
import { isHeavy, shownIfLight } from "../src/heavy";
import { contentPanel } from "../src/panels/content";
import { pagePanel } from "../src/panels/page";
import { templatePanel } from "../src/panels/template";
import { all, find, showResults, until } from "./shown";
import { speakIn } from "./speaking";

beforeEach(() => speakIn("en"));

const HEAVY = "<table><tr><td>".repeat(40_000);

describe("a page of very many parts", () => {
    it("is heavy, and a long one is not", () => {
        expect(isHeavy(HEAVY)).toBe(true);
        expect(isHeavy(`<p>${"word ".repeat(1_000_000)}`)).toBe(false);
    });

    it("is shown in no tab before somebody asks for it", async () => {
        const outputs = {
            "inspect-page": { html: HEAVY, marks: [], pagelets: [], compared: 4 },
            "template-page": HEAVY,
            "content-html": HEAVY,
            "content-json": { words: 3, method: "comparison" },
        };
        for (const panel of [pagePanel, templatePanel, contentPanel]) {
            showResults([panel], outputs);
            await until(".heavy button");
            expect(all("iframe")).toEqual([]);
        }
    });

    it("is shown then", () => {
        document.body.replaceChildren(...shownIfLight(HEAVY, () => [document.createElement("hr")]));
        expect(find(".heavy").textContent).toContain("0.6 MB");
        find(".heavy button").click();
        expect(document.body.innerHTML).toBe("<hr>");
    });
});
