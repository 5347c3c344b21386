// Chromium, over the protocol of its developer tools.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import puppeteer from "puppeteer-core";
import { executable } from "./machine.mjs";
import { Tab } from "./tab.mjs";
import { until } from "./until.mjs";

const FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    // A tab that is covered by another goes on at full pace: how it feels is tested as well.
    "--disable-background-timer-throttling",
];

export class Chromium {
    canChooseEntry = false;
    canPressShortcut = false;
    #browser;
    #extension;
    #said = [];
    #complaints = [];
    #tabs = new WeakMap();

    /** Whose errors are noted: the extension's, or those of a site that is tested without it. */
    #watched = "chrome-extension://";

    static async launch({ extension, watched, folder, language, headless, proxy }) {
        const driver = new Chromium();
        driver.#watched = watched ?? driver.#watched;
        const downloads = join(folder, "downloads");
        await mkdir(downloads);
        driver.#browser = await puppeteer.launch({
            executablePath: executable("chromium"),
            headless,
            pipe: true,
            enableExtensions: true,
            // It would be written across every picture.
            ignoreDefaultArgs: headless ? [] : ["--enable-automation"],
            userDataDir: join(folder, "profile"),
            downloadBehavior: { policy: "allow", downloadPath: downloads },
            defaultViewport: headless ? { width: 1200, height: 900 } : null,
            args: [
                ...FLAGS,
                `--lang=${language}`,
                `--proxy-server=http://127.0.0.1:${proxy}`,
                "--window-size=1280,960",
                "--window-position=0,0",
            ],
            env: { ...process.env, LANGUAGE: language.replace("-", "_") },
        });
        driver.#browser.process()?.stderr?.on("data", (piece) => driver.#said.push(String(piece)));
        driver.#browser.on("targetcreated", (target) => void driver.#listen(target));
        if (!extension) return driver;
        try {
            driver.id = await driver.#browser.installExtension(extension);
            driver.#extension = (await driver.#browser.extensions()).get(driver.id);
        } catch (error) {
            await driver.close();
            throw error;
        }
        return driver;
    }

    address(path) {
        return `chrome-extension://${this.id}/${path}`;
    }

    async open(url) {
        const page = await this.#browser.newPage();
        // Pages of other people name things that cannot be had here: their absence is not waited for.
        await page.goto(url, { waitUntil: "load" });
        return this.#tab(page);
    }

    async tabs() {
        const targets = this.#browser.targets().filter((target) => target.type() === "page");
        const pages = await Promise.all(targets.map((target) => target.page().catch(() => null)));
        return pages.filter((page) => page !== null).map((page) => this.#tab(page));
    }

    /** New buttons are behind the button for extensions. */
    async pinButton() {
        const page = await this.#management();
        await page.evaluate((extensionId) => {
            return chrome.developerPrivate.updateExtensionConfiguration({
                extensionId,
                pinnedToToolbar: true,
            });
        }, this.id);
        await page.close();
    }

    async pressButton(tab) {
        await tab.show();
        await tab.page.triggerExtensionAction(this.#extension);
    }

    /**
     * The question that the browser asks is out of the protocol's reach. So the permission is given as on the browser's own
     * page of extensions, and then the button asks for what it has.
     */
    async allow(results, host) {
        const page = await this.#management();
        await page.evaluate(
            (id, pattern) => chrome.developerPrivate.addHostPermission(id, pattern),
            this.id,
            `http://${host}/*`,
        );
        await page.close();
        await results.show();
        if (await results.evaluate(() => document.body.dataset.state === "asking-permission")) {
            await results.click("#allow");
        }
    }

    /** For the same reason the browser's answer is put in its mouth. */
    async refuse(results) {
        await results.evaluate(() => {
            chrome.permissions.request = () => Promise.resolve(false);
        });
        await results.click("#allow");
    }

    /** What the browser's page of extensions tells about ours. */
    async installed() {
        const page = await this.#management();
        const told = await page.evaluate((id) => chrome.developerPrivate.getExtensionInfo(id), this.id);
        await page.close();
        return told;
    }

    async complaints() {
        if (!this.#extension) return [...this.#complaints];
        const told = await this.installed();
        const kept = [...told.manifestErrors, ...told.runtimeErrors, ...told.installWarnings];
        return [...this.#complaints, ...kept.map((error) => JSON.stringify(error))];
    }

    /** What a paste would give. */
    async clipboard() {
        const page = await this.#browser.newPage();
        await page.setContent("<textarea></textarea>");
        await page.focus("textarea");
        await page.keyboard.press("KeyV", { commands: ["Paste"] });
        const text = await page.$eval("textarea", (field) => field.value);
        await page.close();
        return text;
    }

    said() {
        return this.#said.join("");
    }

    async close() {
        const child = this.#browser.process();
        const hurry = setTimeout(() => child?.kill("SIGKILL"), 10_000);
        await this.#browser.close().catch(() => undefined);
        clearTimeout(hurry);
    }

    async #management() {
        const page = await this.#browser.newPage();
        await page.goto(`chrome://extensions/?id=${this.id}`);
        await until("the page of extensions", () => page.evaluate(() => "developerPrivate" in chrome));
        return page;
    }

    #tab(page) {
        const known = this.#tabs.get(page) ?? new ChromiumTab(page);
        this.#tabs.set(page, known);
        return known;
    }

    /** Notes what goes wrong in the pages and scripts of the extension. */
    async #listen(target) {
        if (!["page", "service_worker"].includes(target.type())) return;
        const session = await target.createCDPSession().catch(() => undefined);
        const note = (text) => {
            const where = target.url();
            if (where.startsWith(this.#watched) || text.includes(this.#watched)) {
                this.#complaints.push(`${where}: ${text}`);
            }
        };
        session?.on("Runtime.exceptionThrown", ({ exceptionDetails: { text, exception, url } }) => {
            note(`${text} ${exception?.description ?? ""} at ${url}`);
        });
        session?.on("Runtime.consoleAPICalled", ({ type, args }) => {
            if (["error", "assert"].includes(type)) note(`${type}: ${JSON.stringify(args)}`);
        });
        session?.on("Log.entryAdded", ({ entry: { level, source, text, url } }) => {
            // That a page is not there is the site's fault, not the extension's.
            if (level !== "error" || source === "network") return;
            // So are frames in its template, which are kept out.
            if (text.includes(`directive: "frame-src`)) return;
            // And so is, on a site, all that policy and sandbox keep foreign pages from.
            if (!this.#extension && (source === "security" || text.includes("Content Security Policy")))
                return;
            note(`${source}: ${text} at ${url}`);
        });
        await session?.send("Runtime.enable").catch(() => undefined);
        await session?.send("Log.enable").catch(() => undefined);
    }
}

class ChromiumTab extends Tab {
    constructor(page) {
        super();
        this.page = page;
        this.id = page.target()._targetId;
    }

    get address() {
        return this.page.url();
    }

    async evaluate(ask, ...parameters) {
        return this.page.evaluate(ask, ...parameters);
    }

    /** Calls a function with a closed shadow root, which scripts cannot get at. */
    async evaluateInShadow(selector, ask, ...parameters) {
        const session = await this.page.createCDPSession();
        try {
            const { root } = await session.send("DOM.getDocument", { depth: 0 });
            const { nodeId } = await session.send("DOM.querySelector", { nodeId: root.nodeId, selector });
            const { node } = await session.send("DOM.describeNode", { nodeId, depth: 1, pierce: true });
            const { backendNodeId } = node.shadowRoots[0];
            const { object } = await session.send("DOM.resolveNode", { backendNodeId });
            const { result, exceptionDetails } = await session.send("Runtime.callFunctionOn", {
                functionDeclaration: `function (...given) { return (${ask})(this, ...given); }`,
                objectId: object.objectId,
                arguments: parameters.map((value) => ({ value })),
                returnByValue: true,
                awaitPromise: true,
            });
            if (exceptionDetails)
                throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
            return result.value;
        } finally {
            await session.detach();
        }
    }

    async click(selector) {
        await this.page.waitForSelector(selector, { visible: true });
        await this.page.click(selector);
    }

    async press(...keys) {
        for (const key of keys) await this.page.keyboard.press(key);
    }

    async type(text) {
        await this.page.keyboard.type(text);
    }

    /** Chooses files in a field as the browser's dialogue would. */
    async chooseFiles(selector, ...paths) {
        const field = await this.page.$(selector);
        await field.uploadFile(...paths);
    }

    async resize(width, height) {
        await this.page.setViewport({ width, height });
    }

    async point(x, y) {
        await this.page.mouse.move(x, y);
    }

    async clickAt(x, y) {
        await this.page.mouse.click(x, y);
    }

    async screenshot(path) {
        return this.page.screenshot({ path });
    }

    async show() {
        await this.page.bringToFront();
    }

    async close() {
        await this.page.close();
    }
}
