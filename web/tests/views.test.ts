// @vitest-environment jsdom

import { speakWith } from "@husk/views";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type ProblemKind, ServerProblem } from "../src/api/problem";
import type { ProgressEvent, ResultSummary } from "../src/api/types";
import { advance, NO_CRAWL } from "../src/crawl/crawl";
import { labelOf } from "../src/crawl/drawing";
import type { Flow } from "../src/flow";
import { Screen } from "../src/screen";
import type { Kept, State } from "../src/state";
import { ageOf } from "../src/summary";
import { wordsFor } from "../src/words";
import { summary } from "./canned.mjs";
import { TestPage } from "./page";

let screen: Screen;
let flow: Flow;

beforeEach(() => {
    document.body.innerHTML = "<div id=results></div>";
    screen = new Screen(document.getElementById("results") as HTMLElement);
    flow = new TestPage("http://127.0.0.1:9", "/", screen).flow;
    window.scrollTo = () => undefined;
});
afterEach(() => {
    vi.useRealTimers();
    // Ends what the last view listens for.
    show({ name: "opening" });
});

const show = (state: State) => screen.show(state, flow);
const find = (selector: string) => document.querySelector<HTMLElement>(selector);
const words = () => document.body.textContent ?? "";

function type(selector: string, value: string): void {
    const field = find(selector) as HTMLInputElement;
    field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
}

function submit(selector: string): void {
    find(selector)?.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
}

const kept = (id: string, method: "husk" | "paper" = "husk", given: Partial<ResultSummary> = {}): Kept => ({
    summary: summary(id, method, given),
    input: undefined,
    crawl: undefined,
});

describe("the beginning", () => {
    beforeEach(() => show({ name: "start", url: "" }));

    it("has the focus in the field", () => {
        expect(document.activeElement?.id).toBe("url");
    });

    it("says what is wrong with an address, until it is changed", () => {
        submit("form");
        expect(find("#url-wrong")?.textContent).toContain("example.org");
        expect(find("#url")?.getAttribute("aria-invalid")).toBe("true");
        type("#url", "e");
        expect(find("#url-wrong")?.textContent).toBe("");
        expect(find("#url")?.hasAttribute("aria-invalid")).toBe(false);
    });

    it("begins with what was typed, and with the options", () => {
        const begin = vi.spyOn(flow, "begin").mockResolvedValue();
        find("#method-paper")?.click();
        find("#fresh")?.click();
        const pages = find("#pages") as HTMLInputElement;
        pages.value = "3";
        pages.dispatchEvent(new Event("change"));
        type("#url", "e.example/a");
        submit("form");
        expect(begin).toHaveBeenCalledWith({ kind: "url", url: "https://e.example/a" });
        expect(flow.choices).toEqual({ method: "paper", pagesToCompare: 3, fresh: true });
    });

    it("takes files that are dropped, and shows where", () => {
        const give = vi.spyOn(flow, "give").mockResolvedValue();
        document.dispatchEvent(new Event("dragover", { cancelable: true }));
        expect(find(".drop")?.classList).toContain("over");
        const file = new File(["<p>"], "a.html");
        const item = { kind: "file", webkitGetAsEntry: () => null };
        const dataTransfer = { files: [file], items: [item], types: ["Files"], getData: () => "" };
        const drop = Object.assign(new Event("drop", { cancelable: true }), { dataTransfer });
        document.dispatchEvent(drop);
        expect(drop.defaultPrevented).toBe(true);
        expect(give).toHaveBeenCalledOnce();
        expect(find(".drop")?.classList).not.toContain("over");
    });

    it("takes a link that is dropped for an address, and nothing else", () => {
        const give = vi.spyOn(flow, "give").mockResolvedValue();
        const dataTransfer = {
            files: [],
            items: [{ kind: "string" }],
            types: [],
            getData: () => "https://e.example/x",
        };
        document.dispatchEvent(Object.assign(new Event("drop", { cancelable: true }), { dataTransfer }));
        expect((find("#url") as HTMLInputElement).value).toBe("https://e.example/x");
        expect(give).not.toHaveBeenCalled();
    });

    it("does not listen for files any more once something else is shown", () => {
        const give = vi.spyOn(flow, "give").mockResolvedValue();
        show({ name: "opening" });
        document.dispatchEvent(
            Object.assign(new Event("drop"), { dataTransfer: { files: [1], items: [1] } }),
        );
        expect(give).not.toHaveBeenCalled();
    });

    it("tells of files that are of no use", () => {
        show({
            name: "start",
            url: "",
            refused: { kind: "too-large", name: "a.warc", bytes: 40 * 1024 * 1024 },
        });
        expect(find("#refused")?.textContent).toMatch(/a\.warc.*40 MB.*16 MB/);
    });

    it("speaks Spanish to who reads it", () => {
        speakWith(wordsFor(["fr", "es-MX", "en"]));
        show({ name: "start", url: "" });
        expect(find("h1")?.textContent).toBe("Separa la plantilla de una página web de su contenido");
        speakWith(wordsFor(["fr"]));
        show({ name: "start", url: "" });
        expect(find("h1")?.textContent).toBe("Separate a web page’s template from its content");
    });
});

describe("a choice of pages", () => {
    const pages = Array.from({ length: 300 }, (_, at) => `https://e.example/p${at}`);

    it("can be searched, and leads on", () => {
        const begin = vi.spyOn(flow, "begin").mockResolvedValue();
        const file = new File([], "a.warc");
        show({ name: "choosing-page", file, pages });
        expect(document.querySelectorAll("#offers li").length).toBe(200);
        expect(words()).toContain("100 more");
        type("#search", "P299");
        expect(find("#offers")?.textContent).toBe("/p299e.example");
        find("#offers button")?.click();
        expect(begin).toHaveBeenCalledWith({ kind: "archive", file, page: "https://e.example/p299" });
    });
});

describe("the crawl", () => {
    const input = { kind: "url", url: "https://e.example/a" } as const;
    const at = (path: string) => `https://e.example/${path}`;
    const events: ProgressEvent[] = [
        { name: "started", page: at("a") },
        { name: "loaded", url: at("a"), foundAt: at("a"), links: [at("b"), at("c"), at("d")] },
        { name: "loading", url: at("b"), why: "linked", maxRemaining: 2 },
        { name: "loaded", url: at("b"), foundAt: at("b"), links: [at("a")] },
        { name: "accepted", url: at("b") },
        { name: "loading", url: at("c"), why: "linked", maxRemaining: 2 },
        { name: "rejected", url: at("c"), cause: "has another layout: 3 %" },
    ];
    const crawling = (count: number): State => ({
        name: "crawling",
        input,
        crawl: events.slice(0, count).reduce(advance, NO_CRAWL),
        beside: undefined,
    });

    it("grows in the picture and in the list", () => {
        show(crawling(0));
        expect(words()).toContain("Loading pages of e.example");
        show(crawling(2));
        expect(document.querySelectorAll("circle.dot").length).toBe(3);
        show(crawling(5));
        expect(document.querySelectorAll("circle.dot").length).toBe(2);
        expect(document.querySelectorAll(".node.in-clique").length).toBe(2);
        expect(document.querySelectorAll(".link.in-clique").length).toBe(1);
        expect(find("#linked")?.textContent).toContain("2 pages all link to each other");
        show(crawling(7));
        expect(find(".node.rejected title")?.textContent).toBe(at("c"));
        expect(find("li.left-out")?.textContent).toContain("has another layout");
    });

    it("leaves in place what is there already", () => {
        show(crawling(2));
        const [key, heading] = [find(".node.key"), find("h1")];
        show(crawling(6));
        expect(find(".node.key")).toBe(key);
        expect(find("h1")).toBe(heading);
    });

    it("is given up by the button and by Escape, and by Escape only as long as it is shown", () => {
        const cancel = vi.spyOn(flow, "cancel").mockReturnValue();
        show(crawling(2));
        find("#cancel")?.click();
        const pressEscape = () => document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
        pressEscape();
        expect(cancel).toHaveBeenCalledTimes(2);
        show({ name: "opening" });
        pressEscape();
        expect(cancel).toHaveBeenCalledTimes(2);
    });

    it("says how many are before it", () => {
        show({
            name: "crawling",
            input,
            crawl: advance(NO_CRAWL, { name: "queued", ahead: 3 }),
            beside: undefined,
        });
        expect(find("#stage")?.textContent).toContain("3 requests are ahead");
    });

    it("is no matter of screen readers where the list says the same", () => {
        show(crawling(5));
        expect(find("svg.graph")?.getAttribute("aria-hidden")).toBe("true");
        expect(document.querySelectorAll("[aria-live]").length).toBe(1);
    });
});

describe("a page in the picture", () => {
    it.each([
        ["https://e.example/", "/"],
        ["https://e.example/index.html", "/"],
        ["https://e.example/stories/the-fog/", "the-fog"],
        ["https://e.example/stories/the-fog/index.html", "the-fog"],
        ["https://e.example/a?page=2", "a?page=2"],
        ["https://e.example/a-title-that-goes-on-and-on-and-on", "a-title-that-goes-on-an…"],
    ])("at %s is called %s", (url, label) => {
        expect(labelOf(url)).toBe(label);
    });
});

describe("a problem", () => {
    const kinds: ProblemKind[] = [
        ...([
            "offline",
            "private-address",
            "not-found",
            "bad-request",
            "too-large",
            "page-required",
        ] as const),
        ...(["no-sibling", "page-not-loaded", "timeout", "shutting-down", "broken"] as const),
    ];

    it.each(kinds)("of the kind %s is told in its own words, with a way on", (kind) => {
        show({ name: "failed", problem: new ServerProblem(kind, "the host e.example"), input: undefined });
        expect(find("h1")?.textContent?.length).toBeGreaterThan(10);
        expect(document.activeElement?.tagName).toBe("H1");
        expect(words()).toContain("the host e.example");
        expect(find(".actions button")).not.toBeNull();
    });

    it("that will be over soon counts down to another try", () => {
        vi.useFakeTimers();
        const again = vi.spyOn(flow, "again").mockResolvedValue();
        show({ name: "failed", problem: new ServerProblem("queue-full", "", 2), input: undefined });
        const button = find("#again") as HTMLButtonElement;
        expect([button.disabled, button.textContent]).toEqual([true, "Retry in 2 seconds"]);
        vi.advanceTimersByTime(1000);
        expect(button.textContent).toBe("Retry in 1 second");
        vi.advanceTimersByTime(1000);
        expect([button.disabled, button.textContent]).toEqual([false, "Retry"]);
        button.click();
        expect(again).toHaveBeenCalledOnce();
    });

    it("of a missing token asks for it", () => {
        const withToken = vi.spyOn(flow, "withToken").mockResolvedValue();
        show({ name: "failed", problem: new ServerProblem("unauthorized"), input: undefined });
        expect(document.activeElement?.id).toBe("token");
        type("#token", "open");
        submit("form");
        expect(withToken).toHaveBeenCalledWith("open");
    });

    it("of a page without others offers to load it from the web", () => {
        const begin = vi.spyOn(flow, "begin").mockResolvedValue();
        const given = (url: string): State => ({
            name: "failed",
            problem: new ServerProblem("no-sibling"),
            input: { kind: "pages", page: { url, html: "" }, siblings: [] },
        });
        show(given("https://site.invalid/a"));
        expect(find("#load-instead")).toBeNull();
        show(given("https://e.example/a"));
        find("#load-instead")?.click();
        expect(begin).toHaveBeenCalledWith({ kind: "url", url: "https://e.example/a" });
    });
});

describe("a result", () => {
    it("tells what it was told by, and can be done without that", () => {
        const learned = { site: "e.example", layout: "L1", age_seconds: 185, pages: 5 };
        const anew = vi.spyOn(flow, "anew").mockResolvedValue();
        show({ name: "finished", result: kept("r1", "husk", { learned }), other: undefined });
        expect(find("#made-by")?.textContent).toContain("template of e.example learned 3 minutes ago");
        find("#anew")?.click();
        expect(anew).toHaveBeenCalledOnce();
        show({ name: "finished", result: kept("r1"), other: undefined });
        expect(find("#anew")).toBeNull();
    });

    it("can be downloaded whole", () => {
        show({ name: "finished", result: kept("r1"), other: undefined });
        expect(find("#download-all")?.getAttribute("href")).toContain("/v1/results/r1/husk.zip");
    });

    it("of files that are gone cannot be compared", () => {
        const page = "https://site.invalid/a.html";
        show({ name: "finished", result: kept("r1", "husk", { page }), other: undefined });
        expect(find("#compare")).toBeNull();
    });

    it("stands beside another in numbers", () => {
        show({ name: "finished", result: kept("r1"), other: kept("r2", "paper") });
        expect([...document.querySelectorAll(".side h2")].map((side) => side.textContent)).toEqual([
            "Husk method",
            "Paper method",
        ]);
        expect(find("#difference")?.textContent).toBe("Husk method: 33 more template nodes.");
        const alone = vi.spyOn(flow, "alone").mockReturnValue();
        find(".alone")?.click();
        expect(alone).toHaveBeenCalledOnce();
    });

    it("is as old as people say", () => {
        expect([0, 59, 60, 7200, 200_000].map(ageOf)).toEqual([
            ...["now", "59 seconds ago", "1 minute ago", "2 hours ago", "2 days ago"],
        ]);
    });
});
