// The extension in Spanish, where the browser is.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { inEachBrowser } from "./in-each-browser.mjs";
import { KEY_PAGE, onLighthouse } from "./lighthouse.mjs";
import { extract } from "./results.mjs";

const words = JSON.parse(
    readFileSync(new URL("../../dist/built/_locales/es/messages.json", import.meta.url), "utf8"),
);

inEachBrowser("Spanish", { language: "es" }, (check) => {
    const test = onLighthouse(check);
    test("speaks in the results, on the page and in the options", async (browser, site) => {
        const { tab, results } = await extract(browser, site.address(KEY_PAGE));
        assert.equal(await results.evaluate(() => document.documentElement.lang), "es");
        assert.equal(await results.text("#tint"), words.showOnPage.message);
        assert.equal(await results.text("#tab-template"), words.tabTemplate.message);
        await results.click("#tint");
        const host = ":root > :last-child:not(body)";
        await tab.waitFor("the tints", (host) => document.querySelector(host), host);
        const legend = await tab.waitForShadow(host, (root) => root.querySelector(".legend")?.textContent);
        assert.ok(legend.includes(words.tintContent.message), legend);
        const options = await browser.openOptions();
        const said = await options.waitFor("the options", () => document.querySelector("h1")?.textContent);
        assert.ok(said.length > 0);
        assert.ok((await options.text("body")).includes(words.pagesToCompare.message));
    });
});
