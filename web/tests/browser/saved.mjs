// A small site as somebody may have it on disk: as a folder, and as an archive.

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const NAMES = ["index", "bread", "salt", "smoke", "harbour", "weather"];
const TEXTS = {
    index: "Everything about the island in one place, kept by those who stayed.",
    bread: "The oven is lit on Fridays. Whoever comes late gets the crust, and is glad of it.",
    salt: "Seven pans lie along the shore, and each of them has a name and an owner.",
    smoke: "Herring hangs for two days, eel for three; nobody has written down why.",
    harbour: "Four boats go out when the flag is up, and none when the cook says so.",
    weather: "There are eleven words for wind here, and one for everything else.",
};

/** A page of the site; all of them have the menu. */
function pageOf(name) {
    const links = NAMES.map((other) => `<li><a href="${other}.html">${other}</a></li>`).join("");
    return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Island: ${name}</title></head>
<body><header><p class="name">The island paper</p><nav><ul>${links}</ul></nav></header>
<main><h1>About ${name}</h1><p>${TEXTS[name]}</p><p>Written in the year of ${name}, and read aloud since.</p></main>
<footer><p>Printed on the island, carried by the ferry.</p></footer></body></html>`;
}

export class SavedSite {
    static async make() {
        const saved = new SavedSite();
        saved.root = await mkdtemp(join(tmpdir(), "husk-saved-"));
        saved.folder = join(saved.root, "island");
        await mkdir(saved.folder);
        for (const name of NAMES) await writeFile(saved.page(name), pageOf(name));
        saved.archive = join(saved.root, "island.warc");
        await writeFile(saved.archive, NAMES.map(recordOf).join(""));
        return saved;
    }

    /** All files of it. */
    get pages() {
        return NAMES.map((name) => this.page(name));
    }

    page(name) {
        return join(this.folder, `${name}.html`);
    }

    async remove() {
        await rm(this.root, { recursive: true, force: true });
    }
}

/** What a crawler would have written down of a page. */
function recordOf(name, at) {
    const body = pageOf(name);
    const lines = ["HTTP/1.1 200 OK", "Content-Type: text/html; charset=utf-8"];
    const answer = `${lines.join("\r\n")}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    const head = [
        "WARC/1.1",
        "WARC-Type: response",
        `WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-00000000000${at}>`,
        "WARC-Date: 2026-01-01T00:00:00Z",
        `WARC-Target-URI: https://island.example/${name}.html`,
        "Content-Type: application/http; msgtype=response",
        `Content-Length: ${Buffer.byteLength(answer)}`,
    ];
    return `${head.join("\r\n")}\r\n\r\n${answer}\r\n\r\n`;
}
