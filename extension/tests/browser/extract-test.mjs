// From the button to the results: permission, progress, each tab, files and copies; and what was asked of whom.

import assert from "node:assert/strict";
import { command, commandJson } from "./command.mjs";
import { inEachBrowser } from "./in-each-browser.mjs";
import { KEY_PAGE, onLighthouse } from "./lighthouse.mjs";
import { captured, extract, written, writtenJson } from "./results.mjs";
import { until } from "./until.mjs";

inEachBrowser("extraction", {}, (check) => {
    const test = onLighthouse(check);

    test("asks for permission, tells its progress, and finishes", async (browser, site) => {
        const tab = await browser.open(site.address(KEY_PAGE));
        site.forget();
        const results = await browser.pressButton(tab);
        await results.reaches("asking-permission");
        assert.ok((await results.text("body")).includes(site.host), "it says which site");
        assert.deepEqual(site.fetched(), [], "nothing is loaded before it is allowed");

        site.pace = 400;
        await browser.allow(results, site.host);
        await results.reaches("loading");
        await results.waitFor("a page in the list", () => document.querySelector("ol.pages li .address"));
        assert.ok(await results.evaluate(() => document.querySelector("progress") !== null));
        await results.reaches("finished");
        assert.match(await results.text("#facts"), /\d+\s?%/);
    });

    test("asks no host but the site's", async (browser, site) => {
        const wanted = () => browser.wall.wanted.filter((address) => !isOfBrowser(address));
        const before = wanted().length;
        const { results } = await extract(browser, site.address(KEY_PAGE));
        for (const tab of ["content", "menu", "source", "template"]) await results.click(`#tab-${tab}`);
        assert.deepEqual(wanted().slice(before), []);
        const hosts = new Set(site.requests.map(({ host }) => host));
        assert.deepEqual([...hosts], [new URL(site.origin).host]);
    });

    test("does not ask again for a site that was allowed", async (browser, site) => {
        await extract(browser, site.address(KEY_PAGE));
        const tab = await browser.open(site.address("/stories/"));
        const results = await browser.pressButton(tab);
        await results.reaches("finished");
    });

    test("shows the template as a page in which nothing runs", async (browser, site) => {
        // Each of these would tell the server.
        site.change = (html) =>
            html.replace(
                "</body>",
                `<script>fetch("/ran-script")</script><img src="/none.png" onerror="fetch('/ran-handler')"></body>`,
            );
        const tab = await browser.open(site.address(KEY_PAGE));
        await tab.waitFor("the page's own script", () => document.readyState === "complete");
        const results = await browser.pressButton(tab);
        await results.reaches("asking-permission");
        assert.ok(
            site.requests.some(({ path }) => path === "/ran-script"),
            "in the tab they do run",
        );
        site.forget();
        await browser.allow(results, site.host);
        await results.reaches("finished");
        const frame = await results.waitFor("the frame", () => {
            const frame = document.querySelector("#panel-template iframe");
            return frame && { sandbox: frame.getAttribute("sandbox"), length: frame.srcdoc.length };
        });
        assert.ok(frame.length > 1000);
        assert.ok(frame.sandbox !== null && !frame.sandbox.includes("allow-scripts"));
        assert.ok(!frame.sandbox.includes("allow-same-origin"));
        // By then scripts would have run, too.
        await until("the page's style", () => site.requests.some(({ path }) => path.endsWith("style.css")));
        const ran = site.requests.filter(({ path }) => path.startsWith("/ran-"));
        assert.deepEqual(ran, []);
    });

    test("shows content and menu", async (browser, site) => {
        const { tab, results } = await extract(browser, site.address(KEY_PAGE));
        await results.click("#tab-content");
        const content = await results.waitFor("the content", () => {
            return document.querySelector("#panel-content iframe")?.srcdoc;
        });
        const heading = await tab.evaluate(() => document.querySelector("h1").textContent.trim());
        assert.ok(content.includes(heading), heading);

        await results.click("#tab-menu");
        const links = await results.waitFor("the menu", () => {
            const links = [...document.querySelectorAll("#panel-menu a")];
            return (
                links.length > 0 && links.map((link) => ({ label: link.textContent.trim(), url: link.href }))
            );
        });
        const { menu } = await commandJson("menu", site.address(KEY_PAGE));
        for (const entry of menu.entries) {
            assert.ok(
                links.some(({ label, url }) => label === entry.label && url === entry.url),
                `${entry.label} in ${JSON.stringify(links)}`,
            );
        }
    });

    test("copies and saves what is shown", async (browser, site) => {
        const { results } = await extract(browser, site.address(KEY_PAGE));
        const jinja = await written(browser, results, "template-jinja");
        await results.click("#copy");
        await results.waitFor(
            "a word that it is copied",
            () => document.querySelector("#status")?.textContent,
        );
        assert.equal((await browser.clipboard()).trimEnd(), jinja.trimEnd());

        await results.show();
        await results.click("#download");
        const { name, text } = await browser.downloaded();
        assert.equal(text, jinja);
        assert.match(name, /the-piano-on-the-stairs\.template\.jinja$/);
    });

    test("writes templates for engines as the command does", async (browser, site) => {
        const { results } = await extract(browser, site.address(KEY_PAGE));
        const page = await captured(results);
        const forms = {};
        for (const engine of ["jinja", "liquid", "handlebars", "html-slots"]) {
            forms[engine] = await written(browser, results, `template-${engine}`);
        }
        site.serveInstead(page.url, page.html);
        for (const [engine, text] of Object.entries(forms)) {
            assert.equal(text, await command("template", site.address(KEY_PAGE), "--format", engine));
        }
    });

    test("knows the user by cookies, and ends no session", async (browser, site) => {
        site.headers = { "Set-Cookie": "keeper=ada; Path=/" };
        // The address of the page that is wanted first.
        site.change = (html) => html.replaceAll("the-gull-who-clocked-in", "logout");
        const tab = await browser.open(site.address(KEY_PAGE));
        site.forget();
        const results = await browser.pressButton(tab);
        await browser.allow(results, site.host);
        await results.reaches("finished");
        const pages = site.fetched();
        assert.ok(pages.length > 0);
        for (const { path, cookie } of pages) assert.equal(cookie, "keeper=ada", path);
        assert.ok(pages.every(({ path }) => !path.includes("logout")));
        const { visits } = await writtenJson(browser, results, "template-json");
        assert.ok(visits.some(({ url, outcome }) => url.includes("/logout/") && outcome === "unavailable"));
    });

    test("has its entry in the context menu and its keys", async (browser, site) => {
        const tab = await browser.open(site.address(KEY_PAGE));
        if (browser.driver.canChooseEntry) {
            const results = await browser.chooseEntry(tab);
            await results.reaches("asking-permission");
            await results.close();
        }
        if (browser.driver.canPressShortcut) {
            const results = await browser.pressShortcut(tab);
            await results.reaches("asking-permission");
            await results.close();
        }
        // Where menus and keys of the browser itself are out of reach, it is at least known that they are set.
        const options = await browser.openOptions();
        const keys = await options.evaluate(() => chrome.commands.getAll());
        assert.ok(keys.some(({ name, shortcut }) => name === "extract-template" && shortcut !== ""));
        await options.evaluate(() => chrome.contextMenus.update("extract-template", {}));
    });
});

/** Whether the browser asks for it on its own account. */
function isOfBrowser(address) {
    return /^https?:\/\/([^/:]+\.)?(google\.com|googleapis\.com|gvt1\.com|mozilla\.(com|net|org)|firefox\.com)[/:]/.test(
        address,
    );
}
