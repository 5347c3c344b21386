// The engine for Node, ready when it is imported: there the module is a file beside this one.
import { readFileSync } from "node:fs";
import { initSync } from "./dist/husk.js";

initSync({ module: readFileSync(new URL("./dist/husk_bg.wasm", import.meta.url)) });

export * from "./dist/husk.js";

/** Browsers wait for the module by this; here there is nothing to wait for. */
export default async function init() {}
