// The command, which the extension must agree with.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { husk } from "./machine.mjs";

const run = promisify(execFile);
// Now, since building it may take longer than a test may.
const program = husk();

/** What the command prints for a page that is served here. */
export async function command(name, address, ...flags) {
    const loading = ["--delay", "0", "--ignore-robots", "--no-cache", "--proxy", "none", "--quiet"];
    const { stdout } = await run(program, [name, address, ...loading, ...flags], { maxBuffer: 1 << 28 });
    return stdout;
}

export async function commandJson(name, address, ...flags) {
    return JSON.parse(await command(name, address, "--format", "json", ...flags));
}
