// What is chosen on the options page is what is done.

import assert from "node:assert/strict";
import { commandJson } from "./command.mjs";
import { inEachBrowser } from "./in-each-browser.mjs";
import { KEY_PAGE, onLighthouse } from "./lighthouse.mjs";
import { captured, extract, writtenJson } from "./results.mjs";

inEachBrowser("options", {}, (check) => {
    const test = onLighthouse(check);

    test("method and number of pages are the command's", async (browser, site) => {
        const options = await browser.openOptions();
        await options.choose("#pages-to-compare", "2");
        await options.click("#method-paper");
        await options.choose("#equality", "label");
        await isSaved(options, { method: "paper", pagesToCompare: 2, equality: "label" });
        const { results } = await extract(browser, site.address(KEY_PAGE));
        const found = await writtenJson(browser, results, "template-json");
        assert.equal(found.method, "paper");
        const page = await captured(results);
        site.serveInstead(page.url, page.html);
        const flags = ["--method", "paper", "--pages-to-compare", "2", "--equality", "label"];
        const told = await commandJson("template", page.url, ...flags);
        assert.deepEqual(found.compared, told.compared);
        assert.deepEqual(found.nodes, told.nodes);
        // It would be another answer by default.
        assert.notDeepEqual(found.nodes, (await commandJson("template", page.url)).nodes);
    });

    test("cookies are left out if the user wants it", async (browser, site) => {
        site.headers = { "Set-Cookie": "keeper=ada; Path=/" };
        const options = await browser.openOptions();
        await options.choose("#sends-cookies", false);
        await isSaved(options, { sendsCookies: false });
        await extract(browser, site.address(KEY_PAGE));
        const pages = site.fetched();
        assert.ok(pages.length > 0);
        for (const { path, cookie } of pages) assert.equal(cookie, undefined, path);
    });

    test("a site's permission can be taken back", async (browser, site) => {
        await extract(browser, site.address(KEY_PAGE));
        const options = await browser.openOptions();
        const take = (host) => {
            const row = [...document.querySelectorAll("li")].find((row) => row.textContent.includes(host));
            row?.querySelector("button").click();
            return row !== undefined;
        };
        await options.waitFor("the site among those that are allowed", take, site.host);
        await options.waitFor(
            "the site to be gone",
            (host) => {
                return ![...document.querySelectorAll("li")].some((row) => row.textContent.includes(host));
            },
            site.host,
        );
        const tab = await browser.open(site.address(KEY_PAGE));
        const results = await browser.pressButton(tab);
        await results.reaches("asking-permission");
    });
});

/** Waits until these settings are stored. */
async function isSaved(options, wanted) {
    await options.waitFor(
        "the settings to be saved",
        async (wanted) => {
            const { settings } = await chrome.storage.local.get("settings");
            return settings && Object.entries(wanted).every(([name, value]) => settings[name] === value);
        },
        wanted,
    );
}
