// A real browser with the extension installed, told what to do by the tests: the same words for Chromium and Firefox.
//
//   const browser = await start("firefox");
//   const tab = await browser.open("http://127.0.0.2:8080/");
//   const results = await browser.pressButton(tab);
//   await browser.allow(results, "127.0.0.2");
//   await results.reaches("finished");

import { rmSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Chromium } from "./chromium.mjs";
import { Firefox } from "./firefox.mjs";
import { Wall } from "./site.mjs";
import { until } from "./until.mjs";

const DRIVERS = { chromium: Chromium, firefox: Firefox };

/**
 * Starts a browser with a fresh profile; `language` is that of its own texts, `headless` false needs a screen.
 * Where a site is `watched`, at the address that is given, it comes without the extension.
 */
export async function start(name, { language = "en-GB", headless = true, watched } = {}) {
    const folder = await mkdtemp(join(tmpdir(), "husk-browser-"));
    // Also when the tests are stopped halfway.
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    const wall = await Wall.build();
    const extension = watched ? undefined : fileURLToPath(new URL(`../../dist/${name}/`, import.meta.url));
    const setting = { extension, watched, folder, language, headless, proxy: wall.port };
    try {
        const driver = await DRIVERS[name].launch(setting);
        return new Browser(name, driver, wall, folder);
    } catch (error) {
        wall.close();
        await rm(folder, { recursive: true, force: true });
        throw error;
    }
}

class Browser {
    constructor(name, driver, wall, folder) {
        this.name = name;
        this.wall = wall;
        this.driver = driver;
        this.folder = folder;
    }

    async open(url) {
        return this.driver.open(url);
    }

    /** Presses the toolbar button while a tab is shown; returns the page with the results. */
    async pressButton(tab) {
        return this.#opensResults(() => this.driver.pressButton(tab));
    }

    /** Chooses the entry of the page's context menu. Only where `canChooseEntry`. */
    async chooseEntry(tab) {
        return this.#opensResults(() => this.driver.chooseEntry(tab));
    }

    /** Presses the keys of the manifest. Only where `canPressShortcut`. */
    async pressShortcut(tab) {
        return this.#opensResults(() => this.driver.pressShortcut(tab));
    }

    async openOptions() {
        const options = await this.driver.open(this.driver.address("options.html"));
        // Until then it reads its settings, and complains if it is closed meanwhile.
        await until("the options are shown", () =>
            options.evaluate(() => document.querySelector("input") !== null),
        );
        return options;
    }

    /** Presses "Allow" in the results page, and lets the browser say yes. */
    async allow(results, host) {
        await results.reaches("asking-permission");
        await this.driver.allow(results, host);
    }

    /** Presses "Allow" in the results page, and lets the browser say no. */
    async refuse(results) {
        await results.reaches("asking-permission");
        await this.driver.refuse(results);
    }

    /** What went wrong in the extension's own pages and scripts, as the browser's consoles tell it. */
    async complaints() {
        return this.driver.complaints();
    }

    /** The file that was downloaded last, once it is whole. */
    async downloaded() {
        const folder = join(this.folder, "downloads");
        return until("a download", async () => {
            const names = await readdir(folder).catch(() => []);
            if (names.length !== 1 || /\.(part|crdownload|tmp)$/.test(names[0])) return undefined;
            const text = await readFile(join(folder, names[0]), "utf8");
            if (text === "") return undefined;
            await rm(join(folder, names[0]));
            return { name: names[0], text };
        });
    }

    /** What a paste would give. */
    async clipboard() {
        return this.driver.clipboard();
    }

    /** Closes all tabs but the one that the browser began with. */
    async closeTabs() {
        const [, ...rest] = await this.driver.tabs();
        for (const tab of rest) await tab.close().catch(() => undefined);
    }

    /** Ends the browser and all that it left. */
    async close() {
        await this.driver.close();
        this.wall.close();
        await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
    }

    async #opensResults(action) {
        const address = this.driver.address("results.html");
        const before = new Set((await this.driver.tabs()).map(({ id }) => id));
        await action();
        return until("the page with the results", async () => {
            const tabs = await this.driver.tabs();
            return tabs.find((tab) => !before.has(tab.id) && tab.address.startsWith(address));
        });
    }
}
