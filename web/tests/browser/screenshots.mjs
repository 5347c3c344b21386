// Pictures of every view, wide and as on a phone: `node tests/browser/screenshots.mjs FOLDER [SIZE…]`.

import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { start } from "../../../extension/tests/browser/browser.mjs";
import { KEY_PAGE } from "../../../extension/tests/browser/lighthouse.mjs";
import { fixture } from "../../../extension/tests/browser/machine.mjs";
import { Site } from "../../../extension/tests/browser/site.mjs";
import { SavedSite } from "./saved.mjs";
import { serve } from "./served.mjs";
import { look } from "./steps.mjs";

const [folder, ...wanted] = process.argv.slice(2);
if (!folder) {
    console.error("usage: node tests/browser/screenshots.mjs FOLDER [SIZE…]");
    process.exit(2);
}
await mkdir(folder, { recursive: true });

const SIZES = [
    { name: "1280", width: 1280, height: 860 },
    { name: "390", width: 390, height: 844 },
    { name: "1280-dark", width: 1280, height: 860, scheme: "dark" },
];
const TABS = ["page", "template", "content", "menu", "pagelets", "source", "pages"];

const served = await serve();
const saved = await SavedSite.make();
const browser = await start("chromium", served);
try {
    const sizes = SIZES.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
    for (const size of sizes) await photograph(size);
} finally {
    await browser.close();
    await served.close();
    await saved.remove();
}

/** A page of the site, some time later. */
function later(path, after) {
    return { body: readFileSync(join(fixture("lighthouse"), path)), after };
}

/** Goes the way of a user, and takes a picture at each turn. */
async function photograph({ name, width, height, scheme = "light" }) {
    // A site that the server has not learned of.
    const site = await Site.serve(fixture("lighthouse"));
    const tab = await browser.open("about:blank");
    await tab.resize(width, height);
    await tab.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    const shoot = async (what) => {
        await new Promise((resolve) => setTimeout(resolve, 900));
        await tab.screenshot(join(folder, `${what}-${name}.png`));
        console.log(`${what}-${name}.png`);
    };
    try {
        await tab.page.goto(`${served.watched}/`);
        await tab.reaches("start");
        await shoot("start");
        await tab.chooseFiles("#files", ...saved.pages);
        await tab.reaches("choosing-file");
        await shoot("choose");
        await tab.page.goto(`${served.watched}/`);
        await tab.choose("#url", "http://127.0.0.1:9/");
        await tab.click("#extract");
        await tab.reaches("failed");
        await shoot("problem");
        await tab.click("#new");
        // Pages that are asked for at once are to come one by one.
        let asked = 0;
        site.fault = ({ path }) => {
            asked += 1;
            return path.includes("/index.html") ? later(path, asked * 900) : undefined;
        };
        await tab.choose("#url", site.address(KEY_PAGE));
        await tab.click("#extract");
        await tab.waitFor("some pages", () => document.querySelectorAll(".node.in-clique").length > 2);
        await shoot("crawl");
        await tab.click("#cancel");
        site.fault = () => undefined;
        await tab.click("#extract");
        await tab.reaches("finished");
        for (const what of TABS) {
            await look(tab, what);
            await shoot(what);
        }
        await tab.click("#compare");
        await tab.waitFor("two pages", () => document.querySelectorAll(".comparison iframe").length === 2);
        await shoot("compare");
    } finally {
        await tab.close();
        await site.close();
    }
}
