// A server that answers as `husk serve` does, always with the same: `node tests/mock-server.mjs [PORT]`.
//
// For work on the page while the real one is not at hand, and for tests without a browser. The page is served as built
// into the folder HUSK_ASSETS, or the server's assets.

import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { EVENTS, OUTPUTS, summary } from "./canned.mjs";

const ASSETS = process.env.HUSK_ASSETS ?? join(import.meta.dirname, "../../crates/husk-server/assets");
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };
const POLICY =
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline' data:; img-src 'self' data:; font-src data:; " +
    "connect-src 'self'; frame-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export class MockServer {
    /** Every request: method, path, header fields, body. */
    requests = [];
    /** Answers a request otherwise if it returns `{ status, headers, body }`. */
    fault = () => undefined;
    /** What there is of every result. */
    outputs = OUTPUTS;
    /** How many milliseconds there are between events. */
    pace = 0;
    #results = new Map();
    #server = createServer((request, response) => {
        this.#answer(request, response).catch((error) => response.destroy(error));
    });

    static async start(port = 0) {
        const mock = new MockServer();
        mock.#server.listen(port, "127.0.0.1");
        await once(mock.#server, "listening");
        mock.origin = `http://127.0.0.1:${mock.#server.address().port}`;
        return mock;
    }

    close() {
        this.#server.closeAllConnections();
        this.#server.close();
    }

    async #answer(request, response) {
        const seen = { method: request.method, path: request.url, headers: request.headers, isCutOff: false };
        response.on("close", () => {
            seen.isCutOff = !response.writableFinished;
        });
        this.requests.push(seen);
        const pieces = [];
        for await (const piece of request) pieces.push(piece);
        seen.body = Buffer.concat(pieces).toString();
        const fault = this.fault(seen);
        if (fault) {
            const headers = { "Content-Type": "application/problem+json", ...fault.headers };
            response
                .writeHead(fault.status, headers)
                .end(JSON.stringify({ status: fault.status, ...fault.body }));
            return;
        }
        const { pathname } = new URL(request.url, this.origin);
        if (request.method === "POST" && pathname === "/v1/results") await this.#extract(seen, response);
        else if (pathname.startsWith("/v1/results/")) this.#kept(pathname, response);
        else await serveFile(pathname, response);
    }

    async #extract(seen, response) {
        response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
        response.write(": here\n\n");
        for (const [name, data] of EVENTS) {
            if (this.pace > 0) await new Promise((resolve) => setTimeout(resolve, this.pace));
            if (response.destroyed) return;
            response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
        }
        const id = `r${this.#results.size + 1}`;
        const made = summary(id, /"method":"paper"/.test(seen.body) ? "paper" : "husk");
        this.#results.set(id, made);
        response.end(`event: result\ndata: ${JSON.stringify(made)}\n\n`);
    }

    #kept(pathname, response) {
        const [, , , id, output] = pathname.split("/");
        const result = this.#results.get(id);
        const value = output ? this.outputs[output] : result;
        if (!result || value === undefined) {
            const problem = { type: "/problems/not-found", title: "Not found", status: 404 };
            response
                .writeHead(404, { "Content-Type": "application/problem+json" })
                .end(JSON.stringify(problem));
            return;
        }
        const isText = typeof value === "string";
        response.writeHead(200, {
            "Content-Type": isText ? "text/plain; charset=utf-8" : "application/json",
        });
        response.end(isText ? value : JSON.stringify(value));
    }
}

async function serveFile(pathname, response) {
    const name = pathname.startsWith("/assets/") ? pathname.slice("/assets/".length) : "index.html";
    const file = await readFile(join(ASSETS, name)).catch(() => undefined);
    const type = TYPES[extname(name)] ?? "application/octet-stream";
    const headers = { "Content-Type": `${type}; charset=utf-8`, "Content-Security-Policy": POLICY };
    response.writeHead(file ? 200 : 404, headers).end(file ?? "");
}

if (process.argv[1] === import.meta.filename) {
    const mock = await MockServer.start(Number(process.argv[2] ?? 8080));
    mock.pace = 350;
    console.log(mock.origin);
}
