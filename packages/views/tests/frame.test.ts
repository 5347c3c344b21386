// @vitest-environment jsdom

import { describe, expect, it, vi } from "vitest";
import { frame, keptToItself, withLinksOutside } from "../src/frame";

function parsed(html: string): Document {
    return new DOMParser().parseFromString(withLinksOutside(html), "text/html");
}

describe("a page in a frame", () => {
    it("may run no scripts", () => {
        const made = frame("a title", "<p>a");
        expect(made.getAttribute("sandbox")).toBe("allow-popups allow-popups-to-escape-sandbox");
        expect(made.title).toBe("a title");
    });

    it.each([
        "<!doctype html><html lang=fr><head><title>A</title></head><body class=b>a</body></html>",
        "<!-- <head> --><!DOCTYPE html>\n<!-- <head> --><html lang=fr><head><title>A</title><body class=b>a",
        '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd"><html lang=fr><title>A</title><body class=b>a',
    ])("opens its links outside, and is else as it was: %s", (html) => {
        const page = parsed(html);
        expect(page.compatMode).toBe("CSS1Compat");
        expect(page.head.firstElementChild?.outerHTML).toBe('<base target="_blank">');
        expect([page.documentElement.lang, page.title, page.body.className]).toEqual(["fr", "A", "b"]);
    });

    it("stays without a doctype if it has none", () => {
        expect(parsed("<html><body>a").compatMode).toBe("BackCompat");
    });

    it("opens links outside whatever a base of its own says", () => {
        const page = parsed('<!doctype html><base target="_self"><a href="/">a</a>');
        expect(page.querySelector("base[target]")?.getAttribute("target")).toBe("_blank");
    });

    it("has no pages of others in it", () => {
        const html =
            "<!doctype html><body><iframe src=https://a.example/ width=9></iframe><embed src=a><object data=b></object>";
        expect(keptToItself(html)).toBe(
            '<!doctype html><html><head></head><body><iframe width="9"></iframe><embed><object></object></body></html>',
        );
        expect(keptToItself("<frameset><frame src=a></frameset>")).not.toContain("src");
    });

    it("opens links outside whatever they say themselves", () => {
        const html = '<body><a target="_self" href="a">a</a><svg><a target=_top href="b"></a></svg>';
        expect(keptToItself(html)).not.toContain("target");
        expect(keptToItself('<a target="_blank">')).toBe('<a target="_blank">');
    });

    it("may begin with many comments and no doctype", () => {
        const html = `${"<!-- a -->".repeat(200)}<p>b`;
        expect(withLinksOutside(html)).toBe(`<base target="_blank">${html}`);
    });

    it("is kept to itself whatever it names its forms", () => {
        const parse = DOMParser.prototype.parseFromString;
        const spy = vi.spyOn(DOMParser.prototype, "parseFromString").mockImplementation(function (
            this: DOMParser,
            ...given
        ) {
            const page = parse.apply(this, given);
            // As browsers have it for `<form name="querySelectorAll">`.
            for (const name of ["querySelectorAll", "documentElement", "compatMode"]) {
                Object.defineProperty(page, name, { value: page.forms[0] });
            }
            Object.defineProperty(page.forms[0], "removeAttribute", { value: page.links });
            return page;
        });
        const html =
            "<!doctype html><body><form name=querySelectorAll target=_top></form><iframe src=a></iframe>";
        const kept = keptToItself(html);
        spy.mockRestore();
        expect(kept).toBe(
            '<!doctype html><html><head></head><body><form name="querySelectorAll"></form><iframe></iframe></body></html>',
        );
    });

    it("is not touched where it has none", () => {
        expect(keptToItself("<p>a<br/>")).toBe("<p>a<br/>");
    });
});
