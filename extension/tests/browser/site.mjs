// Sites on this machine: a folder as a static server would serve it, and faults on demand.

import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

/** Without a charset for pages: what a file says of itself counts, as for the saved site. */
const TYPES = {
    ".html": "text/html",
    ".htm": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".xml": "application/xml",
    ".txt": "text/plain",
};

/**
 * An answer that is not a file's: `{ status, headers, body }`, each of which may be left out.
 * With `after`, so many milliseconds later; with `never`, the connection is held and nothing said.
 * @typedef {{ status?: number, headers?: Record<string, string>, body?: string, after?: number, never?: boolean }} Answer
 */

/** A site that is being served. Each has an address of 127.0.0.0/8 to itself: permissions know no ports. */
export class Site {
    /** Every request, in the order in which they came. */
    requests = [];
    /** Answers a request otherwise than by a file if it returns an `Answer`. */
    fault = () => undefined;
    /** Header fields that every page comes with. */
    headers = {};
    /** How many milliseconds every answer takes. */
    pace = 0;
    /** What is made of every page before it is sent. */
    change = undefined;

    #server;
    #folder;

    static async serve(folder, address = freshAddress()) {
        const site = new Site();
        site.#folder = folder;
        site.#server = createServer((request, response) => {
            site.#answer(request, response).catch((error) => {
                response.writeHead(500).end(String(error));
            });
        });
        site.#server.listen(0, address);
        await once(site.#server, "listening");
        site.host = address;
        site.origin = `http://${address}:${site.#server.address().port}`;
        return site;
    }

    address(path = "/") {
        return this.origin + path;
    }

    /** The requests of scripts, such as the extension's; not those for a page in a tab and what it shows. */
    fetched() {
        return this.requests.filter(({ purpose }) => purpose === "empty");
    }

    forget() {
        this.requests.length = 0;
    }

    /** From now on answers one address by this page, and not by its file. */
    serveInstead(address, html) {
        const { pathname, search } = new URL(address, this.origin);
        this.fault = ({ path }) => {
            if (path !== pathname + search) return undefined;
            return { headers: { "Content-Type": "text/html; charset=utf-8" }, body: html };
        };
    }

    async close() {
        this.#server.closeAllConnections();
        this.#server.close();
    }

    async #answer(request, response) {
        const seen = {
            path: request.url,
            host: request.headers.host,
            cookie: request.headers.cookie,
            purpose: request.headers["sec-fetch-dest"],
            isAnswered: false,
            isCutOff: false,
        };
        this.requests.push(seen);
        response.on("finish", () => {
            seen.isAnswered = true;
        });
        response.on("close", () => {
            seen.isCutOff = !seen.isAnswered;
        });
        const answer = this.fault(seen) ?? (await this.#file(request.url));
        if (answer.never) return;
        await new Promise((resolve) => setTimeout(resolve, answer.after ?? this.pace));
        const headers = { "Content-Type": "text/html", "Cache-Control": "no-store", ...answer.headers };
        response.writeHead(answer.status ?? 200, headers).end(answer.body ?? "");
    }

    /** The file that a static server has for an address. */
    async #file(address) {
        const { pathname, search } = new URL(address, this.origin);
        const path = normalize(join(this.#folder, decodeURIComponent(pathname)));
        if (!path.startsWith(this.#folder)) return NOT_FOUND;
        // A mirror keeps what was asked for in the name of the file.
        const wanted = search ? [path + decodeURIComponent(search)] : [];
        wanted.push(path, `${path}.html`);
        for (const candidate of wanted) {
            const info = await stat(candidate).catch(() => undefined);
            if (info?.isFile()) return this.#read(candidate);
            if (info?.isDirectory()) {
                const index = await firstFile(candidate, ["index.html", "index.htm"]);
                if (!index) continue;
                if (pathname.endsWith("/")) return this.#read(index);
                return { status: 301, headers: { Location: `${pathname}/${search}` } };
            }
        }
        return NOT_FOUND;
    }

    async #read(path) {
        const type = TYPES[extname(path)] ?? "text/html";
        const headers = { "Content-Type": type, ...(type === "text/html" ? this.headers : {}) };
        const body = await readFile(path);
        const changed = type === "text/html" && this.change ? this.change(body.toString("utf8")) : body;
        return { headers, body: changed };
    }
}

const NOT_FOUND = { status: 404, body: "<!doctype html><title>Not found</title><h1>Not found</h1>" };

/**
 * A proxy that lets nothing out, for all that is not on this machine, and remembers what was wanted.
 * Pages of other people name style sheets and scripts of other hosts: no test may wait for those.
 */
export class Wall {
    wanted = [];
    #server;

    static async build() {
        const wall = new Wall();
        wall.#server = createServer((request, response) => {
            wall.wanted.push(request.url);
            response.writeHead(403).end();
        });
        wall.#server.on("connect", (request, socket) => {
            wall.wanted.push(`https://${request.url}`);
            socket.on("error", () => undefined);
            socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
        });
        wall.#server.listen(0, "127.0.0.1");
        await once(wall.#server, "listening");
        wall.port = wall.#server.address().port;
        return wall;
    }

    close() {
        this.#server.closeAllConnections();
        this.#server.close();
    }
}

let addresses = 1;

function freshAddress() {
    addresses += 1;
    return `127.0.${addresses >> 8}.${addresses & 255}`;
}

async function firstFile(folder, names) {
    for (const name of names) {
        const path = join(folder, name);
        if ((await stat(path).catch(() => undefined))?.isFile()) return path;
    }
    return undefined;
}
