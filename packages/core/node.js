// The engine for Node, initialised on import.
import { readFileSync } from "node:fs";
import { initSync } from "./dist/husk.js";

initSync({ module: readFileSync(new URL("./dist/husk_bg.wasm", import.meta.url)) });

export * from "./dist/husk.js";

/** Same interface as in browsers; here the module is already loaded. */
export default async function init() {}
