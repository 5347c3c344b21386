// The extension finds what the command finds: same pages compared, same nodes, same menu, same content.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { command, commandJson } from "./command.mjs";
import { inEachBrowser } from "./in-each-browser.mjs";
import { KEY_PAGE } from "./lighthouse.mjs";
import { corpus, fixture } from "./machine.mjs";
import { captured, extract, written, writtenJson } from "./results.mjs";
import { Site } from "./site.mjs";

/** Of many kinds: generators, hand-written tables, scripts that change the page, other scripts than Latin. */
const SITES = [
    "letsencrypt",
    "pinia-zh",
    "redux-docusaurus",
    "cocinar",
    "archpwn",
    "praxis-paling",
    "sqlite",
    "arabia-inform",
    "turbine",
];

inEachBrowser("parity with the command", {}, (check) => {
    check("lighthouse", (browser) =>
        sameAsCommand(browser, fixture("lighthouse"), KEY_PAGE, { served: true }),
    );
    check("a page that its scripts make", (browser) => {
        return sameAsCommand(browser, fixture("lighthouse"), KEY_PAGE, { change: madeByScript });
    });
    const folder = corpus();
    if (!folder) {
        console.log(
            "SKIPPED: parity on real sites, since there is no corpus: neither HUSK_CORPUS nor ../shared/corpus",
        );
        return;
    }
    for (const name of SITES) {
        check(name, (browser) => {
            const { key_pages } = JSON.parse(readFileSync(join(folder, name, "site.json"), "utf8"));
            return sameAsCommand(browser, join(folder, name, "pages"), key_pages[0].url_path);
        });
    }
});

/**
 * Extracts in the browser, then by the command from the same server.
 *
 * Scripts may have changed the page in the tab, so the command is served what the extension saw. Where there are none
 * (`served`) it must find the same in the file itself.
 */
async function sameAsCommand(browser, folder, path, { served = false, change } = {}) {
    const site = await Site.serve(folder);
    site.change = change;
    try {
        const { results } = await extract(browser, site.address(path));
        const found = {
            template: await writtenJson(browser, results, "template-json"),
            menu: await writtenJson(browser, results, "menu-json"),
            content: await written(browser, results, "content-markdown"),
        };
        assert.ok(found.template.compared.length > 0, "there is something to compare");
        const page = await captured(results);
        if (served) await isFound(found, page.url);
        site.serveInstead(page.url, page.html);
        await isFound(found, page.url);
    } finally {
        await site.close();
    }
}

/** The page with nothing in its body but a script that brings what was there; its siblings stay as they were. */
function madeByScript(html) {
    if (!html.includes("<title>The piano on the stairs")) return html;
    return html.replace(/<body([^>]*)>([\s\S]*)<\/body>/, (_, attributes, inside) => {
        const text = JSON.stringify(inside).replaceAll("<", "\\u003c");
        return `<body${attributes}><script>document.write(${text}); document.currentScript.remove();</script></body>`;
    });
}

async function isFound(found, address) {
    const template = await commandJson("template", address);
    assert.deepEqual(found.template.compared, template.compared, "the same pages");
    assert.deepEqual(
        found.template.nodes.map(({ xpath }) => xpath),
        template.nodes.map(({ xpath }) => xpath),
        "the same nodes",
    );
    for (const part of ["key_page", "method", "nodes", "slots", "placeholders", "loaded"]) {
        assert.deepEqual(found.template[part], template[part], part);
    }
    assert.deepEqual(found.menu, await commandJson("menu", address, "--all"));
    assert.equal(
        found.content.trimEnd(),
        (await command("content", address, "--format", "markdown")).trimEnd(),
    );
}
