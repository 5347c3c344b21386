import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultOptions, Listing, Session } from "@husk/core";
import { extract, KEY_PAGE } from "./site.js";

const MENU = "<nav><a href=/>Home</a> <a href=/tea>Tea</a> <a href=/cups>Cups</a> <a href=/pots>Pots</a></nav>";

function html(name) {
    return `<!doctype html><title>${name}</title>${MENU}<main><h1>All about ${name}</h1><p>Only ${name} here.</main>`;
}

function begin(options) {
    return new Session("https://example.org/", html("home"), options);
}

test("asks for pages until enough is known", () => {
    const session = begin();
    assert.equal(session.nextWanted(), "https://example.org/tea");
    assert.equal(session.whyWanted(), "linked");
    assert.ok(session.wantedAtMost() >= 3);
    assert.equal(session.wantedAhead()[0], session.nextWanted());
    for (let wanted = session.nextWanted(); wanted; wanted = session.nextWanted()) {
        session.give(wanted, html(new URL(wanted).pathname.slice(1)));
    }
    assert.equal(session.whyWanted(), undefined);
    const extraction = session.finish();
    assert.equal(extraction.keyPage, "https://example.org/");
    assert.equal(extraction.compared.length, 3);
    assert.match(extraction.write("template", "html"), /<nav><a href="https:\/\/example.org\/">Home/);
    assert.doesNotMatch(extraction.write("template", "html"), /All about/);
    assert.equal(extraction.write("content", "markdown"), "# All about home\n\nOnly home here.\n");
});

test("a session is used up by finish", () => {
    const session = begin();
    session.finish();
    assert.throws(() => session.nextWanted(), /the session is finished: begin another one/);
    assert.throws(() => session.finish(), /the session is finished/);
});

test("what cannot be had is given up, and the rest goes on", () => {
    const session = begin();
    session.giveUp("it rained");
    const cause = session.giveAnswer({ url: session.nextWanted(), status: 404, body: new Uint8Array() });
    assert.match(cause, /answers 404 Not Found/);
    const image = { url: session.nextWanted(), contentType: "image/png", body: new Uint8Array([1]) };
    assert.match(session.giveAnswer(image), /is an image, not a page/);
    const { compared, failed } = session.finish().templateJson();
    assert.deepEqual(compared, []);
    assert.equal(failed[0].cause, "it rained");
});

test("pages that are but frames for scripts are told", () => {
    const session = begin();
    const frame = '<title>Tea</title><div id="app"></div><script src="app.js"></script>';
    session.give(session.nextWanted(), frame);
    session.give(session.nextWanted(), html("cups"));
    session.giveUp("it rained");
    const extraction = session.finish();
    assert.deepEqual(extraction.scriptedPages, ["https://example.org/tea"]);
    assert.equal(extraction.needsRendering(), undefined);
});

function templateWith(footer, answer) {
    const page = (name, end) => `<title>${name}</title>${MENU}<footer>${end}</footer><p>Only ${name} here.`;
    const session = new Session("https://example.org/", page("home", footer.text));
    for (let wanted = session.nextWanted(); wanted; wanted = session.nextWanted()) {
        const name = new URL(wanted).pathname.slice(1);
        session.giveAnswer({ url: wanted, body: Buffer.from(page(name, footer.bytes), "latin1"), ...answer });
    }
    return session.finish().write("template", "html");
}

test("answers are decoded as browsers do", () => {
    const cafe = { text: "Café au lait, déjà vu", bytes: "Caf\xe9 au lait, d\xe9j\xe0 vu" };
    assert.match(templateWith(cafe, {}), /Café au lait, déjà vu/);
    assert.match(templateWith(cafe, { contentType: "text/html; charset=iso-8859-1" }), /Café au lait, déjà vu/);
    assert.doesNotMatch(templateWith(cafe, { contentType: "text/html; charset=koi8-r" }), /Café/);
    const hello = { text: "Привет, мир", bytes: "\xcf\xf0\xe8\xe2\xe5\xf2, \xec\xe8\xf0" };
    assert.match(templateWith(hello, { fallbackCharset: "windows-1251" }), /Привет, мир/);
    assert.doesNotMatch(templateWith(hello, {}), /Привет/);
    const session = begin();
    const answer = { url: session.nextWanted(), body: Buffer.from([0xe9]), fallbackCharset: "klingon" };
    assert.throws(() => session.giveAnswer(answer), /no charset named klingon/);
});

test("options are those of the command, and mistakes in them are named", () => {
    assert.equal(defaultOptions().method, "husk");
    assert.equal(defaultOptions()["pages-to-compare"], 4);
    assert.equal(extract(KEY_PAGE, { method: "paper" }).templateJson().method, "paper");
    assert.throws(() => begin({ pages: 3 }), /options: unknown field `pages`/);
    assert.throws(() => begin({ method: "magic" }), /options: unknown variant `magic`/);
    assert.throws(() => begin({ "same-site": "domain" }), /only "host" is known here/);
    assert.throws(() => new Session("nowhere", ""), /"nowhere" is no address/);
    assert.throws(() => begin().give("nowhere", ""), /"nowhere" is no address/);
});

test("lists of pages can be offered", () => {
    const session = new Session("https://example.org/a/1", "<p>No links here");
    assert.ok(session.wantsAddresses());
    session.offer(["https://example.org/a/2", "no address"]);
    assert.equal(session.nextWanted(), "https://example.org/a/2");
    assert.equal(session.whyWanted(), "listed");
});

test("a site's own lists are read", () => {
    const listing = new Listing("https://example.org/a/1", "User-agent: *\nSitemap: https://example.org/map.xml\n");
    assert.equal(listing.nextWanted(), "https://example.org/map.xml");
    const loc = (path) => `<url><loc>https://example.org${path}</loc></url>`;
    assert.equal(listing.give(Buffer.from(`<urlset>${loc("/a/2")}${loc("/a/3")}</urlset>`)), true);
    assert.equal(listing.nextWanted(), undefined);
    assert.deepEqual(listing.finish(), ["https://example.org/a/2", "https://example.org/a/3"]);
    const usual = new Listing("https://example.org/a/1");
    assert.equal(usual.nextWanted(), "https://example.org/sitemap.xml");
    usual.giveUp();
    assert.equal(usual.nextWanted(), undefined);
    assert.throws(() => new Listing("nowhere"), /"nowhere" is no address/);
});
