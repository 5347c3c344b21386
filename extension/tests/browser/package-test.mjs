// The packages as the browsers and their stores see them.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import webExt from "web-ext";
import { inEachBrowser } from "./in-each-browser.mjs";

const folder = fileURLToPath(new URL("../../dist/firefox", import.meta.url));

test("Mozilla's linter finds nothing", {
    skip: !existsSync(folder) && "SKIPPED: the extension is not built",
}, async () => {
    const options = { sourceDir: folder, artifactsDir: folder, output: "none", warningsAsErrors: true };
    const { summary, errors, warnings } = await webExt.cmd.lint(options, { shouldExitProgram: false });
    assert.deepEqual([...errors, ...warnings], [], JSON.stringify(summary));
});

inEachBrowser("the package", {}, (check, name) => {
    check("asks for nothing at installation that is not needed", async (browser) => {
        const options = await browser.openOptions();
        const { permissions, origins } = await options.evaluate(() => chrome.permissions.getAll());
        assert.deepEqual(permissions.sort(), ["activeTab", "contextMenus", "scripting", "storage"]);
        assert.deepEqual(origins, []);
    });

    if (name !== "chromium") return;
    check("is loaded without a warning", async (browser) => {
        const told = await browser.driver.installed();
        const { manifestErrors, runtimeErrors, installWarnings, runtimeWarnings } = told;
        assert.deepEqual({ manifestErrors, runtimeErrors, installWarnings, runtimeWarnings }, EMPTY);
        assert.equal(told.state, "ENABLED");
    });
});

const EMPTY = { manifestErrors: [], runtimeErrors: [], installWarnings: [], runtimeWarnings: [] };
