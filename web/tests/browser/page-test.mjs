// From an address to the result: the crawl seen, each tab looked at, two methods compared, the address shared.

import assert from "node:assert/strict";
import { inEachBrowser } from "../../../extension/tests/browser/in-each-browser.mjs";
import { KEY_PAGE, onLighthouse } from "../../../extension/tests/browser/lighthouse.mjs";
import { until } from "../../../extension/tests/browser/until.mjs";
import { serve } from "./served.mjs";
import { begin, extract, focused, look, overflow } from "./steps.mjs";

inEachBrowser("the web page", serve, (check) => {
    const test = (name, run) => {
        onLighthouse((title, withSite) => {
            check(title, (browser, served) => withSite({ browser, served }));
        })(name, ({ browser, served }, site) => run(browser, served, site));
    };

    test("shows the crawl while it goes on, and then the result", async (browser, served, site) => {
        site.pace = 400;
        const tab = await begin(browser, served, site.address(KEY_PAGE));
        await tab.reaches("crawling");
        await tab.waitFor("links around the page", () => document.querySelectorAll("circle.dot").length > 3);
        await tab.waitFor("a page in the list", () => document.querySelector("ol.pages li .address"));
        await tab.waitFor("a page in the picture", () => document.querySelectorAll(".node").length > 1);
        await tab.waitFor("pages that all link to each other", () =>
            document.querySelector(".node.in-clique:not(.key)"),
        );
        await tab.reaches("finished");
        assert.match(await tab.text("#facts"), /\d+\s?%/);
        assert.match(await tab.evaluate(() => location.pathname), /^\/r\/\w+$/);
        assert.match(await tab.evaluate(() => document.title), /Husk$/);
    });

    test("shows every tab", async (browser, served, site) => {
        const tab = await extract(browser, served, site.address(KEY_PAGE));
        for (const name of ["page", "template", "content", "menu", "pagelets", "source", "pages"]) {
            await look(tab, name);
        }
        assert.match(await tab.text("#panel-menu"), /Stories/);
        assert.match(await tab.text("#panel-pagelets"), /menu/i);
        assert.ok((await tab.text("#source")).length > 100);
        assert.ok(await tab.evaluate(() => document.querySelectorAll("#panel-pages .node").length > 3));
        const content = await tab.evaluate(() => document.querySelector("#panel-content iframe").srcdoc);
        assert.match(content, /piano/i);
    });

    test("tints the page, and tells what is pointed at", async (browser, served, site) => {
        const tab = await extract(browser, served, site.address(KEY_PAGE));
        await look(tab, "page");
        await tab.waitFor("tints", () => document.querySelectorAll(".tint.template").length > 0);
        const isSeen = () => getComputedStyle(document.querySelector(".tint.template")).display !== "none";
        assert.ok(await tab.evaluate(isSeen));
        await tab.click("#show-template");
        assert.ok(!(await tab.evaluate(isSeen)));
        const { x, y } = await tab.evaluate(() => {
            const { left, top, width } = document.querySelector(".pane").getBoundingClientRect();
            return { x: left + width / 2, y: top + 30 };
        });
        await tab.point(x, y);
        await tab.waitFor("what is told", () =>
            document.querySelector(".description")?.textContent.includes("/html"),
        );
    });

    test("asks no host but its own server", async (browser, served, site) => {
        const before = browser.wall.wanted.length;
        const tab = await extract(browser, served, site.address(KEY_PAGE));
        site.forget();
        for (const name of ["page", "template", "content", "menu", "pages"]) await look(tab, name);
        const asked = await tab.evaluate(() =>
            performance.getEntriesByType("resource").map(({ name }) => name),
        );
        assert.deepEqual(
            asked.filter((address) => !address.startsWith(served.watched)),
            [],
        );
        assert.deepEqual(site.requests, []);
        const wanted = browser.wall.wanted.slice(before).filter((address) => !isOfBrowser(address));
        assert.deepEqual(wanted, []);
    });

    test("puts two methods side by side, at an address that shows the same again", async (browser, served, site) => {
        const tab = await extract(browser, served, site.address(KEY_PAGE));
        await tab.click("#compare");
        await tab.waitFor("two pages", () => document.querySelectorAll(".comparison iframe").length === 2);
        await tab.waitFor("tints on both", () =>
            [...document.querySelectorAll(".side")].every((side) => side.querySelector(".tint")),
        );
        await tab.click("#show-template");
        const hidden = () => document.querySelectorAll(".comparison .without-template").length;
        assert.equal(await tab.evaluate(hidden), 2);
        const address = await tab.evaluate(() => location.href);
        assert.match(address, /\/r\/\w+\?with=\w+$/);

        const shared = await browser.open(address);
        await shared.waitFor("two pages", () => document.querySelectorAll(".comparison iframe").length === 2);
        assert.equal(await shared.text("#difference"), await tab.text("#difference"));
    });

    test("shows a result to who has its address, and says when it is gone", async (browser, served, site) => {
        const tab = await extract(browser, served, site.address(KEY_PAGE));
        const facts = await tab.text("#facts");
        const address = await tab.evaluate(() => location.href);
        const shared = await browser.open(address);
        await shared.reaches("finished");
        assert.equal(await shared.text("#facts"), facts);
        await look(shared, "pages");

        const id = new URL(address).pathname.split("/").at(-1);
        assert.equal((await fetch(`${served.watched}/v1/results/${id}`, { method: "DELETE" })).status, 204);
        const late = await browser.open(address);
        await late.waitFor("the problem", () => document.body.dataset.state === "failed");
        assert.match(await late.text("h1"), /does not exist/);
    });

    test("goes back and forth between the beginning and a result", async (browser, served, site) => {
        const tab = await extract(browser, served, site.address(KEY_PAGE));
        await tab.click("#new");
        await tab.waitFor(
            "the beginning",
            () => document.body.dataset.state === "start" && location.pathname === "/",
        );
        await tab.evaluate(() => history.back());
        await tab.reaches("finished");
    });

    test("gives everything in one file", async (browser, served, site) => {
        const tab = await extract(browser, served, site.address(KEY_PAGE));
        const href = await tab.evaluate(() => document.querySelector("#download-all").href);
        const bytes = new Uint8Array(await (await fetch(href)).arrayBuffer());
        assert.deepEqual([...bytes.slice(0, 2)], [0x50, 0x4b]);
    });

    test("stops when told to, and lets the server know", async (browser, served, site) => {
        site.pace = 1000;
        const tab = await begin(browser, served, site.address(KEY_PAGE));
        await tab.reaches("crawling");
        await until("the first request", () => site.requests.length > 0);
        await tab.click("#cancel");
        await tab.waitFor("the beginning", () => document.body.dataset.state === "start");
        assert.equal(await tab.evaluate(() => document.querySelector("#url").value), site.address(KEY_PAGE));
        const asked = site.requests.length;
        await new Promise((resolve) => setTimeout(resolve, 1500));
        assert.ok(site.requests.length <= asked + 1, "no further pages are asked for");
    });

    test("can be used without a mouse", async (browser, served, site) => {
        const tab = await browser.open(`${served.watched}/`);
        await tab.reaches("start");
        assert.equal(await focused(tab), "url");
        await tab.type(site.address(KEY_PAGE));
        site.pace = 500;
        await tab.press("Enter");
        await tab.reaches("crawling");
        await tab.press("Escape");
        await tab.waitFor("the beginning", () => document.body.dataset.state === "start");
        assert.equal(await focused(tab), "url");
        site.pace = 0;
        await tab.press("Enter");
        await tab.reaches("finished");
        assert.match(await focused(tab), /^h1 /);
        for (let turns = 0; turns < 20 && (await focused(tab)) !== "tab-page"; turns += 1)
            await tab.press("Tab");
        assert.equal(await focused(tab), "tab-page");
        await tab.press("ArrowRight", "ArrowRight");
        assert.equal(await focused(tab), "tab-content");
        await tab.press("Home");
        await tab.waitFor("tints", () => document.querySelector("#panel-page .tint"));
        for (let turns = 0; turns < 12; turns += 1) {
            await tab.press("Tab");
            if (await tab.evaluate(() => document.activeElement.classList.contains("pane"))) break;
        }
        await tab.press("ArrowDown");
        await tab.waitFor("what is told", () =>
            document.querySelector(".description")?.textContent.includes("/html"),
        );
    });

    test("fits a phone", async (browser, served, site) => {
        const tab = await browser.open(`${served.watched}/`);
        await tab.resize(390, 844);
        await tab.reaches("start");
        assert.equal(await overflow(tab), 0);
        site.pace = 300;
        await tab.choose("#url", site.address(KEY_PAGE));
        await tab.click("#extract");
        await tab.waitFor("the picture", () => document.querySelectorAll(".node").length > 1);
        const [graph, list] = await tab.evaluate(() =>
            [".graph", ".crawl-list"].map(
                (selector) => document.querySelector(selector).getBoundingClientRect().top,
            ),
        );
        assert.ok(graph < list, "the picture is above the list");
        assert.equal(await overflow(tab), 0);
        await tab.reaches("finished");
        for (const name of ["page", "template", "content", "menu", "pagelets", "source", "pages"]) {
            await look(tab, name);
            assert.equal(await overflow(tab), 0, name);
        }
        await tab.click("#compare");
        await tab.waitFor("two pages", () => document.querySelectorAll(".comparison iframe").length === 2);
        assert.equal(await overflow(tab), 0);
    });

    test("says what is wrong with an address, in words", async (browser, served) => {
        const tab = await begin(browser, served, "http://127.0.0.1:9/");
        await tab.waitFor("the problem", () => document.body.dataset.state === "failed");
        assert.match(await tab.text("#card"), /could not be loaded/);
        await tab.click("#new");
        await tab.reaches("start");
        await tab.choose("#url", "no address");
        await tab.click("#extract");
        await tab.waitFor("a word about it", () => document.querySelector("#url-wrong").textContent);
    });
});

/** What browsers ask for by themselves. */
function isOfBrowser(address) {
    return /(?:mozilla|firefox|google|gvt1|googleapis|chromium)\./.test(`${new URL(address).hostname}.`);
}
