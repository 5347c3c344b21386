// What this machine has: browsers, the command, the corpus. What is missing is skipped, or asked for.

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Where a browser may be, by the name it has in the tests. */
const NAMES = {
    chromium: ["chromium", "chromium-browser", "google-chrome"],
    firefox: ["firefox-esr", "firefox"],
};

/** The path of a browser's program; undefined if there is none. */
export function executable(browser) {
    const given = process.env[`HUSK_${browser.toUpperCase()}`];
    if (given) return given;
    const folders = (process.env.PATH ?? "").split(delimiter);
    const paths = NAMES[browser].flatMap((name) => folders.map((folder) => join(folder, name)));
    return paths.find((path) => existsSync(path));
}

/** The browsers to test in: both, or those that HUSK_BROWSERS names. */
export const browsers = (process.env.HUSK_BROWSERS ?? "chromium,firefox").split(",");

/** Why nothing can be tested in a browser; false if it can. With HUSK_REQUIRE_TOOLS=1 that is an error. */
export function missing(browser) {
    if (!existsSync(join(root, `extension/dist/${browser}/manifest.json`))) {
        return lacking("the extension is not built: run `npm run build` in extension/");
    }
    return missingBrowser(browser);
}

/** The same for tests that need nothing but the browser. */
export function missingBrowser(browser) {
    if (executable(browser)) return false;
    return lacking(`there is no ${browser}: install it, or name it by HUSK_${browser.toUpperCase()}`);
}

function lacking(what) {
    if (process.env.HUSK_REQUIRE_TOOLS === "1") throw new Error(what);
    return `SKIPPED: ${what}`;
}

/** The command that the extension is compared with: HUSK_BIN, or built here. */
export function husk() {
    if (process.env.HUSK_BIN) return process.env.HUSK_BIN;
    execFileSync("cargo", ["build", "--release", "--quiet", "-p", "husk-cli"], {
        cwd: root,
        stdio: "inherit",
    });
    return join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "release/husk");
}

/** The folder with labelled sites; undefined if there is none. */
export function corpus() {
    const folder = process.env.HUSK_CORPUS ?? join(root, "../shared/corpus");
    return existsSync(folder) ? folder : undefined;
}

export function fixture(site) {
    return join(root, "fixtures/sites", site, "pages");
}
