// Pictures of the extension in both browsers: `node tests/browser/screenshots.mjs FOLDER`.
//
// The button is part of the browser's window. Firefox draws its own; for Chromium there has to be a screen to take the
// picture from, which is Xvfb, and `import` of ImageMagick takes it.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { start } from "./browser.mjs";
import { KEY_PAGE } from "./lighthouse.mjs";
import { browsers, fixture, missing } from "./machine.mjs";
import { Screen } from "./screen.mjs";
import { Site } from "./site.mjs";

const folder = process.argv[2];
if (!folder) {
    console.error("usage: node tests/browser/screenshots.mjs FOLDER");
    process.exit(2);
}
await mkdir(folder, { recursive: true });
for (const name of browsers) {
    const reason = missing(name);
    if (reason) console.error(reason);
    else await photograph(name, (what) => join(folder, `${name}-${what}.png`));
}

/** Goes the way of a user, and takes a picture at each turn. */
async function photograph(name, file) {
    const screen = name === "chromium" ? await Screen.start() : undefined;
    const site = await Site.serve(fixture("lighthouse"));
    const browser = await start(name, { headless: screen === undefined });
    const shoot = (what) => takeWindow(browser, screen, file(what));
    try {
        const tab = await browser.open(site.address(KEY_PAGE));
        await browser.driver.pinButton();
        await tab.show();
        await shoot("button");
        const results = await browser.pressButton(tab);
        await results.reaches("asking-permission");
        await shoot("permission");
        site.pace = 1500;
        await browser.allow(results, site.host);
        await results.reaches("loading");
        await results.point(5, 5);
        await results.waitFor("a second page", () => document.querySelectorAll("ol.pages li").length > 1);
        await shoot("progress");
        await results.reaches("finished");
        site.pace = 0;
        await results.waitFor("the template", () => document.querySelector("#panel-template iframe"));
        await settle();
        await shoot("template");
        await results.click("#tab-content");
        await settle();
        await shoot("content");
        await results.click("#tint");
        await tab.waitFor("the tints", () => document.querySelector(":root > :last-child:not(body)"));
        await settle();
        const place = await tab.evaluate(() =>
            document.querySelector("nav").getBoundingClientRect().toJSON(),
        );
        await tab.point(place.x + 30, place.y + place.height / 2);
        await settle();
        await shoot("tinted");
    } finally {
        await browser.close();
        await site.close();
        screen?.stop();
    }
}

/** The browser's whole window. */
async function takeWindow(browser, screen, path) {
    await settle();
    if (screen) await screen.shoot(path);
    else await writeFile(path, Buffer.from(await browser.driver.windowShot(), "base64"));
    console.log(path);
}

/** Until pictures and style have been drawn. */
async function settle() {
    await new Promise((resolve) => setTimeout(resolve, 1000));
}
