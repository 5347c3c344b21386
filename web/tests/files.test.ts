// @vitest-environment jsdom

import { describe, expect, it } from "vitest";
import { type FoundFile, filesBelow, sortOut } from "../src/input/files";
import { baseBy, inOrder, near, sharedFolder, siteAround } from "../src/input/folder";
import { askOf, typedAddress, USUAL } from "../src/input/input";
import { decoded, statedAddress } from "../src/input/page-file";

function file(path: string, html = "<p>", type = ""): FoundFile {
    return { path, file: new File([html], path.split("/").at(-1) ?? "", { type }) };
}

const paths = (files: FoundFile[]) => files.map(({ path }) => path);

/** A folder as browsers hand it over: its entries in portions. */
function folder(name: string, children: FileSystemEntry[], portion = 2): FileSystemEntry {
    const createReader = () => {
        let at = 0;
        const readEntries = (resolve: (entries: FileSystemEntry[]) => void) => {
            resolve(children.slice(at, at + portion));
            at += portion;
        };
        return { readEntries };
    };
    return { isDirectory: true, isFile: false, name, createReader } as unknown as FileSystemEntry;
}

function entry(fullPath: string): FileSystemEntry {
    const name = fullPath.split("/").at(-1) ?? "";
    const give = (resolve: (file: File) => void) => resolve(new File(["<p>"], name));
    return { isDirectory: false, isFile: true, name, fullPath, file: give } as unknown as FileSystemEntry;
}

describe("what was dropped", () => {
    it("is found in folders of any depth, however many there are", async () => {
        const many = Array.from({ length: 7 }, (_, at) => entry(`/site/docs/${at}.html`));
        const found = await filesBelow([folder("site", [folder("docs", many), entry("/site/index.html")])]);
        expect(paths(found)).toEqual(["site/index.html", ...many.map(({ fullPath }) => fullPath.slice(1))]);
    });

    it("is read only where it may be a page or an archive", async () => {
        const found = await filesBelow([folder("site", [entry("/site/a.css"), entry("/site/a.warc.gz")])]);
        expect(paths(found)).toEqual(["site/a.warc.gz"]);
        expect(paths(await filesBelow([entry("/a.png")]))).toEqual(["a.png"]);
    });

    it("is an archive, pages, or nothing", () => {
        expect(sortOut([file("a.html"), file("b.WARC")])).toMatchObject({ kind: "archive" });
        expect(sortOut([file("a.HTM"), file("b.txt"), file("c", "", "text/html")])).toMatchObject({
            kind: "pages",
            pages: [{ path: "a.HTM" }, { path: "c" }],
        });
        expect(sortOut([file("a.pdf")])).toEqual({ kind: "nothing", names: ["a.pdf"] });
    });
});

describe("a folder of pages", () => {
    const files = [
        "s/b.html",
        "s/docs/x.html",
        "s/index.html",
        "s/docs/index.html",
        "s/blog/2020/y.html",
    ].map((path) => file(path));

    it("is offered from the top down, index pages first", () => {
        expect(paths(inOrder(files))).toEqual([
            "s/index.html",
            "s/b.html",
            "s/docs/index.html",
            "s/docs/x.html",
            "s/blog/2020/y.html",
        ]);
    });

    it("is compared from the key page's own folder on", () => {
        const key = files[1] as FoundFile;
        expect(paths(near(key, files))).toEqual([
            "s/docs/index.html",
            "s/index.html",
            "s/b.html",
            "s/blog/2020/y.html",
        ]);
    });

    it("has a name that is no part of addresses", () => {
        expect(sharedFolder(files)).toBe("s/");
        expect(sharedFolder([file("s/docs/a.html")])).toBe("s/docs/");
        expect(sharedFolder([file("a.html"), file("s/b.html")])).toBe("");
    });

    it("is nowhere if its pages do not say where they are from", async () => {
        const site = await siteAround(files[0] as FoundFile, files, 1e6);
        expect(site.page.url).toBe("https://site.invalid/b.html");
        expect(site.siblings.map(({ url }) => url)).toContain("https://site.invalid/docs/x.html");
    });

    it("is where most of its pages say", async () => {
        const canonical = (url: string) => `<link href="${url}" rel="canonical"><p>`;
        const said = [
            file("s/a.html", canonical("https://e.example/docs/a")),
            file("s/b/c.html", canonical("https://e.example/docs/b/c.html")),
            file("s/d.html", canonical("https://other.example/")),
            file("s/why?%.html"),
        ];
        const { page, siblings } = await siteAround(said[0] as FoundFile, said, 1e6);
        expect(page.url).toBe("https://e.example/docs/a.html");
        expect(siblings.map(({ url }) => url)).toEqual([
            "https://e.example/docs/d.html",
            "https://e.example/docs/why%3F%25.html",
            "https://e.example/docs/b/c.html",
        ]);
    });

    it("is cut to what fits", async () => {
        const large = [
            file("s/a.html", "a".repeat(100)),
            file("s/b.html", "b".repeat(900)),
            file("s/c.html", "c"),
        ];
        const { siblings } = await siteAround(large[0] as FoundFile, large, 500);
        expect(siblings.map(({ html }) => html)).toEqual(["c"]);
        const many = Array.from({ length: 90 }, (_, at) => file(`s/${at}.html`));
        expect((await siteAround(many[0] as FoundFile, many, 1e6)).siblings.length).toBe(40);
    });

    it("of one page takes the page's own word", async () => {
        const only = file("fog.html", "<!-- saved from url=(0026)https://e.example/the-fog --><p>");
        expect((await siteAround(only, [only], 1e6)).page.url).toBe("https://e.example/the-fog");
    });

    it.each([
        ["https://e.example/docs/a/b", "a/b.html", "https://e.example/docs/"],
        ["https://e.example/docs/a/", "a/index.html", "https://e.example/docs/"],
        ["https://e.example/", "index.html", "https://e.example/"],
        ["https://e.example/p?id=3", "page3.html", "https://e.example/"],
    ])("at %s with %s is below %s", (stated, path, base) => {
        expect(baseBy(stated, path)).toBe(base);
    });
});

describe("a saved page", () => {
    const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

    it("is read by the charset that it names", () => {
        expect(decoded(bytes('<meta charset="iso-8859-2">\xb1'))).toContain("ą");
        expect(decoded(new TextEncoder().encode("<p>é"))).toBe("<p>é");
        expect(decoded(bytes("<p>\xe9"))).toBe("<p>é");
        expect(decoded(bytes("\xff\xfe<\0p\0>\0"))).toBe("<p>");
        expect(decoded(bytes('<meta charset="nonsense">\xe9'))).toContain("é");
    });

    it.each([
        ["<!--\n Page saved with SingleFile \n url: https://e.example/a \n-->", "https://e.example/a"],
        ["<meta property='og:url' content='https://e.example/b#top'>", "https://e.example/b"],
        ["<link rel='shortlink canonical' href=' https://e.example/c '>", "https://e.example/c"],
        ["<link rel=canonical href='/relative'>", undefined],
        ["<link rel=canonical href='javascript:alert(1)'>", undefined],
        ["<p>", undefined],
    ])("that says %s is from %s", (html, url) => {
        expect(statedAddress(html)).toBe(url);
    });
});

describe("what is asked of the server", () => {
    it.each([
        ["example.org/a b", undefined],
        ["example.org/a", "https://example.org/a"],
        [" http://e.example ", "http://e.example/"],
        ["localhost:8080/x", "http://localhost:8080/x"],
        ["127.0.0.1", "http://127.0.0.1/"],
        ["[::1]:80/a", "http://[::1]/a"],
        ["localhost.example", "https://localhost.example/"],
        ["javascript:alert(1)", undefined],
        ["file:///etc/passwd", undefined],
        ["hello", undefined],
        ["", undefined],
    ])("for the typed %j is %s", (typed, url) => {
        expect(typedAddress(typed)).toBe(url);
    });

    it("has the options, and only those that were chosen", () => {
        const asked = (input: Parameters<typeof askOf>[0], choices = USUAL) => {
            const { body, ...rest } = askOf(input, choices);
            return { ...rest, body: typeof body === "string" ? JSON.parse(body) : body };
        };
        expect(asked({ kind: "url", url: "https://e.example/" }).body).toEqual({
            url: "https://e.example/",
            options: { method: "husk" },
        });
        const page = { url: "https://e.example/", html: "<p>" };
        const chosen = { method: "paper", pagesToCompare: 3, fresh: true } as const;
        expect(asked({ kind: "pages", page, siblings: [page] }, chosen).body).toEqual({
            page,
            siblings: [page],
            options: { method: "paper", pages_to_compare: 3 },
            fresh: true,
        });
        const archive = new File(["WARC"], "a.warc");
        expect(asked({ kind: "archive", file: archive, page: page.url })).toEqual({
            type: "application/warc",
            query: { page: page.url, method: "husk" },
            body: archive,
        });
    });
});
