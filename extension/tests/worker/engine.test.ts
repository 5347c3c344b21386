// The steps of an extraction, by the real engine.

import { beforeEach, describe, expect, it } from "vitest";
import type { Loaded, Step } from "../../src/protocol";
import { Engine } from "../../src/worker/engine";

const site = "https://example.org";

let engine: Engine;

beforeEach(() => {
    engine = new Engine();
});

function begin(html: string, charset = "UTF-8"): Step {
    return engine.begin({ url: `${site}/a/1`, html, title: "", charset, capture: 1 }, {});
}

function answer(url: string, text: string, bytes = utf8): Loaded {
    return { kind: "answer", answer: { url, status: 200, body: bytes(text) } };
}

const utf8 = (text: string) => new TextEncoder().encode(text);
const latin1 = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

function html(words: string, links: string[]): string {
    const menu = links.map((path) => `<a href="${path}">to ${path}</a>`).join(" ");
    return `<!doctype html><title>${words}</title><nav>${menu}</nav><main><p>All about ${words}</main><footer>Café of all</footer>`;
}

const paths = ["/a/1", "/a/2", "/a/3", "/a/4", "/a/5"];

/** Answers every step until there is a result. */
function run(step: Step, load: (url: string) => Loaded): { asked: string[]; last: Step } {
    const asked: string[] = [];
    let last = step;
    while (last.kind !== "finished") {
        asked.push(last.url);
        last = engine.give(load(last.url));
    }
    return { asked, last };
}

describe("the engine", () => {
    it("asks for pages, says why, and ends with numbers and everything to be written", () => {
        const first = begin(html("one", paths));
        expect(first).toMatchObject({ kind: "page", url: `${site}/a/2`, why: "beside-key-page" });
        const { last } = run(first, (url) => answer(url, html(url, paths)));
        expect(last).toMatchObject({ summary: { url: `${site}/a/1`, needsRendering: undefined } });
        expect(last.kind === "finished" && last.summary.compared.length).toBeGreaterThan(2);
        expect(engine.write("content-markdown")).toContain("All about one");
        expect(engine.write("template-html")).not.toContain("All about");
        expect(engine.write("inspect-marks").compared).toBeGreaterThan(2);
    });

    it("reads the site's lists where the page has no links", () => {
        const { asked, last } = run(begin(html("one", [])), (url) => {
            if (url.endsWith("/robots.txt")) return answer(url, `Sitemap: ${site}/map.xml`);
            if (!url.endsWith("/map.xml")) return answer(url, html(url, []));
            const listed = paths.map((path) => `<url><loc>${site}${path}</loc></url>`);
            return answer(url, `<urlset>${listed.join("")}</urlset>`);
        });
        expect(asked.slice(0, 3)).toEqual([`${site}/robots.txt`, `${site}/map.xml`, `${site}/a/2`]);
        expect(last.kind === "finished" && last.summary.compared.length).toBeGreaterThan(2);
    });

    it("ends without a result where nothing can be had", () => {
        const { asked, last } = run(begin(html("one", [])), () => ({ kind: "missing", cause: "it rained" }));
        expect(asked).toEqual([`${site}/robots.txt`, `${site}/sitemap.xml`]);
        expect(last).toMatchObject({ kind: "finished", summary: { compared: [], visits: [] } });
    });

    it("takes what an answer that is an error says for no list", () => {
        const list = {
            url: `${site}/robots.txt`,
            status: 404,
            body: utf8(`Sitemap: ${site}/map.xml`),
        };
        begin(html("one", []));
        expect(engine.give({ kind: "answer", answer: list })).toEqual({
            kind: "file",
            url: `${site}/sitemap.xml`,
        });
    });

    it("decodes pages that say no charset by that of the key page", () => {
        const footer = (charset: string) => {
            run(begin(html("one", paths), charset), (url) => answer(url, html(url, paths), latin1));
            return engine.write("inspect-marks").marks.find(({ xpath }) => xpath.endsWith("/footer[1]"));
        };
        expect(footer("windows-1252")).toMatchObject({ class: "template", verbatim_support: 3 });
        expect(footer("windows-1251")?.verbatim_support).not.toBe(3);
    });

    it("does nothing out of turn", () => {
        expect(() => engine.give({ kind: "missing", cause: "" })).toThrow("nothing was asked for");
        begin(html("one", paths));
        expect(() => engine.write("inspect-marks")).toThrow("nothing is extracted yet");
    });
});
