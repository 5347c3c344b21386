// The example site of the repository, loaded from disk as the command loads it.
import { existsSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Session } from "@husk/core";

export const ROOT = fileURLToPath(new URL("../../../examples/site/", import.meta.url));
export const ADDRESS = "https://lighthouse.example/";
export const KEY_PAGE = `${ADDRESS}visit/tickets/`;

/** The file of a URL of the site, if there is one. */
export function file(url) {
    const path = ROOT + decodeURIComponent(new URL(url).pathname.slice(1));
    const found = [path, `${path}index.html`, `${path}/index.html`].find(
        (name) => existsSync(name) && statSync(name).isFile(),
    );
    return found && readFileSync(found);
}

export function extract(url = KEY_PAGE, options = {}) {
    const session = new Session(url, file(url).toString(), options);
    for (let wanted = session.nextWanted(); wanted; wanted = session.nextWanted()) {
        const body = file(wanted);
        // As in the command, a folder's index page has the URL of the folder.
        const url = wanted.replace(/index\.html$/, "");
        if (body) session.giveAnswer({ url, contentType: "text/html; charset=utf-8", body });
        else session.giveUp("there is no such file");
    }
    return session.finish();
}
