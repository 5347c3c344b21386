// Saved pages, folders and archives, dropped and chosen.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { inEachBrowser } from "../../../extension/tests/browser/in-each-browser.mjs";
import { SavedSite } from "./saved.mjs";
import { serve } from "./served.mjs";
import { look } from "./steps.mjs";

inEachBrowser("files", serve, (check) => {
    const test = (name, run) => {
        check(name, async (browser, served) => {
            const saved = await SavedSite.make();
            try {
                const tab = await browser.open(`${served.watched}/`);
                await tab.reaches("start");
                await run(tab, saved);
            } finally {
                await saved.remove();
            }
        });
    };

    test("of a folder are compared with the one that is chosen", async (tab, saved) => {
        await tab.chooseFiles("#files", ...saved.pages);
        await tab.waitFor("the choice", () => document.querySelectorAll("#offers li").length === 6);
        assert.match(await tab.text("#offers li"), /^index\.html/);
        await tab.choose("#search", "salt");
        await tab.click("#offers button");
        await tab.reaches("finished");
        assert.match(await tab.text("h1"), /salt/);
        await look(tab, "content");
        assert.match(await contentOf(tab), /Seven pans/);
        assert.doesNotMatch(await contentOf(tab), /carried by the ferry/);
        await tab.click("#compare");
        await tab.waitFor("two pages", () => document.querySelectorAll(".comparison iframe").length === 2);
    });

    test("that are dropped are taken as well", async (tab, saved) => {
        await drop(tab, saved.pages);
        await tab.waitFor("the choice", () => document.querySelectorAll("#offers li").length === 6);
    });

    test("of an archive ask which page is meant", async (tab, saved) => {
        await drop(tab, [saved.archive]);
        await tab.waitFor("the choice", () => document.querySelectorAll("#offers li").length === 6);
        await tab.choose("#search", "smoke");
        await tab.click("#offers button");
        await tab.reaches("finished");
        await look(tab, "content");
        assert.match(await contentOf(tab), /Herring/);
    });

    test("of one page alone come to an end that says what to do", async (tab, saved) => {
        await drop(tab, [saved.page("bread")]);
        await tab.waitFor("an end", () => ["finished", "failed"].includes(document.body.dataset.state));
        assert.match(await tab.text("#results"), /compare|compared/);
    });

    test("that are no pages are refused by name", async (tab, saved) => {
        await drop(tab, [saved.page("bread")], "picture.png");
        await tab.waitFor("a word about it", () => document.querySelector("#refused"));
        assert.match(await tab.text("#refused"), /picture\.png/);
    });
});

async function contentOf(tab) {
    return tab.evaluate(() => document.querySelector("#panel-content iframe").srcdoc);
}

/** Drops files as the browser would tell the page of it. */
async function drop(tab, paths, name) {
    const files = await Promise.all(
        paths.map(async (path) => ({ name: name ?? basename(path), text: await readFile(path, "utf8") })),
    );
    await tab.evaluate((files) => {
        const dataTransfer = new DataTransfer();
        for (const { name, text } of files) dataTransfer.items.add(new File([text], name));
        document.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    }, files);
}
