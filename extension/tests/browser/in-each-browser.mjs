// Runs tests in each browser: one start for all of them, and nothing left over when they fail.

import { after, before, describe, test } from "node:test";
import { start } from "./browser.mjs";
import { browsers, missing } from "./machine.mjs";

/** A browser that hangs must not hold up everything. */
const MOST_MILLISECONDS = 120_000;

/**
 * Declares tests for each browser. `declare` is given `check(name, run)`, and `run` the browser.
 * At the end the browser must have had nothing to complain about.
 */
export function inEachBrowser(what, options, declare) {
    for (const name of browsers) {
        describe(`${what} in ${name}`, { skip: missing(name) }, () => {
            let browser;
            before(async () => {
                browser = await start(name, options);
            });
            after(() => browser?.close());
            const check = (what, run) => {
                test(what, { timeout: MOST_MILLISECONDS }, async (context) => {
                    try {
                        await run(browser);
                    } catch (error) {
                        context.diagnostic(
                            `consoles: ${JSON.stringify(await browser.complaints().catch(String))}`,
                        );
                        context.diagnostic(`${name} said: ${browser.driver.said().slice(-3000)}`);
                        throw error;
                    } finally {
                        await browser.closeTabs();
                    }
                });
            };
            declare(check, name);
            check("nothing was complained about in the extension's consoles", async (browser) => {
                const complaints = await browser.complaints();
                if (complaints.length > 0) throw new Error(complaints.join("\n"));
            });
        });
    }
}
