// A page of 100,000 nodes: neither the results page nor the tab may freeze.

import assert from "node:assert/strict";
import { inEachBrowser } from "./in-each-browser.mjs";
import { onLighthouse } from "./lighthouse.mjs";

const NODES = 100_000;
/** What a person would call frozen, on a machine that is busy with other things: half of it was seen. */
const LONGEST_PAUSE = 4_000;

inEachBrowser("a large page", {}, (check) => {
    const test = onLighthouse(check);
    test("leaves the results page and the tab responsive", async (browser, site) => {
        site.fault = ({ path }) => ({ body: LARGE_PAGES[path], status: LARGE_PAGES[path] ? 200 : 404 });
        const tab = await browser.open(site.address("/1.html"));
        const nodes = await tab.evaluate(() => {
            const walk = document.createTreeWalker(document);
            let count = 0;
            while (walk.nextNode()) count += 1;
            return count;
        });
        assert.ok(nodes >= NODES, `${nodes} nodes`);
        await tab.evaluate(countPauses);
        const results = await browser.pressButton(tab);
        await results.reaches("asking-permission");
        await results.evaluate(countPauses);
        await browser.allow(results, site.host);
        await results.reaches("finished");
        await results.click("#tab-content");
        await results.waitFor("the offer to show so much", () =>
            document.querySelector("#panel-content .heavy button"),
        );
        await results.click("#panel-content .heavy button");
        await results.waitFor("the content", () => document.querySelector("#panel-content iframe"));

        await results.click("#tint");
        await tab.waitFor("the tints", () => document.querySelector(":root > :last-child:not(body)"));
        await tab.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight / 2));
        await tab.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
        await tab.press("Escape");
        await tab.waitFor(
            "the tints to be gone",
            () => !document.querySelector(":root > :last-child:not(body)"),
        );

        for (const [name, page] of Object.entries({ results, tab })) {
            const pause = await page.evaluate(() => window.longestPause);
            assert.ok(pause < LONGEST_PAUSE, `${name} did not answer for ${Math.round(pause)} ms`);
            console.log(`${browser.name}: the longest pause of the ${name} was ${Math.round(pause)} ms`);
        }
    });
});

/** Notes how long a page ever took to come to its next task. */
function countPauses() {
    let last = performance.now();
    window.longestPause = 0;
    setInterval(() => {
        const now = performance.now();
        window.longestPause = Math.max(window.longestPause, now - last);
        last = now;
    }, 20);
}

/** Five pages with one menu; each row of their tables is their own. */
const LARGE_PAGES = Object.fromEntries([1, 2, 3, 4, 5].map((page) => [`/${page}.html`, largePage(page)]));

function largePage(page) {
    const menu = [1, 2, 3, 4, 5]
        .map((other) => `<li><a href="/${other}.html">Part ${other}</a></li>`)
        .join("");
    // Each row is 13 nodes.
    const rows = Array.from({ length: Math.ceil(NODES / 13) }, (_, row) => {
        const number = row * 5 + page;
        return `<tr id="r${number}"><td>Row ${number}</td><td><a href="#r${number}">${number * 7}</a></td><td><b>${number}</b> of <i>${page}</i></td></tr>`;
    });
    return `<!doctype html><html lang="en"><head><title>Part ${page}</title></head><body>
<header><h1>Tables of the tide</h1><nav><ul>${menu}</ul></nav></header>
<main><h2>Part ${page}</h2><table><tbody>${rows.join("\n")}</tbody></table></main>
<footer><p>Tables of the tide, all of them</p></footer></body></html>`;
}
