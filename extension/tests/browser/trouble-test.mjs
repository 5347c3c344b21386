// Cancelling, and what a person is told when a site gives no pages to compare with.

import assert from "node:assert/strict";
import { inEachBrowser } from "./in-each-browser.mjs";
import { KEY_PAGE, onLighthouse } from "./lighthouse.mjs";
import { until } from "./until.mjs";

inEachBrowser("trouble", {}, (check) => {
    const test = onLighthouse(check);

    /** Presses the button on a page; `spoil` makes the site fail from then on. */
    const ending = async (browser, site, spoil) => {
        const tab = await browser.open(site.address(KEY_PAGE));
        spoil?.();
        const results = await browser.pressButton(tab);
        await browser.allow(results, site.host);
        await results.reaches("failed");
        return results;
    };

    for (const how of ["button", "Escape"]) {
        test(`ends at once when it is cancelled by ${how}, and starts again`, async (browser, site) => {
            const tab = await browser.open(site.address(KEY_PAGE));
            const results = await browser.pressButton(tab);
            site.forget();
            site.fault = () => ({ never: true });
            await browser.allow(results, site.host);
            await results.reaches("loading");
            await until("a request", () => site.fetched().length > 0);

            if (how === "button") await results.click("#cancel");
            else await results.press(how);
            await results.reaches("cancelled");
            await allCutOff(site);
            const asked = site.fetched().length;
            // Long enough for a request that is wrongly sent after all.
            await new Promise((resolve) => setTimeout(resolve, 500));
            assert.equal(site.fetched().length, asked, "nothing is asked for any more");

            site.fault = () => undefined;
            await results.click("#again");
            await results.reaches("finished");
        });
    }

    test("ends with the tab", async (browser, site) => {
        const tab = await browser.open(site.address(KEY_PAGE));
        const results = await browser.pressButton(tab);
        site.forget();
        site.fault = () => ({ never: true });
        await browser.allow(results, site.host);
        await until("a request", () => site.fetched().length > 0);
        await results.close();
        await allCutOff(site);
    });

    test("tells that none of the pages can be used", async (browser, site) => {
        const results = await ending(browser, site, () => {
            site.fault = () => ({ status: 404, body: "<title>Not found</title>" });
        });
        assert.equal(await problem(results), "none-usable");
        assert.match(await results.text("#problem"), /404/);
        site.fault = () => undefined;
        await results.click("#again");
        await results.reaches("finished");
    });

    test("tells of a server that fails", async (browser, site) => {
        const results = await ending(browser, site, () => {
            site.fault = () => ({ status: 500, body: "<title>Broken</title>" });
        });
        assert.equal(await problem(results), "none-usable");
        assert.match(await results.text("#problem"), /500/);
    });

    test("tells that the site wants people to log in", async (browser, site) => {
        const results = await ending(browser, site, () => {
            site.fault = ({ path }) =>
                path.startsWith("/login")
                    ? { body: '<title>Log in</title><form><input type="password" name="word"></form>' }
                    : { status: 302, headers: { Location: "/login" } };
        });
        assert.equal(await problem(results), "login");
    });

    test("tells that a page has no links, and goes on without", async (browser, site) => {
        site.serveInstead(
            KEY_PAGE,
            "<!doctype html><title>Alone</title><h1>Alone</h1><p>No links at all.</p>",
        );
        const file = site.fault;
        site.fault = (request) => file(request) ?? { status: 404 };
        const results = await ending(browser, site);
        assert.equal(await problem(results), "no-links");
        await results.click("#alone");
        await results.reaches("finished");
        await results.click("#tab-content");
        await results.waitFor("the content", () => {
            return document.querySelector("#panel-content iframe")?.srcdoc.includes("No links at all.");
        });
    });

    test("loads nothing when it is refused, and does with the page alone", async (browser, site) => {
        const tab = await browser.open(site.address(KEY_PAGE));
        site.forget();
        const results = await browser.pressButton(tab);
        await browser.refuse(results);
        await results.reaches("failed");
        assert.equal(await problem(results), "refused");
        await results.click("#alone");
        await results.reaches("finished");
        assert.deepEqual(site.fetched(), []);
    });

    test("tells that the tab is gone", async (browser, site) => {
        const tab = await browser.open(site.address(KEY_PAGE));
        const results = await browser.pressButton(tab);
        await results.reaches("asking-permission");
        await tab.close();
        const later = await browser.open(results.address);
        await later.reaches("failed");
        assert.equal(await problem(later), "tab-gone");
    });

    check("tells that the browser keeps its own pages to itself", async (browser) => {
        const tab = await browser.open(browser.name === "chromium" ? "chrome://version/" : "about:support");
        const results = await browser.pressButton(tab);
        await results.reaches("failed");
        // Chromium mostly does not say which page it is.
        const expected = browser.name === "chromium" ? ["out-of-reach", "kept-away"] : ["kept-away"];
        const told = await problem(results);
        assert.ok(expected.includes(told), told);
    });

    test("tells that a picture is no page", async (browser, site) => {
        const tab = await browser.open(site.address("/assets/tower.svg"));
        const results = await browser.pressButton(tab);
        await results.reaches("failed");
        assert.equal(await problem(results), "not-html");
    });
});

/** Waits for it, but not so long that the extension would have given up waiting for the pages anyway. */
async function allCutOff(site) {
    const isCutOff = () => site.fetched().every((request) => request.isCutOff);
    await until("the connections to be closed", isCutOff, 15_000);
}

/** Which problem it is; that it is told in words, too. */
async function problem(results) {
    const told = await results.evaluate(() => {
        const place = document.querySelector("#problem");
        return { kind: place?.dataset.problem, heading: place?.querySelector("h1, h2")?.textContent ?? "" };
    });
    assert.ok(told.heading.length > 10, "the problem is told in words");
    return told.kind;
}
