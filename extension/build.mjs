// Builds and zips the extension for each browser into dist/: `node build.mjs`.

import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import webExt from "web-ext";
import { browsers, manifest } from "./manifest.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const built = here("dist/built");

if (!existsSync(here("../packages/core/dist/husk_bg.wasm"))) {
    console.error("the engine is not built for WebAssembly yet: run scripts/build-wasm first");
    process.exit(1);
}
rmSync(here("dist"), { recursive: true, force: true });
await pages();
locales();
await script("background", "src/background/main.ts", "es");
// Injected scripts cannot be modules.
await script("page", "src/page/main.ts", "iife");
for (const browser of browsers) await pack(browser);

async function pages() {
    await build({
        configFile: false,
        root: here("src"),
        publicDir: here("public"),
        logLevel: "warn",
        worker: { format: "es" },
        build: {
            outDir: built,
            emptyOutDir: true,
            target: "es2023",
            modulePreload: false,
            // Not minified, for reviewers.
            minify: false,
            assetsInlineLimit: 0,
            rolldownOptions: { input: [here("src/results.html"), here("src/options.html")] },
        },
    });
}

/** Messages of the extension and of the shared views. */
function locales() {
    for (const language of ["en", "es"]) {
        const files = [`../packages/views/messages/${language}.json`, `messages/${language}.json`];
        const words = files.map((file) => JSON.parse(readFileSync(here(file), "utf8")));
        const folder = `${built}/_locales/${language}`;
        mkdirSync(folder, { recursive: true });
        writeFileSync(`${folder}/messages.json`, `${JSON.stringify(Object.assign({}, ...words), null, 4)}\n`);
    }
}

/** A script as a single file. */
async function script(name, entry, format) {
    await build({
        configFile: false,
        root: here("src"),
        publicDir: false,
        logLevel: "warn",
        build: {
            outDir: built,
            emptyOutDir: false,
            target: "es2023",
            minify: false,
            lib: {
                entry: here(entry),
                formats: [format],
                name: `husk_${name}`,
                fileName: () => `${name}.js`,
            },
        },
    });
}

async function pack(browser) {
    const folder = here(`dist/${browser}`);
    mkdirSync(folder, { recursive: true });
    cpSync(built, folder, { recursive: true });
    writeFileSync(`${folder}/manifest.json`, `${JSON.stringify(manifest(browser), null, 4)}\n`);
    await webExt.cmd.build(
        {
            sourceDir: folder,
            artifactsDir: here("dist"),
            filename: `husk-${browser}.zip`,
            overwriteDest: true,
        },
        { showReadyMessage: false },
    );
}
