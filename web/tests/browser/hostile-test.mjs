// Pages that attack who looks at them: nothing of them runs, nothing leaves the browser, and the page stays usable.

import assert from "node:assert/strict";
import { inEachBrowser } from "../../../extension/tests/browser/in-each-browser.mjs";
import { fixture } from "../../../extension/tests/browser/machine.mjs";
import { Site } from "../../../extension/tests/browser/site.mjs";
import { OUTPUTS } from "../canned.mjs";
import { MockServer } from "../mock-server.mjs";
import { hostilePage, nestedPage, pagesBy, sheetsBy, tricks } from "./hostile.mjs";
import { serve } from "./served.mjs";
import { begin, extract, look } from "./steps.mjs";

const TABS = ["page", "template", "content", "menu", "pagelets", "source", "pages"];

/** Longer than the page's refresh, which is due after a second. */
const WHILE = 1500;

inEachBrowser("hostile pages", serve, (check) => {
    check("do nothing once the server has cleaned them", async (browser, served) => {
        const [site, spy] = [
            await Site.serve(fixture("lighthouse")),
            await Site.serve(fixture("lighthouse")),
        ];
        try {
            pagesBy(site, (name) => hostilePage(name, spy.origin));
            sheetsBy(spy);
            const tab = await extract(browser, served, site.address("/news"));
            site.forget();
            // Style sheets are what the server itself looks for there; no trick leads it to more.
            assert.deepEqual(paths(spy).sort(), [
                "/import.css",
                "/robots.txt",
                "/sheet.css",
                "/sheet.css/deeper.css",
            ]);
            spy.forget();
            const shown = await tab.evaluate(async () => {
                const answer = await fetch(`/v1/results/${location.pathname.split("/").at(-1)}/inspect-page`);
                return (await answer.json()).html;
            });
            assert.match(shown, /hostile-sheet/, "the style sheet is in the page");
            await tryAll(tab, served);
            assert.deepEqual([...paths(site), ...paths(spy)], []);

            await tab.click("#compare");
            await tab.waitFor(
                "two pages",
                () => document.querySelectorAll(".comparison iframe").length === 2,
            );
            // For the other method the server asked as it did before.
            for (const asked of [site, spy]) asked.forget();
            await pause();
            await isUnharmed(tab, served);
            assert.deepEqual([...paths(site), ...paths(spy)], []);
        } finally {
            await site.close();
            await spy.close();
        }
    });

    check("of five megabytes of tables can be looked at", async (browser, served) => {
        const site = await Site.serve(fixture("lighthouse"));
        try {
            pagesBy(site, nestedPage);
            const tab = await begin(browser, served, site.address("/news"));
            await tab.reaches("finished", 110_000);
            for (const name of TABS) await look(tab, name);
            await isUnharmed(tab, served);
        } finally {
            await site.close();
        }
    });
});

/** A server that cleans nothing: what the page itself and its policy keep back. */
async function careless() {
    const mock = await MockServer.start();
    return { mock, watched: mock.origin, close: () => mock.close() };
}

inEachBrowser("hostile pages from a careless server", careless, (check) => {
    check("do nothing either", async (browser, served) => {
        const spy = await Site.serve(fixture("lighthouse"));
        try {
            const html = `<!doctype html><title>Hostile</title><body data-husk="t0">${tricks(spy.origin)}<p data-husk="c2">Bait`;
            const json = { ...OUTPUTS["content-json"], title: "<img src=x onerror=top.huskOwned=1>" };
            served.mock.outputs = {
                ...OUTPUTS,
                "template-html": html,
                "template-page": html,
                "content-html": html,
                "content-json": json,
                "content-markdown": html,
                "inspect-page": { ...OUTPUTS["inspect-page"], html },
            };
            const tab = await extract(browser, served, "lights.example/");
            await tryAll(tab, served);
            assert.deepEqual(paths(spy), []);
        } finally {
            await spy.close();
        }
    });
});

/** Looks at every tab, waits, and presses what the hostile page has to offer. */
async function tryAll(tab, served) {
    for (const name of TABS) {
        await look(tab, name);
        await pause(300);
    }
    await pause();
    for (const name of ["page", "template"]) {
        await look(tab, name);
        const place = await tab.evaluate((selector) => {
            const { left, top, width, height } = document.querySelector(selector).getBoundingClientRect();
            return { left, top, width, height: Math.min(height, innerHeight - top) };
        }, `#panel-${name} iframe`);
        for (const down of [0.2, 0.4, 0.6, 0.8]) {
            await tab.point(place.left + place.width / 2, place.top + place.height * down);
        }
        // Only where it leads nowhere by itself: a link that a person follows is their own wish.
        if (name === "page") await tab.clickAt(place.left + place.width / 2, place.top + place.height / 2);
    }
    await isUnharmed(tab, served);
    for (const name of TABS) await look(tab, name);
}

async function isUnharmed(tab, served) {
    const told = await tab.evaluate(() => ({
        owned: window.huskOwned ?? null,
        title: document.title,
        address: location.href,
        state: document.body.dataset.state,
    }));
    assert.equal(told.owned, null);
    assert.match(told.title, /Husk$/);
    assert.ok(told.address.startsWith(`${served.watched}/r/`), told.address);
    assert.equal(told.state, "finished");
}

function paths(site) {
    return site.requests.map(({ path }) => path);
}

async function pause(milliseconds = WHILE) {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
}
