// The real server, `husk serve`, with the web page it has built in.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { husk } from "../../../extension/tests/browser/machine.mjs";

/** As long as a server may take to be there, on a machine that is busy. */
const MOST_MILLISECONDS = 60_000;

const program = husk();

/** Starts it for sites on this machine; `watched` is its address, which the browser's complaints are about. */
export async function serve(...flags) {
    const loading = ["--port", "0", "--no-store", "--no-cache", "--allow-private", "--delay", "0"];
    const child = spawn(program, ["serve", ...loading, ...flags], {
        // Where there is no husk.toml.
        cwd: tmpdir(),
        stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    const watched = await new Promise((resolve, reject) => {
        const wait = setTimeout(() => reject(new Error(`the server said only: ${said}`)), MOST_MILLISECONDS);
        const listen = (piece) => {
            said += piece;
            const address = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
            if (!address) return;
            clearTimeout(wait);
            resolve(address);
        };
        child.stdout.on("data", listen);
        child.stderr.on("data", listen);
        child.once("error", reject);
        child.once("exit", () => reject(new Error(`the server ended: ${said}`)));
    });
    const close = async () => {
        if (child.exitCode === null) {
            child.kill("SIGKILL");
            await once(child, "exit");
        }
    };
    return { watched, close, said: () => said };
}
