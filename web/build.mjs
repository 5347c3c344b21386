// Builds the page into the server's assets: `node build.mjs [FOLDER]`. The same sources give the same bytes.

import { cpSync, mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const folder = resolve(process.argv[2] ?? here("../crates/husk-server/assets"));

mkdirSync(folder, { recursive: true });
// The bundle names its modules as they are seen from here.
process.chdir(here("."));
await build({
    configFile: false,
    root: here("src"),
    publicDir: false,
    logLevel: "warn",
    build: {
        outDir: folder,
        emptyOutDir: false,
        target: "es2023",
        // Readable for those who want to know what a page does that they run; servers compress it anyway.
        minify: false,
        cssMinify: false,
        assetsInlineLimit: 0,
        lib: { entry: here("src/main.ts"), formats: ["es"], fileName: () => "app.js", cssFileName: "app" },
    },
});
cpSync(here("src/index.html"), `${folder}/index.html`);
cpSync(here("../extension/public/icons/icon.svg"), `${folder}/icon.svg`);
