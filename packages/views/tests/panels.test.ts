// @vitest-environment jsdom

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { PageletJson } from "../src/engine";
import type { PageJson } from "../src/outputs";
import { contentPanel } from "../src/panels/content";
import { pagePanel } from "../src/panels/page";
import { pageletsPanel } from "../src/panels/pagelets";
import { sourcePanel } from "../src/panels/source";
import { downloadAllLink, shareButton } from "../src/saving";
import { Spotlight } from "../src/spotlight";
import { layOut, load } from "./laid-out";
import { all, find, showResults, until } from "./shown";
import { LANGUAGES, speakIn } from "./speaking";

beforeEach(() => speakIn("en"));
afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
});

describe("the blocks", () => {
    const block = (pagelet: number, parent: number | null, name: string): PageletJson => ({
        pagelet,
        parent,
        function: name,
        xpaths: [`/html[1]/body[1]/div[${pagelet}]`],
        words: 1200,
        links: 1,
        text_share: 0.5,
        link_share: 0.1,
        template: true,
        template_share: 1,
        support: 4,
        verbatim_support: 3,
    });
    const pagelets = [
        block(1, null, "header"),
        block(2, 1, "main-menu"),
        block(3, 2, "not-known-here"),
        block(4, null, "other"),
    ];
    const page: PageJson = {
        html: '<div data-husk="t0" data-at="0,0,9,9"><nav data-husk="m1" data-at="0,30,9,9"></nav></div><i data-husk="t2"></i>',
        marks: [
            [4, 3, 0],
            [4, 3, 1],
            [4, 3, 3],
        ],
        pagelets: [
            ["header", -1],
            ["main-menu", 0],
            ["not-known-here", 1],
            ["other", -1],
        ],
        compared: 4,
    };

    it("stand in each other, with what is known of each", async () => {
        showResults([pageletsPanel], { "pagelets-json": { pagelets } });
        await until(".blocks");
        expect(find(".blocks > li > ul > li > ul > li > strong").textContent).toBe("not known here");
        expect(all(".blocks strong").map((name) => name.textContent)).toEqual([
            "header",
            "main menu",
            "not known here",
            "other block",
        ]);
        expect(find(".blocks > li > span").textContent).toBe(
            "1,200 words · 1 link · on 4 of 4 compared pages, with the same text on 3",
        );
        expect(find(".blocks > li > code").textContent).toBe("/html[1]/body[1]/div[1]");
    });

    it("light up on the page when they are chosen, be it before the page is there", async () => {
        layOut();
        showResults([pageletsPanel, pagePanel], { "pagelets-json": { pagelets }, "inspect-page": page });
        await until(".blocks");
        all(".blocks .find")[1]?.click();
        expect(find("#tab-page").getAttribute("aria-selected")).toBe("true");
        expect(document.activeElement).toBe(find("#tab-page"));
        await until(".stage iframe");
        load(find<HTMLIFrameElement>(".stage iframe"));
        const lit = () => all(".box.lit b").map((label) => label.textContent);
        expect(lit()).toEqual(["main menu"]);
        expect(find(".description strong").textContent).toBe("header › main menu");
        all(".blocks .find")[0]?.click();
        expect(lit()).toEqual(["header"]);
        all(".blocks .find")[3]?.click();
        expect(lit()).toEqual([]);
        expect(find(".description").textContent).toBe("This block is not visible on the page.");
    });

    it("are looked for on the page only when it is there to be seen", async () => {
        showResults([pageletsPanel, pagePanel], { "pagelets-json": { pagelets }, "inspect-page": page });
        await until(".blocks");
        const wasHidden = vi.fn(() => find("#panel-page").hidden);
        vi.spyOn(Spotlight.prototype, "choose").mockImplementation(() => void wasHidden());
        all(".blocks .find")[1]?.click();
        expect(wasHidden).toHaveReturnedWith(false);
    });

    it("may be none", async () => {
        showResults([pageletsPanel], { "pagelets-json": { pagelets: [] } });
        await until("#panel-pagelets .note");
        expect(find("#panel-pagelets .note").textContent).toBe("No blocks found.");
    });

    it.each(LANGUAGES)("have words in %s", async (language) => {
        speakIn(language);
        showResults([pageletsPanel], { "pagelets-json": { pagelets } });
        await until(".blocks");
        expect(document.body.textContent).not.toMatch(/\$\w+\$|undefined/);
    });
});

describe("the content", () => {
    const outputs = {
        "content-html": "<!DOCTYPE html><title>A</title><article><p>words</p></article>",
        "content-json": { method: "siblings", words: 1, title: "T" },
        "content-markdown": "# T\n\nwords\n",
    };
    const choices = () => all(".choice button");
    const isShown = (selector: string) => find(selector).closest("[hidden]") === null;

    it("is to be read first, and Markdown where that is chosen", async () => {
        showResults([contentPanel], outputs);
        await until("#panel-content iframe");
        expect([isShown("#panel-content iframe"), isShown("#content-markdown")]).toEqual([true, false]);
        choices()[1]?.click();
        expect([isShown("#panel-content iframe"), isShown("#content-markdown")]).toEqual([false, true]);
        expect(choices().map((choice) => choice.getAttribute("aria-pressed"))).toEqual(["false", "true"]);
        await vi.waitFor(() => expect(find("#content-markdown").textContent).toBe("# T\n\nwords\n"));
        choices()[0]?.click();
        expect(isShown("#panel-content iframe")).toBe(true);
    });

    it("says so where the Markdown cannot be written", async () => {
        const { "content-markdown": _, ...others } = outputs;
        showResults([contentPanel], others);
        await until("#panel-content iframe");
        choices()[1]?.click();
        await vi.waitFor(() =>
            expect(find("#content-markdown").textContent).toContain("could not be loaded"),
        );
    });

    it("has nothing to choose where there is none", async () => {
        showResults([contentPanel], { ...outputs, "content-json": { words: 0 } });
        await until("#panel-content .note");
        expect(choices()).toEqual([]);
    });
});

describe("the source", () => {
    it("has the blocks, too", async () => {
        showResults([sourcePanel], { "template-html": "<p>", "pagelets-json": { pagelets: [] } });
        const choice = find<HTMLSelectElement>("#source-format");
        choice.value = "pagelets-json";
        choice.dispatchEvent(new Event("change"));
        await vi.waitFor(() => expect(find("#source").textContent).toBe('{\n  "pagelets": []\n}\n'));
    });
});

describe("the header", () => {
    it("has what the surface can do with the results as a whole", async () => {
        const said: string[] = [];
        const copied: string[] = [];
        vi.stubGlobal("navigator", { clipboard: { writeText: async (words: string) => copied.push(words) } });
        const share = shareButton("https://husk.example/r/k3", (message) => said.push(message));
        showResults([], {}, [share, downloadAllLink("/v1/results/k3/husk.zip")]);
        find(".top #share").click();
        await vi.waitFor(() => expect(said).toEqual(["Copied."]));
        expect(copied).toEqual(["https://husk.example/r/k3"]);
        const link = find<HTMLAnchorElement>(".top #download-all");
        expect([link.getAttribute("href"), link.hasAttribute("download")]).toEqual([
            "/v1/results/k3/husk.zip",
            true,
        ]);
    });
});
