// Loads pages of the site with `fetch`, a few at a time.

import type { Loaded } from "../protocol";
import { placeOf } from "./place";

/** Time and size limits, as in the command. */
const MOST_SECONDS = 30;
const MOST_BYTES = 64 << 20;

const MOST_AT_ONCE = 3;

export interface LoaderOptions {
    /** URL of the key page; its origin is permitted. */
    keyPage: string;
    /** Whether to send cookies. */
    sendsCookies: boolean;
    signal: AbortSignal;
}

export class Loader {
    readonly #begun = new Map<string, Promise<Loaded>>();

    constructor(private readonly options: LoaderOptions) {}

    /** Loads a page and prefetches `ahead`. */
    load(url: string, ahead: string[] = []): Promise<Loaded> {
        const begun = this.#begin(url);
        // Errors are reported when the page is requested.
        for (const next of ahead.slice(0, MOST_AT_ONCE)) void this.#begin(next).catch(() => undefined);
        // Copy the bytes: the receiver may transfer them, and a page may be requested twice.
        this.#begun.delete(url);
        return begun;
    }

    #begin(url: string): Promise<Loaded> {
        const begun = this.#begun.get(url) ?? this.#fetch(url);
        this.#begun.set(url, begun);
        return begun;
    }

    async #fetch(wanted: string): Promise<Loaded> {
        const place = placeOf(wanted, this.options.keyPage, this.options.sendsCookies);
        if (place.kind === "missing") return place;
        const { url } = place;
        const signal = AbortSignal.any([this.options.signal, AbortSignal.timeout(MOST_SECONDS * 1000)]);
        try {
            const response = await fetch(url, {
                credentials: this.options.sendsCookies ? "include" : "omit",
                headers: { Accept: "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1" },
                signal,
            });
            return await answered(response);
        } catch (error) {
            this.options.signal.throwIfAborted();
            return { kind: "missing", cause: causeOf(url, error) };
        }
    }
}

async function answered(response: Response): Promise<Loaded> {
    const body = await bounded(response);
    if (!body) return { kind: "missing", cause: `${response.url} is longer than ${MOST_BYTES >> 20} MB` };
    const contentType = response.headers.get("Content-Type");
    const answer = { url: response.url, status: response.status, body };
    return { kind: "answer", answer: contentType === null ? answer : { ...answer, contentType } };
}

/** The body, unless too large. */
async function bounded(response: Response): Promise<Uint8Array | undefined> {
    const pieces: Uint8Array[] = [];
    let length = 0;
    const reader = response.body?.getReader();
    while (reader) {
        const { done, value } = await reader.read();
        if (done) break;
        length += value.length;
        if (length > MOST_BYTES) {
            await reader.cancel();
            return undefined;
        }
        pieces.push(value);
    }
    const body = new Uint8Array(length);
    let at = 0;
    for (const piece of pieces) {
        body.set(piece, at);
        at += piece.length;
    }
    return body;
}

function causeOf(url: string, error: unknown): string {
    const isTimeout = error instanceof DOMException && error.name === "TimeoutError";
    if (isTimeout) return `${url} did not answer within ${MOST_SECONDS} seconds`;
    // Browsers do not distinguish network errors from redirects to other sites.
    return `${url} could not be loaded, or leads to another site`;
}
