// @vitest-environment jsdom

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { PageJson } from "../src/outputs";
import { Boxes } from "../src/page/boxes";
import { xpathOf } from "../src/page/description";
import type { NodeMark } from "../src/page/marks";
import { Budget, placesOf } from "../src/page/measure";
import type { Region } from "../src/page/regions";
import { pagePanel } from "../src/panels/page";
import { layOut, load, pointAt } from "./laid-out";
import { all, find, showResults, until } from "./shown";
import { LANGUAGES, speakIn } from "./speaking";

const HTML = `<!doctype html><html data-husk="x0"><body>
<header data-husk="t1" data-at="0,0,300,40"><a href="/" id="home">Home</a>
<nav data-husk="m2" data-at="0,10,200,20"><a href="/b">B</a></nav></header>
<aside data-husk="m2" data-at="0,50,50,20">Menu</aside>
<main data-husk="c3" data-at="0,50,300,400"><p>First</p><p id="second">Second <husk-text data-husk="t4" data-at="9,60,20,20">by</husk-text></p></main>
<div data-husk="o5" data-at="0,500,300,20">own</div>
<footer data-husk="t6" data-at="0,0,0,0"><span data-at="0,600,100,20">Foot</span><span data-at="0,630,1,1">-</span></footer>
</body></html>`;

const PAGE: PageJson = {
    html: HTML,
    marks: [
        [4, 0, -1],
        [4, 3, 0],
        [4, 4, 1],
        [0, 0, 2],
        [3, 0, 2],
        [1, 0, -1],
        [4, 4, 3],
    ],
    pagelets: [
        ["header", -1],
        ["main-menu", 0],
        ["main-content", -1],
        ["other", -1],
    ],
    compared: 4,
};

async function show(page: PageJson = PAGE, prepare?: (page: Document) => void): Promise<Document> {
    showResults([pagePanel], { "inspect-page": page });
    await until(".stage iframe");
    return load(find<HTMLIFrameElement>(".stage iframe"), prepare);
}

const press = (key: string) =>
    find(".pane").dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true, bubbles: true }));
const told = () => [...find(".description").children].map((line) => line.textContent);
const here = () => all(".here").map(({ style }) => `${style.left} ${style.top}`);

beforeEach(() => {
    speakIn("en");
    layOut();
});
afterEach(() => vi.restoreAllMocks());

describe("the page", () => {
    it("stands in a frame where nothing runs and no link leads anywhere", async () => {
        await show();
        const frame = find<HTMLIFrameElement>(".stage iframe");
        expect(frame.getAttribute("sandbox")).toBe("allow-same-origin");
        expect(frame.srcdoc).toBe(HTML.replace("<!doctype html>", '<!doctype html><base target="_blank">'));
    });

    it("lies under a pane that takes all clicks, and is passed over by the Tab key", async () => {
        const page = await show();
        expect(find(".board").lastElementChild).toBe(find(".pane"));
        const links = [...page.querySelectorAll("a")].map((link) => link.getAttribute("tabindex"));
        expect(links).toEqual(["-1", "-1"]);
    });

    it("is tinted where something begins; a menu that is in no template has both tints", async () => {
        await show();
        const tints = all(".tint").map(({ className, style }) => `${className} ${style.top}`);
        expect(tints).toEqual([
            "tint template top 0px",
            "tint menu top 10px",
            "tint template 50px",
            "tint menu 50px",
            "tint content 50px",
            "tint template 60px",
            "tint template 600px",
        ]);
    });

    it("has a named frame around each block, which is first hidden", async () => {
        await show();
        expect(all(".box b").map((label) => label.textContent)).toEqual([
            "header",
            "main menu",
            "main content",
            "other block",
        ]);
        expect(find(".board").classList.contains("without-pagelets")).toBe(true);
    });

    it("shows and hides each layer", async () => {
        await show();
        for (const layer of ["template", "menu", "content", "pagelets"]) {
            const before = find(".board").classList.contains(`without-${layer}`);
            expect(find<HTMLInputElement>(`#show-${layer}`).checked).toBe(!before);
            find(`#show-${layer}`).click();
            expect(find(".board").classList.contains(`without-${layer}`)).toBe(!before);
        }
    });

    it("says so if it cannot be written", async () => {
        showResults([pagePanel], {});
        await vi.waitFor(() =>
            expect(find("#panel-page .note").textContent).toContain("could not be loaded"),
        );
    });
});

describe("what is pointed at", () => {
    it("is told: block, class, support, place", async () => {
        const page = await show();
        pointAt(find(".pane"), page.querySelector("nav a"));
        expect(told()).toEqual([
            "header › main menu",
            "Menu · with the same text on 4 of 4 compared pages",
            "on 4 of 4 pages, with the same text on 4 of 4",
            "/html[1]/body[1]/header[1]/nav[1]/a[1]",
        ]);
        expect(find("#page-hint").hidden).toBe(true);
        expect(all(".box.lit b").map((label) => label.textContent)).toEqual(["main menu"]);
        find(".pane").dispatchEvent(new Event("pointerleave"));
        expect(all(".lit")).toEqual([]);
        expect(find("#page-hint").hidden).toBe(false);
    });

    it("has a way to it without the element that is ours", async () => {
        const page = await show();
        pointAt(find(".pane"), page.querySelector("husk-text"));
        expect(told().at(-1)).toBe("/html[1]/body[1]/main[1]/p[2]");
        pointAt(find(".pane"), page.documentElement);
        expect(told()).toEqual([
            "not in a block",
            "Several adjacent parts",
            "on 4 of 4 pages, with the same text on 0 of 4",
            "/html[1]",
        ]);
    });

    it("is not said to be supported where nothing was compared", async () => {
        const page = await show({ ...PAGE, compared: 0 });
        pointAt(find(".pane"), page.querySelector("#second"));
        expect(told()).toEqual(["main content", "Content · not compared", "/html[1]/body[1]/main[1]/p[2]"]);
    });
});

describe("the keyboard", () => {
    it("goes from part to part, which is shown and read out", async () => {
        await show();
        press("ArrowDown");
        expect(here()).toEqual(["0px 0px"]);
        expect(find('.unseen[role="status"]').textContent).toBe(
            "header. Template · on 4 of 4 compared pages, with the same text on 3",
        );
        press("ArrowRight");
        expect(told()[0]).toBe("header › main menu");
        press("ArrowUp");
        expect(told()[0]).toBe("header");
        press("End");
        expect(here()).toEqual(["0px 600px"]);
        press("ArrowDown");
        expect(here()).toEqual(["0px 600px"]);
        expect(find('.unseen[role="status"]').textContent).toBe("No more parts in this direction.");
        press("Home");
        expect(here()).toEqual(["0px 0px"]);
        press("Escape");
        expect([here(), told()]).toEqual([[], []]);
    });

    it("goes only to what is shown", async () => {
        await show();
        find("#show-template").click();
        find("#show-menu").click();
        press("ArrowDown");
        expect(told()[0]).toBe("main content");
        press("ArrowDown");
        expect(told()[0]).toBe("main content");
        expect(find('.unseen[role="status"]').textContent).toContain("No more parts");
        find("#show-pagelets").click();
        press("Home");
        expect(told()[0]).toBe("header");
    });

    it("leaves other keys to the browser", async () => {
        await show();
        expect(press("Tab")).toBe(true);
        expect(press("ArrowDown")).toBe(false);
    });

    it.each(LANGUAGES)("has words in %s", async (language) => {
        speakIn(language);
        await show();
        expect(find(".pane").getAttribute("aria-label")).toBeTruthy();
        expect(find("#page-hint").textContent).not.toBe("");
        press("End");
        expect(document.body.textContent).not.toMatch(/\$\w+\$|undefined/);
    });
});

describe("a hostile page", () => {
    const methods = [
        "querySelectorAll",
        "elementFromPoint",
        "documentElement",
        "body",
        "setAttribute",
        "closest",
    ];
    const places = ["getClientRects", "scrollHeight", "scrollWidth"];
    const ways = [
        "parentElement",
        "firstElementChild",
        "nextElementSibling",
        "previousElementSibling",
        "localName",
    ];
    const html = '<!doctype html><body><form data-husk="t0" data-at="0,20,9,9"><input></form>';

    /** Browsers hide what scripts ask for behind forms and fields of its name; jsdom does so by far not everywhere. */
    function hide(page: Document, names: string[]): Element {
        const [form, field] = ["form", "input"].map((name) => page.querySelector(name));
        if (!form || !field) throw new Error("there is no form");
        for (const node of [page, ...page.querySelectorAll("*")]) {
            for (const name of names) Object.defineProperty(node, name, { value: field });
        }
        return form;
    }

    it("that hides what scripts ask for is read all the same", async () => {
        const json: PageJson = { html, marks: [[2, 1, 0]], pagelets: [["search", -1]], compared: 2 };
        let form: Element | null = null;
        const page = await show(json, (page) => {
            form = hide(page, [...methods, ...places]);
        });
        expect(() => page.querySelectorAll("*")).toThrow();
        expect(all(".tint").length).toBe(1);
        pointAt(find(".pane"), form);
        expect(told()[0]).toBe("search");
        expect(told().at(-1)).toBe("/html[1]/body[1]/form[1]");
        press("ArrowDown");
        expect(here()).toEqual(["0px 20px"]);
    });

    it("that hides the ways between its nodes is walked all the same", async () => {
        // Apart from the rest: jsdom itself finds nothing by selectors on such a page.
        const page = await show({ html, marks: [], pagelets: [], compared: 0 });
        const body = page.body;
        const form = hide(page, [...places, ...ways]);
        expect(xpathOf(form)).toBe("/html[1]/body[1]/form[1]");
        expect(placesOf(body, new Budget(9, 9))).toEqual([{ left: 0, top: 20, width: 9, height: 9 }]);
    });

    it("with marks that lead nowhere has no tints there", async () => {
        const marks =
            '<p data-husk="t99"><p data-husk="z0"><p data-husk=""><p data-husk="t0" data-at="0,0,9,9">';
        await show({
            html: marks,
            marks: [[1, 1, 5]],
            pagelets: [
                ["header", 1],
                ["footer", 0],
            ],
            compared: 1,
        });
        expect(all(".tint").length).toBe(1);
        press("ArrowDown");
        expect(told()[0]).toBe("not in a block");
    });

    it("with blocks that stand in each other comes to an end", async () => {
        await show({
            html: '<p data-husk="t0" data-at="0,0,9,9">',
            marks: [[1, 1, 0]],
            pagelets: [
                ["header", 1],
                ["footer", 0],
            ],
            compared: 1,
        });
        press("ArrowDown");
        expect(told()[0]).toBe("footer › header");
    });

    it("of very many parts gets as many boxes as a browser can draw", () => {
        const part = document.createElement("i");
        part.setAttribute("data-at", "0,0,9,9;0,9,9,9;0,18,9,9");
        const mark: NodeMark = { kind: "template", structural: 1, verbatim: 1, pagelet: 0 };
        const region: Region = { element: part, mark, tints: ["template"], pagelet: 0 };
        const boxes = new Boxes(40);
        boxes.draw(Array(100).fill(region), () => "header");
        const count = (name: string) => boxes.layer.querySelectorAll(name).length;
        expect([count(".tint"), count(".box"), count(".box b")]).toEqual([40, 40, 1]);
    });
});
