// @vitest-environment jsdom

import { type Summary, targetOf } from "@husk/views";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Step } from "../../src/protocol";
import type { Flow } from "../../src/results/flow";
import { advance, beginLoading, type State } from "../../src/results/model";
import type { Problem } from "../../src/results/problem";
import { Screen } from "../../src/results/screen";
import { type Language, speaking } from "../speaking";

const page = { url: "https://example.org/a", html: "", title: "<b>A</b>", charset: "UTF-8", capture: 1 };
const summary: Summary = {
    url: page.url,
    nodes: 1200,
    templateNodes: 864,
    templateSupport: 1,
    compared: ["https://example.org/b", "https://example.org/c", "https://example.org/d"],
    visits: [
        {
            url: "https://example.org/b",
            found_at: null,
            why: "linked",
            outcome: "unavailable",
            cause: "the moon was full",
        },
    ],
    loaded: [],
    scripted: [],
    needsRendering: undefined,
};
const entry = { label: "Home", url: "https://example.org/", active: false, children: [] };
const written: Record<string, unknown> = {
    "template-html": "<p>the template",
    "template-page": "<p>the template",
    "content-html": "<!DOCTYPE html><title>A</title><article><p>words</p></article>",
    "content-json": {
        method: "single-page",
        words: 2,
        title: "<i>T</i>",
        byline: "Ann",
        published: "2025-05-09",
    },
    "content-markdown": "words",
    "menu-json": {
        menu: {
            kind: "main",
            entries: [
                { ...entry, children: [{ ...entry, label: "Here", active: true }] },
                { ...entry, url: null },
            ],
        },
        navigation: [{ kind: "footer", entries: [entry, { ...entry, url: "javascript:alert(1)" }] }],
    },
};

let screen: Screen | undefined;
let flow: Flow;
let acted: string[];

function speak(language: Language) {
    // What is shown gives its keys back when it goes.
    screen?.show({ name: "cancelled" }, flow);
    vi.stubGlobal("chrome", { i18n: speaking(language) });
    document.body.replaceChildren(document.createElement("div"));
    document.body.removeAttribute("data-state");
    screen = new Screen(document.body.firstElementChild as HTMLElement);
    acted = [];
    const act = (name: string) => async () => acted.push(name);
    flow = {
        tab: { tab: 7 },
        start: act("start"),
        allow: act("allow"),
        alone: act("alone"),
        inTabs: act("in tabs"),
        cancel: act("cancel"),
        written: {
            get: async (name: string) => written[name],
            text: async (name: string) => String(written[name] ?? "x".repeat(1_500_000)),
        },
    } as unknown as Flow;
}

beforeEach(() => speak("en"));

const show = (state: State) => screen?.show(state, flow);
const find = (selector: string) => document.querySelector<HTMLElement>(selector);
const click = (selector: string) => find(selector)?.click();

describe("every state", () => {
    const problems: Problem[] = [
        { kind: "tab-gone" },
        { kind: "kept-away" },
        { kind: "out-of-reach" },
        { kind: "not-html" },
        { kind: "too-large" },
        { kind: "no-site", page: { ...page, url: "file:///home/a.html" } },
        { kind: "refused", page },
        { kind: "no-links", page, summary },
        { kind: "none-usable", page, summary, loading: "fetch" },
        { kind: "none-usable", page, summary, loading: "tabs" },
        { kind: "not-rendered", page, summary },
        { kind: "login", page, summary },
        { kind: "scripts", page, summary },
        { kind: "broken", details: "unreachable" },
    ];
    const states: State[] = [
        { name: "reading" },
        { name: "asking-permission", page },
        beginLoading(page, "fetch"),
        { name: "finished", page, summary },
        { name: "cancelled" },
        ...problems.map((problem): State => ({ name: "failed", problem })),
    ];

    it.each(["en", "es"] as const)("has a heading, its name on the page, and words in %s", (language) => {
        for (const state of states) {
            speak(language);
            show(state);
            expect(document.body.getAttribute("data-state")).toBe(state.name);
            expect(document.querySelectorAll("h1").length).toBe(1);
            expect(document.querySelectorAll("main").length).toBe(1);
            for (const button of document.querySelectorAll("button")) expect(button.textContent).not.toBe("");
            expect(document.body.textContent).not.toMatch(/\$\w+\$|undefined/);
        }
    });

    it("that tells a problem says what to do", () => {
        for (const problem of problems) {
            speak("en");
            show({ name: "failed", problem });
            expect(find("#problem p")?.textContent, problem.kind).toBeTruthy();
            expect(document.querySelectorAll("#problem button").length, problem.kind).toBeGreaterThan(0);
        }
    });
});

describe("the buttons", () => {
    it("do what they say", () => {
        show({ name: "asking-permission", page });
        click("#allow");
        click("#alone");
        show(beginLoading(page, "fetch"));
        click("#cancel");
        show({ name: "cancelled" });
        click("#again");
        expect(acted).toEqual(["allow", "alone", "cancel", "start"]);
    });

    it("of reading can be cancelled, too", () => {
        show({ name: "reading" });
        click("#cancel");
        document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
        expect(acted).toEqual(["cancel", "cancel"]);
    });

    it("of loading has a key, as long as there is something to cancel", () => {
        const pressEscape = () => document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
        show(beginLoading(page, "fetch"));
        pressEscape();
        show({ name: "cancelled" });
        pressEscape();
        expect(acted).toEqual(["cancel"]);
    });
});

describe("loading in tabs", () => {
    it("is offered where it may help, and first of all where scripts make the pages", () => {
        show({ name: "failed", problem: { kind: "scripts", page, summary } });
        expect(find("#problem button")?.id).toBe("in-tabs");
        expect(find("#in-tabs")?.className).toBe("main");
        click("#in-tabs");
        show({ name: "failed", problem: { kind: "none-usable", page, summary, loading: "fetch" } });
        click("#in-tabs");
        expect(acted).toEqual(["in tabs", "in tabs"]);
    });

    it("is not offered again where it was of no help", () => {
        show({ name: "failed", problem: { kind: "none-usable", page, summary, loading: "tabs" } });
        expect(find("#in-tabs")).toBeNull();
    });

    it("says what these tabs are", () => {
        const told = () => [...document.querySelectorAll<HTMLElement>("p.quiet:not([hidden])")];
        const isSaid = () => told().some((words) => /background tab/.test(words.textContent ?? ""));
        show(beginLoading(page, "fetch"));
        expect(isSaid()).toBe(false);
        show(beginLoading(page, "tabs"));
        expect(isSaid()).toBe(true);
    });
});

describe("loading", () => {
    it("shows each page, and keeps the focus where it is", () => {
        let loading = beginLoading(page, "fetch");
        show(loading);
        find("#cancel")?.focus();
        for (const name of ["b", "c", "d"]) {
            const url = `https://example.org/${name}`;
            const step: Step = { kind: "page", url, why: "linked", atMost: 2, ahead: [] };
            loading = advance(loading, { kind: "loading", step });
            show(loading);
            loading = advance(loading, {
                kind: "loaded",
                url,
                cause: name === "c" ? `${url} answers 404` : undefined,
            });
            show(loading);
        }
        const said = [...document.querySelectorAll(".page")].map((item) => item.textContent);
        expect(said).toEqual([
            "/blinked from this pageloaded",
            "/clinked from this pagenot found (404)",
            "/dlinked from this pageloaded",
        ]);
        expect(document.activeElement).toBe(find("#cancel"));
        expect(document.body.textContent).toContain("2 pages loaded");
    });
});

describe("the results", () => {
    beforeEach(() => show({ name: "finished", page, summary }));

    it("say what was found", () => {
        expect(find("#facts")?.textContent).toBe("72% of 1,200 nodes are template. Compared with 3 pages.");
        expect(find("h1")?.textContent).toBe("<b>A</b>");
    });

    it("show the template in a frame", async () => {
        await vi.waitFor(() => expect(find("#panel-template iframe")).not.toBeNull());
        expect(find("#panel-template iframe")?.getAttribute("srcdoc")).toContain("<p>the template");
    });

    it("show the content with what is said about it", async () => {
        click("#tab-content");
        await vi.waitFor(() => expect(find("#panel-content iframe")).not.toBeNull());
        const html = find("#panel-content iframe")?.getAttribute("srcdoc");
        expect(html).toContain("<h1>&lt;i&gt;T&lt;/i&gt;</h1><p>Ann · May 9, 2025 · 2 words</p>");
        expect(html).toContain('<article dir="auto">');
        expect(find("#panel-content .note")?.textContent).toContain("this page only");
    });

    it("show the menu as a tree, with links to pages only", async () => {
        click("#tab-menu");
        await vi.waitFor(() => expect(find("#panel-menu nav")).not.toBeNull());
        expect(find("#panel-menu nav > ul > li > ul [aria-current]")?.textContent).toBe("Here");
        expect(find("#panel-menu summary")?.textContent).toBe("Footer links (2 links)");
        const targets = [...document.querySelectorAll("#panel-menu a")].map((link) =>
            link.getAttribute("href"),
        );
        expect(targets).toEqual(["https://example.org/", "https://example.org/", "https://example.org/"]);
    });

    it("show the source, but not more than a browser can", async () => {
        click("#tab-source");
        await vi.waitFor(() => expect(find("#source")?.textContent).toBe("<p>the template"));
        const choice = document.querySelector<HTMLSelectElement>("#source-format");
        if (choice) choice.value = "template-json";
        choice?.dispatchEvent(new Event("change"));
        await vi.waitFor(() => expect(find("#source")?.textContent?.length).toBe(1_000_000));
        expect(find("#panel-source .note")?.hidden).toBe(false);
    });

    it("show why a page was left out, in its own words if need be", () => {
        click("#tab-pages");
        expect(find("#panel-pages small")?.textContent).toBe("the moon was full");
    });
});

describe("tabs", () => {
    it("are moved between by keys", () => {
        const targets = ["ArrowRight", "ArrowLeft", "Home", "End", "Enter"].map((key) => targetOf(key, 4, 5));
        expect(targets).toEqual([0, 3, 0, 4, undefined]);
        show({ name: "finished", page, summary });
        const press = (key: string) =>
            find('[role="tablist"]')?.dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
        press("End");
        expect(document.activeElement?.id).toBe("tab-pages");
        press("ArrowRight");
        expect(find("#tab-template")?.getAttribute("aria-selected")).toBe("true");
        expect(document.querySelectorAll('[role="tab"][tabindex="0"]').length).toBe(1);
        expect(document.querySelectorAll('[role="tabpanel"]:not([hidden])').length).toBe(1);
    });
});
