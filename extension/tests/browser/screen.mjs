// A screen that nobody sees, for a browser whose whole window is to be seen in a picture.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";

const run = promisify(execFile);

export class Screen {
    #server;

    static async start() {
        const screen = new Screen();
        // It chooses a number that is free, and says which.
        const size = ["-screen", "0", "1280x960x24"];
        screen.#server = spawn("Xvfb", ["-displayfd", "3", ...size], {
            stdio: ["ignore", "ignore", "ignore", "pipe"],
        });
        const [number] = await Promise.race([
            once(screen.#server.stdio[3], "data"),
            once(screen.#server, "error").then(([error]) => {
                throw new Error(`no screen for Chromium: ${error.message}`);
            }),
        ]);
        process.env.DISPLAY = `:${String(number).trim()}`;
        return screen;
    }

    async shoot(path) {
        await run("import", ["-window", "root", path]);
    }

    stop() {
        this.#server.kill();
    }
}
