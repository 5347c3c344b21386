// A site that scripts make: its pages are empty as the server sends them, and are loaded in tabs instead.

import assert from "node:assert/strict";
import { inEachBrowser } from "./in-each-browser.mjs";
import { fixture } from "./machine.mjs";
import { written } from "./results.mjs";
import { Site } from "./site.mjs";
import { until } from "./until.mjs";

const PAGES = ["tea", "coffee", "cocoa", "milk", "water"];

const FRAME = '<!doctype html><title>Shop</title><div id="app"></div><script src="/app.js"></script>';

inEachBrowser("a site made by scripts", {}, (check) => {
    const test = (name, run) =>
        check(name, async (browser) => {
            const site = await Site.serve(fixture("lighthouse"));
            site.fault = answerOf;
            try {
                await run(browser, site);
            } finally {
                await site.close();
            }
        });

    test("is recognised, and its pages are loaded in tabs", async (browser, site) => {
        const results = await begin(browser, site);
        const before = await open(browser);
        await results.reaches("failed");
        assert.equal(
            await results.evaluate(() => document.querySelector("#problem").dataset.problem),
            "scripts",
        );
        await results.click("#in-tabs");
        await results.waitFor("the results", () => document.body.dataset.state === "finished");
        const template = await written(browser, results, "template-html");
        assert.match(template, /Coffee<\/a>/);
        assert.match(template, /Open from nine to five/);
        assert.doesNotMatch(template, /All about tea/);
        assert.deepEqual(await open(browser), before);
        assert.deepEqual(
            await results.evaluate(async () => (await chrome.tabs.query({})).length),
            before.length,
        );
    });

    test("has nothing opened that ends a session or is a file", async (browser, site) => {
        const results = await begin(browser, site);
        await results.reaches("failed");
        await results.click("#in-tabs");
        await results.waitFor("the results", () => document.body.dataset.state === "finished");
        await results.click("#tab-pages");
        await results.waitFor("the pages", () => document.querySelector("#panel-pages li"));
        const opened = site.requests.filter(({ purpose }) => purpose === "document").map(({ path }) => path);
        assert.ok(opened.length >= 3, String(opened));
        const told = await results.evaluate(() => document.querySelector("#panel-pages").textContent);
        for (const asked of ["/logout", "/prices"]) assert.ok(told.includes(asked), told);
        assert.deepEqual(
            opened.filter((path) => /logout|prices/.test(path)),
            [],
        );
    });

    for (const how of ["cancelled", "closed"]) {
        test(`leaves no tab behind when it is ${how}`, async (browser, site) => {
            const results = await begin(browser, site);
            await results.reaches("failed");
            const before = await open(browser);
            const key = site.requests.length;
            await results.click("#in-tabs");
            await until("a page in a tab", () =>
                site.requests.slice(key).some(({ path }) => path === "/app.js"),
            );
            if (how === "cancelled") {
                await results.click("#cancel");
                await results.reaches("cancelled");
            } else {
                await results.close();
            }
            const left = how === "cancelled" ? before : before.filter((id) => id !== results.id);
            await until("the tab to be closed", async () => {
                return JSON.stringify(await open(browser)) === JSON.stringify(left);
            });
        });
    }

    test("is loaded in tabs at once when the options say so", async (browser, site) => {
        const options = await browser.openOptions();
        await options.click("#loading-tabs");
        await options.waitFor("the setting to be saved", async () => {
            const { settings } = await chrome.storage.local.get("settings");
            return settings?.loading === "tabs";
        });
        const results = await begin(browser, site);
        await results.reaches("finished");
    });
});

/** Presses the button on a page once its scripts have made it. */
async function begin(browser, site) {
    const tab = await browser.open(site.address("/tea"));
    await tab.waitFor("the page to be made", () => document.querySelector("footer"));
    site.forget();
    const results = await browser.pressButton(tab);
    await browser.allow(results, site.host);
    return results;
}

/** Which tabs there are; their addresses cannot be asked for while they are being closed. */
async function open(browser) {
    return (await browser.driver.tabs()).map(({ id }) => id).toSorted();
}

/** The same frame for every page; one script for them all. */
function answerOf({ path }) {
    if (path === "/app.js") {
        return {
            headers: { "Content-Type": "text/javascript" },
            body: `(${make})(${JSON.stringify(PAGES)})`,
        };
    }
    if (path === "/prices") {
        return {
            headers: { "Content-Type": "text/csv", "Content-Disposition": "attachment" },
            body: "tea,3",
        };
    }
    if (path === "/logout" || PAGES.includes(path.slice(1))) return { body: FRAME };
    return { status: 404, body: "" };
}

/** Runs in the site's pages: a menu at once, the rest when a timer has run. */
function make(pages) {
    const name = location.pathname.slice(1);
    const links = ["logout", "prices", ...pages].map((page) => {
        return `<li><a href="/${page}">${page[0].toUpperCase()}${page.slice(1)}</a></li>`;
    });
    const app = document.querySelector("#app");
    app.innerHTML = `<header><h2>The shop</h2><nav><ul>${links.join("")}</ul></nav></header><main></main>`;
    setTimeout(() => {
        document.querySelector("main").innerHTML =
            `<h1>All about ${name}</h1><p>Here is what there is to know about ${name}, and nothing else.</p>` +
            `<p>${name.repeat(3)} is what ${name} is called where it comes from.</p>`;
        app.insertAdjacentHTML(
            "beforeend",
            "<footer><p>Open from nine to five, closed on Sundays.</p></footer>",
        );
    }, 100);
}
