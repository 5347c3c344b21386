// What somebody gives to be extracted from, and what is asked of the server for it.

import type { Ask } from "../api/server";
import type { Method } from "../api/types";

export interface GivenPage {
    url: string;
    html: string;
}

export type Input =
    /** The server loads the page, and others of its site. */
    | { kind: "url"; url: string }
    /** Everything is here: nothing is loaded. */
    | { kind: "pages"; page: GivenPage; siblings: GivenPage[] }
    | { kind: "archive"; file: File; page?: string };

export interface Choices {
    method: Method;
    /** The server's own number if nothing is said. */
    pagesToCompare: number | undefined;
    /** Whether to forget what was learned of the site. */
    fresh: boolean;
}

export const USUAL: Choices = { method: "husk", pagesToCompare: undefined, fresh: false };

/** As much as a server takes unless it is set up otherwise. */
export const MOST_BYTES = 16 * 1024 * 1024;

export function askOf(input: Input, choices: Choices): Ask {
    if (input.kind === "archive") {
        const query = { ...(input.page ? { page: input.page } : {}), method: choices.method };
        return { body: input.file, type: "application/warc", query };
    }
    const options = {
        method: choices.method,
        ...(choices.pagesToCompare === undefined ? {} : { pages_to_compare: choices.pagesToCompare }),
    };
    const given = input.kind === "url" ? { url: input.url } : { page: input.page, siblings: input.siblings };
    const said = { ...given, options, ...(choices.fresh ? { fresh: true } : {}) };
    return { body: JSON.stringify(said), type: "application/json" };
}

/** The address that somebody typed, with what is commonly left out; undefined if it is none of the web. */
export function typedAddress(typed: string): string | undefined {
    const words = typed.trim();
    if (words === "" || /\s/.test(words)) return undefined;
    // Machines without a name of their own have no certificate either.
    const scheme = /^(?:localhost|[\d.]+|\[[\da-f:.]+\])(?:[:/?#]|$)/i.test(words) ? "http" : "https";
    const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(words) ? words : `${scheme}://${words}`;
    if (!URL.canParse(whole)) return undefined;
    const url = new URL(whole);
    const isHost = /[.:]/.test(url.host) || url.hostname === "localhost";
    return ["http:", "https:"].includes(url.protocol) && isHost ? url.href : undefined;
}

/** What an input is called while it is worked on. */
export function nameOf(input: Input): string {
    if (input.kind === "url") return input.url;
    return input.kind === "archive" ? (input.page ?? input.file.name) : input.page.url;
}
