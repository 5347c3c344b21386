// Runs tests in each browser: one start for all of them, and nothing left over when they fail.

import { after, before, describe, test } from "node:test";
import { start } from "./browser.mjs";
import { browsers, missing, missingBrowser } from "./machine.mjs";

/** A browser that hangs must not hold up everything. */
const MOST_MILLISECONDS = 120_000;

/**
 * Declares tests for each browser. `declare` is given `check(name, run)`, and `run` the browser.
 * At the end the browser must have had nothing to complain about.
 *
 * `options` are those of `start`; or a function that makes ready what is tested instead of the extension and answers them,
 * with `close` to end that. What it answers is given to `run` as well.
 */
export function inEachBrowser(what, options, declare) {
    for (const name of browsers) {
        const isSite = typeof options === "function";
        const skip = isSite ? missingBrowser(name) : missing(name);
        describe(`${what} in ${name}`, { skip }, () => {
            let browser;
            let ready;
            before(async () => {
                ready = isSite ? await options() : options;
                browser = await start(name, ready);
            });
            after(async () => {
                await browser?.close();
                await ready?.close?.();
            });
            const check = (what, run) => {
                test(what, { timeout: MOST_MILLISECONDS }, async (context) => {
                    try {
                        await run(browser, ready);
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
            check("nothing was complained about in the consoles", async (browser) => {
                const complaints = await browser.complaints();
                if (complaints.length > 0) throw new Error(complaints.join("\n"));
            });
        });
    }
}
