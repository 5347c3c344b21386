// @vitest-environment jsdom
// Where the engine finds a node in the HTML of a capture, there the live node must be known.

import { beforeEach, expect, test } from "vitest";
import { capture } from "../../src/page/capture";
import type { Live } from "../../src/page/pairing";
import { snapshotOf } from "../../src/page/snapshot";

beforeEach(() => {
    document.documentElement.innerHTML = "<head></head><body></body>";
});

/** The live nodes at some paths, as the engine counts them in the captured HTML. */
function find(...paths: string[]): (Live | undefined)[] {
    const places = capture(document, "https://example.org/").snapshot.find(paths);
    return paths.map((_, number) => places.find(({ path }) => path === number)?.live);
}

/** Makes an element with children that HTML may be unable to say. */
function make(name: string, ...children: (Node | string)[]): HTMLElement {
    const element = document.createElement(name);
    element.append(...children);
    return element;
}

/** The XPath of a node of a parsed page. */
function pathOf(node: Node): string {
    const { parentNode: parent } = node;
    if (!parent || parent.nodeType === Node.DOCUMENT_NODE) return `/${node.nodeName.toLowerCase()}[1]`;
    const alike = [...parent.childNodes].filter(({ nodeName }) => nodeName === node.nodeName);
    const name = node.nodeType === Node.TEXT_NODE ? "text()" : (node as Element).localName;
    return `${pathOf(parent)}/${name}[${alike.indexOf(node as ChildNode) + 1}]`;
}

test("the page is its doctype and all that the tab shows", () => {
    document.body.append(make("p", "made by a script"));
    const { page } = capture(document, "https://example.org/a");
    expect(page.url).toBe("https://example.org/a");
    expect(page.html).toMatch(/^<!DOCTYPE html><html><head><\/head><body><p>made by a script<\/p>/);
});

test("nodes are found by the place that they have among those of their name", () => {
    document.body.innerHTML = "<p>a</p>b<!-- c -->d<div><p>e</p><p>f<b>g</b>h</p></div>";
    const body = "/html[1]/body[1]";
    const second = document.querySelectorAll("p")[2];
    expect(
        find(`${body}/text()[2]`, `${body}/div[1]/p[2]`, `${body}/div[1]/p[2]/text()[2]`, `${body}/p[2]`),
    ).toEqual([document.body.childNodes[3], second, second?.lastChild, undefined]);
});

test("texts in pieces are the one text that they are parsed as", () => {
    const [first, empty, second] = ["one ", "", "two"].map((words) => document.createTextNode(words));
    if (!first || !empty || !second) throw new Error("three texts were made");
    document.body.append(first, empty, second, make("b", "x"), document.createTextNode("three"));
    const [whole, last] = find("/html[1]/body[1]/text()[1]", "/html[1]/body[1]/text()[2]");
    expect(whole).toEqual([first, second]);
    expect(last).toBe(document.body.lastChild);
});

test("a paragraph in a paragraph, which HTML cannot say, leads to no wrong node", () => {
    document.body.append(make("p", "a", make("p", "b"), "c"), make("p", "d"), make("i", "e"));
    const body = "/html[1]/body[1]";
    const found = find(`${body}/p[1]`, `${body}/p[2]`, `${body}/p[3]`, `${body}/p[4]`, `${body}/i[1]`);
    expect(found).toEqual([
        undefined,
        undefined,
        undefined,
        document.body.children[1],
        document.body.children[2],
    ]);
});

test("rows right in their table are found where the parser puts a body around them", () => {
    const rows = ["1", "2"].map((words) => make("tr", make("td", words)));
    document.body.append(make("table", make("caption", "c"), ...rows));
    const table = "/html[1]/body[1]/table[1]";
    expect(find(`${table}/tbody[1]`, `${table}/tbody[1]/tr[2]/td[1]`, `${table}/caption[1]`)).toEqual([
        undefined,
        rows[1]?.firstChild,
        document.querySelector("caption"),
    ]);
});

test("what the head cannot hold is parsed as body, and the body is found nevertheless", () => {
    // With its scripts running, a browser has `<noscript>` hold a text.
    document.head.append(make("noscript", "<img src=x>"), make("style", "b { color: red }"));
    document.documentElement.insertBefore(document.createTextNode("\n"), document.body);
    document.body.innerHTML = "<main><noscript></noscript><p>words</p></main><footer>f</footer>";
    document.querySelector("main noscript")?.append("<i>unseen</i>");
    // A browser writes that text as it is.
    const html = document.documentElement.outerHTML.replaceAll("&lt;", "<").replaceAll("&gt;", ">");
    const parsed = new DOMParser().parseFromString(html, "text/html");
    expect(parsed.body.firstElementChild?.localName).toBe("img");
    const paths = ["main[1]", "main[1]/p[1]", "main[1]/noscript[1]", "footer[1]", "img[1]", "style[1]"];
    const snapshot = snapshotOf(parsed.documentElement, document.documentElement);
    const found = snapshot.find(paths.map((path) => `/html[1]/body[1]/${path}`));
    expect(found.map(({ path }) => paths[path])).toEqual(["main[1]", "main[1]/p[1]", "footer[1]"]);
    expect(found[1]?.live).toBe(document.querySelector("p"));
});

test("what was put behind the body belongs to it once it is parsed", () => {
    document.body.append(make("p", "a"));
    document.documentElement.append(make("div", "b"));
    expect(find("/html[1]/body[1]/p[1]", "/html[1]/body[1]/div[1]")).toEqual([
        document.body.firstChild,
        undefined,
    ]);
    document.documentElement.lastChild?.remove();
});

test("what is in a template or an unseen part is not looked for", () => {
    document.body.innerHTML = "<template><p>a</p></template><p>b</p>";
    expect(find("/html[1]/body[1]/template[1]/p[1]", "/html[1]/body[1]/p[1]")).toEqual([
        undefined,
        document.body.lastChild,
    ]);
});

test("nodes are known by themselves: they may move, and are missed when they go", () => {
    document.body.innerHTML = "<p>a</p><p>b</p><p>c</p>";
    const { snapshot } = capture(document, "https://example.org/");
    const [first, second, third] = document.querySelectorAll("p");
    if (!first || !second || !third) throw new Error("three paragraphs were made");
    second.remove();
    document.body.append(make("p", "new"), first);
    const paths = [1, 2, 3].map((place) => `/html[1]/body[1]/p[${place}]`);
    expect(snapshot.find(paths).map(({ live }) => live)).toEqual([first, third]);
});

test("places tell what they stand in and how many letters are theirs", () => {
    document.body.innerHTML = "<div>ab <p>c d<script>never()</script></p></div>";
    const paths = ["/html[1]/body[1]/div[1]", "/html[1]/body[1]/div[1]/p[1]"];
    const [outer, inner] = capture(document, "https://example.org/").snapshot.find(paths);
    expect(inner?.above).toBe(outer);
    expect([outer?.letters, inner?.letters]).toEqual([2, 2]);
});

test("every node of any page that a parser has made is found", () => {
    document.body.innerHTML =
        "<table><td>x<tr><th>y</table><pre>\n\nz</pre><svg><linearGradient/><title>t</title></svg><ul><li>a<li>b</ul>" +
        "<p>1<b>2<i>3</b>4</i><select><option>o</select><textarea>\nu</textarea><p><a>v<div>w</a></div>";
    const { page } = capture(document, "https://example.org/");
    const parsed = new DOMParser().parseFromString(page.html, "text/html");
    const walker = parsed.createTreeWalker(parsed.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    const paths: string[] = [];
    do paths.push(pathOf(walker.currentNode));
    while (walker.nextNode());
    const names = (live: Live | undefined) => (live && "nodeName" in live ? live.nodeName : live);
    expect(find(...paths).map(names)).toEqual(paths.map((path) => named(parsed, path)));
});

function named(parsed: Document, path: string): string | undefined {
    const walker = parsed.createTreeWalker(parsed.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    do if (pathOf(walker.currentNode) === path) return walker.currentNode.nodeName;
    while (walker.nextNode());
    return undefined;
}

test("a document that is no page is refused by name", () => {
    const xml = new DOMParser().parseFromString("<feed><entry/></feed>", "application/xml");
    expect(() => capture(xml, "https://example.org/feed")).toThrow(/^not-html$/);
    const svg = new DOMParser().parseFromString("<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml");
    expect(() => capture(svg, "https://example.org/x.svg")).toThrow(/^not-html$/);
});

test("XHTML is written as HTML, where an empty script would swallow the page", () => {
    const source =
        '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/x.dtd">' +
        '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title><script src="a.js"/></head><body><p/><p>a</p></body></html>';
    const xhtml = new DOMParser().parseFromString(source, "application/xhtml+xml");
    const { page, snapshot } = capture(xhtml, "https://example.org/");
    expect(page.html).toContain(
        '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/x.dtd">',
    );
    expect(page.html).toContain('<script src="a.js"></script>');
    expect(page.html).toContain("<p></p><p>a</p>");
    // Documents of a parser are not shown, yet their nodes are in them.
    expect(snapshot.find(["/html[1]/body[1]/p[2]"]).map(({ live }) => live)).toEqual([
        xhtml.querySelectorAll("p")[1],
    ]);
});

test("fields of a form that are named as its properties lead nowhere else", () => {
    document.body.innerHTML = "<input form=f><form id=f class=a><p>b</p></form><i>c</i>";
    const [form, field] = [document.querySelector("form"), document.querySelector("input")];
    if (!form || !field) throw new Error("both were made");
    // As browsers do it for a field of that name, which need not be in the form; here nobody does.
    const hidden = [
        "nodeType",
        "localName",
        "firstChild",
        "nextSibling",
        "attributes",
        "isConnected",
        "parentNode",
    ];
    for (const name of hidden) Object.defineProperty(form, name, { value: field });
    const paths = ["/html[1]/body[1]/form[1]", "/html[1]/body[1]/form[1]/p[1]", "/html[1]/body[1]/i[1]"];
    expect(find(...paths)).toEqual([form, document.querySelector("p"), document.querySelector("i")]);
});
