// The page tinted in place: seen, explained, reached by keyboard, and taken away without a trace.

import assert from "node:assert/strict";
import { inEachBrowser } from "./in-each-browser.mjs";
import { KEY_PAGE, onLighthouse } from "./lighthouse.mjs";
import { colour, meanColour, wentTowards } from "./picture.mjs";
import { extract } from "./results.mjs";

/** The one element that is put into the page. */
const HOST = ":root > :last-child:not(body)";

/** As strict as sites get: nothing inline, no scripts, and no strings where scripts could hide. */
const STRICT = [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
].join("; ");

/** How tints are taken away. */
const WAYS = {
    "the legend's button": async ({ tab }) => {
        const place = await tab.evaluateInShadow(HOST, (root) => {
            const { left, top, width, height } = [...root.querySelectorAll("button")]
                .at(-1)
                .getBoundingClientRect();
            return { x: left + width / 2, y: top + height / 2 };
        });
        await tab.clickAt(place.x, place.y);
    },
    Escape: ({ tab }) => tab.press("Escape"),
    "the results page": async ({ results }) => {
        await results.show();
        await results.click("#tint");
    },
    "the keyboard alone": async ({ tab }) => {
        for (let presses = 0; presses < 40; presses += 1) {
            await tab.press("Tab");
            if (await isAtClose(tab)) break;
        }
        assert.ok(await isAtClose(tab), "the button that closes the legend has the focus");
        await tab.press("Enter");
    },
};

inEachBrowser("tints", {}, (check) => {
    const test = onLighthouse(check);
    const sites = {
        "an ordinary site": {},
        "a site with a strict policy": { "Content-Security-Policy": STRICT },
    };
    for (const [kind, headers] of Object.entries(sites)) {
        const onTinted = (name, run) => {
            test(`${name} on ${kind}`, async (browser, site) => {
                site.headers = headers;
                await run(await tinted(browser, site.address(KEY_PAGE)));
            });
        };

        onTinted("colours menu and content, and says why", async ({ tab, plain }) => {
            const places = await tab.evaluate(() => {
                const placeOf = (selector) =>
                    document.querySelector(selector).getBoundingClientRect().toJSON();
                return { menu: placeOf("nav"), content: placeOf("h1") };
            });
            const colours = await tab.evaluateInShadow(HOST, (root) => {
                const { style } = root.firstElementChild;
                return {
                    menu: style.getPropertyValue("--menu"),
                    content: style.getPropertyValue("--content"),
                };
            });
            const picture = await tab.screenshot();
            for (const part of ["menu", "content"]) {
                const before = await meanColour(tab, plain, places[part]);
                const after = await meanColour(tab, picture, places[part]);
                const towards = wentTowards(before, after, colour(colours[part]));
                assert.ok(towards > 0.8, `${part} went from ${before} to ${after}: ${towards}`);
            }

            const { menu } = places;
            await tab.point(menu.x + menu.width / 2, menu.y + menu.height / 2);
            const why = await tab.waitForShadow(HOST, (root) => {
                const tip = root.querySelector(".tip");
                return tip && !tip.hidden && tip.textContent;
            });
            assert.match(why, /menu/i);
            assert.match(why, /\d/, "on how many pages it was found");
        });

        for (const [way, remove] of Object.entries(WAYS)) {
            onTinted(`are taken away by ${way}, and the page is as before,`, async (page) => {
                await remove(page);
                await page.tab.waitFor(
                    "the tints to be gone",
                    () => document.querySelector(":root > :last-child:not(body)") === null,
                );
                assert.equal(await page.tab.evaluate(() => document.documentElement.outerHTML), page.html);
                assert.deepEqual(await page.tab.evaluate(() => window.violations), []);
                await page.results.show();
                await page.results.waitFor("the button to say so", () =>
                    /show/i.test(document.querySelector("#tint").textContent),
                );
            });
        }
    }
});

/** A page with tints, and what it was before. */
async function tinted(browser, address) {
    const { tab, results } = await extract(browser, address);
    await tab.show();
    await tab.evaluate(() => {
        window.violations = [];
        document.addEventListener("securitypolicyviolation", (event) => {
            window.violations.push(`${event.violatedDirective} ${event.blockedURI}`);
        });
    });
    const html = await tab.evaluate(() => document.documentElement.outerHTML);
    const plain = await tab.screenshot();
    await results.show();
    await results.click("#tint");
    await tab.waitFor(
        "the tints",
        () =>
            document.visibilityState === "visible" && document.querySelector(":root > :last-child:not(body)"),
    );
    await tab.waitForShadow(
        HOST,
        (root) => root.querySelector(".legend") && root.querySelectorAll("*").length > 30,
    );
    const rest = await tab.evaluate(() => {
        const copy = document.documentElement.cloneNode(true);
        copy.lastElementChild.remove();
        return copy.outerHTML;
    });
    assert.equal(rest, html, "nothing else of the page is changed");
    return { tab, results, html, plain };
}

async function isAtClose(tab) {
    return tab.evaluateInShadow(HOST, (root) => {
        const { activeElement } = root;
        return activeElement !== null && activeElement === [...root.querySelectorAll("button")].at(-1);
    });
}
