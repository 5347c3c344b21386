// The user's input and the request for it.

import type { Ask } from "../api/server";
import type { Method } from "../api/types";

export interface GivenPage {
    url: string;
    html: string;
}

export type Input =
    /** The server loads the page and its siblings. */
    | { kind: "url"; url: string }
    /** Pages in the request; nothing is loaded. */
    | { kind: "pages"; page: GivenPage; siblings: GivenPage[] }
    | { kind: "archive"; file: File; page?: string };

export interface Choices {
    method: Method;
    /** Undefined: the server's default. */
    pagesToCompare: number | undefined;
    /** Ignore the learned template. */
    fresh: boolean;
}

export const USUAL: Choices = { method: "husk", pagesToCompare: undefined, fresh: false };

/** The server's default limit. */
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

/** Parses a typed URL, adding the scheme; undefined if invalid. */
export function typedAddress(typed: string): string | undefined {
    const words = typed.trim();
    if (words === "" || /\s/.test(words)) return undefined;
    // IP addresses and localhost rarely have certificates.
    const scheme = /^(?:localhost|[\d.]+|\[[\da-f:.]+\])(?:[:/?#]|$)/i.test(words) ? "http" : "https";
    const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(words) ? words : `${scheme}://${words}`;
    if (!URL.canParse(whole)) return undefined;
    const url = new URL(whole);
    const isHost = /[.:]/.test(url.host) || url.hostname === "localhost";
    return ["http:", "https:"].includes(url.protocol) && isHost ? url.href : undefined;
}

/** Display name of an input. */
export function nameOf(input: Input): string {
    if (input.kind === "url") return input.url;
    return input.kind === "archive" ? (input.page ?? input.file.name) : input.page.url;
}
