// Firefox, over WebDriver BiDi; what the protocol has no word for is done in the browser's own window.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import puppeteer from "puppeteer-core";
import { executable } from "./machine.mjs";
import { Tab } from "./tab.mjs";
import { until } from "./until.mjs";

const ID = "husk@husk.example";

/** Where the extension's pages are: Firefox makes it up anew for each profile unless told. */
const UUID = "6d1b6a0e-5c1f-4b7c-9a55-2f0f4d3c7e11";

/** The widget of the toolbar button, as Firefox names it after the extension. */
const BUTTON = `${ID.replace(/[^a-z0-9_-]/gi, "_")}-BAP`;

export class Firefox {
    canChooseEntry = true;
    canPressShortcut = true;
    #browser;
    #window;
    #said = [];
    #complaints = [];
    #tabs = new Map();

    /** Whose errors are noted: the extension's, or those of a site that is tested without it. */
    #watched = UUID;

    static async launch({ extension, watched, folder, language, headless, proxy }) {
        const driver = new Firefox();
        driver.#watched = watched ?? driver.#watched;
        const downloads = join(folder, "downloads");
        await mkdir(downloads);
        driver.#browser = await puppeteer.launch({
            browser: "firefox",
            executablePath: executable("firefox"),
            headless,
            args: ["--remote-allow-system-access", "--width=1200", "--height=1000"],
            extraPrefsFirefox: preferences({ downloads, language, proxy }),
            defaultViewport: null,
        });
        driver.#browser.process()?.stderr?.on("data", (piece) => driver.#said.push(String(piece)));
        driver.#browser.connection.on("log.entryAdded", (entry) => driver.#note(entry));
        try {
            const { contexts } = await driver.send("browsingContext.getTree", { "moz:scope": "chrome" });
            driver.#window = contexts[0].context;
            await driver.#inWindow(speak, language);
            if (!extension) return driver;
            await driver.#browser.installExtension(extension);
            await driver.pinButton();
        } catch (error) {
            await driver.close();
            throw error;
        }
        return driver;
    }

    /** Says something in the protocol that puppeteer has no function for. */
    async send(method, parameters) {
        return (await this.#browser.connection.send(method, parameters)).result;
    }

    address(path) {
        return `moz-extension://${UUID}/${path}`;
    }

    async open(url) {
        const { context } = await this.send("browsingContext.create", { type: "tab" });
        await this.send("browsingContext.navigate", { context, url, wait: "none" });
        const tab = this.#tab(context, url);
        // Not waited for by the browser itself: it takes a frame that cannot be loaded for the page.
        await until(url, () => tab.evaluate(isLoaded, url).catch(() => false));
        return tab;
    }

    async tabs() {
        const { contexts } = await this.send("browsingContext.getTree", { maxDepth: 0 });
        return contexts.map(({ context, url }) => this.#tab(context, url));
    }

    /** New buttons are behind the button for extensions. */
    async pinButton() {
        await this.#inWindow(showButton, BUTTON);
    }

    async pressButton(tab) {
        await tab.show();
        await this.#inWindow(clickButton, BUTTON);
    }

    async chooseEntry(tab) {
        await tab.show();
        await tab.pressPointer(2, 200, 200);
        await this.#inWindow(chooseEntry, "Extract template");
    }

    async pressShortcut(tab) {
        await tab.show();
        await this.#inWindow(pressKeys, ["Alt", "Shift"], "E");
    }

    async allow(results) {
        await results.click("#allow");
        await this.#inWindow(answerPrompt, "button");
    }

    async refuse(results) {
        await results.click("#allow");
        await this.#inWindow(answerPrompt, "secondaryButton");
    }

    async complaints() {
        return [
            ...this.#complaints,
            ...(await this.#inWindow(consoleMessages, this.#watched, this.#watched !== UUID)),
        ];
    }

    /** What a paste would give. */
    async clipboard() {
        return this.#inWindow(() => navigator.clipboard.readText());
    }

    /** A picture of the browser's window, toolbar and all. */
    async windowShot() {
        return this.#inWindow(drawWindow);
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

    /** Runs a function in the browser's own window. */
    async #inWindow(ask, ...parameters) {
        return call(this, this.#window, ask, parameters);
    }

    /** What a script of the extension wrote to the console; errors are in the browser's own list. */
    #note({ type, level, text, stackTrace }) {
        const wrote = stackTrace?.callFrames.some(({ url }) => url.includes(this.#watched));
        if (type === "console" && level === "error" && wrote) this.#complaints.push(text);
    }

    #tab(context, url) {
        const tab = this.#tabs.get(context) ?? new FirefoxTab(this, context);
        tab.address = url;
        this.#tabs.set(context, tab);
        return tab;
    }
}

class FirefoxTab extends Tab {
    constructor(driver, context) {
        super();
        this.driver = driver;
        this.id = context;
    }

    async evaluate(ask, ...parameters) {
        return call(this.driver, this.id, ask, parameters);
    }

    /** Calls a function with a closed shadow root, which scripts cannot get at. */
    async evaluateInShadow(selector, ask, ...parameters) {
        const { result } = await this.driver.send("script.evaluate", {
            expression: `document.querySelector(${JSON.stringify(selector)})`,
            awaitPromise: false,
            target: { context: this.id },
            serializationOptions: { includeShadowTree: "all", maxDomDepth: 1 },
        });
        return call(this.driver, this.id, ask, parameters, [result.value.shadowRoot]);
    }

    async click(selector) {
        await this.waitFor(`something to click on: ${selector}`, scrollTo, selector);
        const { x, y } = await this.evaluate(middleOf, selector);
        await this.clickAt(x, y);
    }

    async press(...keys) {
        for (const key of keys) {
            const value = KEYS[key] ?? key;
            const actions = [
                { type: "keyDown", value },
                { type: "keyUp", value },
            ];
            await this.act([{ type: "key", id: "keyboard", actions }]);
        }
    }

    async type(text) {
        await this.press(...text);
    }

    /** Chooses files in a field as the browser's dialogue would. */
    async chooseFiles(selector, ...files) {
        const { result } = await this.driver.send("script.evaluate", {
            expression: `document.querySelector(${JSON.stringify(selector)})`,
            awaitPromise: false,
            target: { context: this.id },
        });
        const element = { sharedId: result.sharedId };
        await this.driver.send("input.setFiles", { context: this.id, element, files });
    }

    async resize(width, height) {
        await this.driver.send("browsingContext.setViewport", {
            context: this.id,
            viewport: { width, height },
        });
    }

    async point(x, y) {
        await this.pointer([], x, y);
    }

    async clickAt(x, y) {
        await this.pressPointer(0, x, y);
    }

    async pressPointer(button, x, y) {
        const actions = ["pointerDown", "pointerUp"].map((type) => ({ type, button }));
        await this.pointer(actions, x, y);
    }

    async pointer(presses, x, y) {
        const move = { type: "pointerMove", x: Math.round(x), y: Math.round(y) };
        await this.act([{ type: "pointer", id: "mouse", actions: [move, ...presses] }]);
    }

    async act(actions) {
        await this.driver.send("input.performActions", { context: this.id, actions });
    }

    async screenshot(path) {
        const { data } = await this.driver.send("browsingContext.captureScreenshot", { context: this.id });
        const picture = Buffer.from(data, "base64");
        if (path) await writeFile(path, picture);
        return picture;
    }

    async show() {
        await this.driver.send("browsingContext.activate", { context: this.id });
    }

    async close() {
        await this.driver.send("browsingContext.close", { context: this.id });
    }
}

/** The keys that have no letter, in the code points of WebDriver. */
const KEYS = {
    Escape: "\uE00C",
    Tab: "\uE004",
    Enter: "\uE007",
    Space: " ",
    ArrowRight: "\uE014",
    ArrowLeft: "\uE012",
    ArrowDown: "\uE015",
    ArrowUp: "\uE013",
    Home: "\uE011",
    End: "\uE010",
};

/** Calls a function where it has to run, with values as JSON on the way there and back. */
async function call(driver, context, ask, parameters, nodes = []) {
    const answer = await driver.send("script.callFunction", {
        functionDeclaration: `async (given, ...nodes) => JSON.stringify(await (${ask})(...nodes, ...JSON.parse(given)))`,
        arguments: [
            { type: "string", value: JSON.stringify(parameters) },
            ...nodes.map(({ sharedId }) => ({ sharedId })),
        ],
        awaitPromise: true,
        target: { context },
    });
    if (answer.type === "exception") throw new Error(answer.exceptionDetails.text);
    return answer.result.value === undefined ? undefined : JSON.parse(answer.result.value);
}

function preferences({ downloads, language, proxy }) {
    return {
        "extensions.webextensions.uuids": JSON.stringify({ [ID]: UUID }),
        "intl.accept_languages": language,
        "browser.download.dir": downloads,
        "browser.download.folderList": 2,
        "browser.download.alwaysOpenPanel": false,
        "network.proxy.type": 1,
        "network.proxy.http": "127.0.0.1",
        "network.proxy.http_port": proxy,
        "network.proxy.ssl": "127.0.0.1",
        "network.proxy.ssl_port": proxy,
        // A tab that is covered by another goes on at full pace: how it feels is tested as well.
        "dom.min_background_timeout_value": 4,
        "dom.min_background_timeout_value_without_budget_throttling": 4,
    };
}

// What follows runs in the browser.

function isLoaded(url) {
    return document.readyState === "complete" && (location.href !== "about:blank" || url === "about:blank");
}

function scrollTo(selector) {
    const element = document.querySelector(selector);
    element?.scrollIntoView({ block: "center", behavior: "instant" });
    const [place] = element?.getClientRects() ?? [];
    // A tab that was opened just now may not have its size yet.
    return place !== undefined && place.top >= 0 && place.top < innerHeight && place.left < innerWidth;
}

function middleOf(selector) {
    const { left, top, width, height } = document.querySelector(selector).getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
}

/** Speaks a language, even if the words of the browser itself are not installed in it. */
function speak(language) {
    window.Services.locale.availableLocales = [language, "en-US"];
    window.Services.locale.requestedLocales = [language];
}

function showButton(id) {
    window.CustomizableUI.addWidgetToArea(id.replace(/-BAP$/, "-browser-action"), "nav-bar");
}

function clickButton(id) {
    document.getElementById(id).click();
}

/** Chooses an entry of the context menu, once it is open. */
async function chooseEntry(label) {
    const menu = document.getElementById("contentAreaContextMenu");
    for (let turns = 0; menu.state !== "open" && turns < 200; turns += 1) {
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const entry = [...menu.children].find((item) => item.label === label);
    if (!entry) throw new Error(`no entry ${label} in a menu that is ${menu.state}`);
    menu.activateItem(entry);
}

/**
 * Presses a key while others are held, as the machine's keyboard would: the protocol's keys reach pages only.
 * With the page out of focus, since Firefox does not believe it that it left such a key alone.
 */
function pressKeys(held, letter) {
    document.activeElement?.blur();
    const { Cc, Ci, KeyboardEvent } = window;
    const keyboard = Cc["@mozilla.org/text-input-processor;1"].createInstance(Ci.nsITextInputProcessor);
    keyboard.beginInputTransactionForTests(window);
    const keys = [
        ...held.map((key) => new KeyboardEvent("", { key, code: `${key}Left` })),
        new KeyboardEvent("", { key: letter, code: `Key${letter}`, keyCode: letter.charCodeAt(0) }),
    ];
    for (const key of keys) keyboard.keydown(key);
    for (const key of keys.reverse()) keyboard.keyup(key);
}

/** Answers the question for a permission, once it is asked. */
async function answerPrompt(button) {
    for (let turns = 0; turns < 200; turns += 1) {
        const question = document.getElementById("addon-webext-permissions-notification");
        if (question && window.PopupNotifications.isPanelOpen) {
            question[button].click();
            return;
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error("no question for a permission");
}

/** Errors that name what is watched, in any process; on a site, that foreign pages were kept from something is none. */
function consoleMessages(watched, isSite) {
    const told = window.Services.console.getMessageArray();
    return told
        .filter((message) => message instanceof window.Ci.nsIScriptError)
        .filter((error) => !isSite || !/^(?:CSP_|SOP|COEP)/.test(error.category))
        .filter((error) => !(error.flags & error.warningFlag) && !(error.flags & error.infoFlag))
        .filter((error) => `${error.sourceName} ${error.errorMessage}`.includes(watched))
        .map(
            (error) => `${error.category}: ${error.errorMessage} at ${error.sourceName}:${error.lineNumber}`,
        );
}

async function drawWindow() {
    const { width, height } = document.documentElement.getBoundingClientRect();
    const context = window.browsingContext.currentWindowGlobal;
    const picture = await context.drawSnapshot(new DOMRect(0, 0, width, height), 1, "white");
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    canvas.getContext("2d").drawImage(picture, 0, 0);
    const blob = await canvas.convertToBlob();
    const bytes = new Uint8Array(await blob.arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
