// Loads pages in background tabs, for sites that need JavaScript.

import { type CapturedPage, faultOf, type Loaded } from "../protocol";
import { BackgroundTab, type Sight } from "./background-tab";
import { isFile } from "./file";
import { placeOf } from "./place";
import { within } from "./within";

/** Timing in milliseconds. */
export interface Pace {
    /** Polling interval. */
    look: number;
    /** Time without DOM changes until a page counts as rendered. */
    quiet: number;
    /** Time that a tab may be inaccessible while it starts to load. */
    shut: number;
    /** Maximum time to render. */
    making: number;
    /** Maximum time in total. */
    all: number;
}

/** Background tabs run timers once a second, so `quiet` must be longer. */
const PACE: Pace = { look: 150, quiet: 1200, shut: 3000, making: 12_000, all: 15_000 };

export class TabLoader {
    constructor(
        private readonly keyPage: string,
        private readonly signal: AbortSignal,
        private readonly pace: Pace = PACE,
    ) {}

    /** Loads a page; no prefetching, since every page is a tab. */
    async load(wanted: string): Promise<Loaded> {
        const place = placeOf(wanted, this.keyPage, true);
        if (place.kind === "missing") return place;
        const { url } = place;
        const timeout = AbortSignal.timeout(this.pace.all);
        try {
            return await this.#open(url, AbortSignal.any([this.signal, timeout]));
        } catch (error) {
            this.signal.throwIfAborted();
            if (timeout.aborted) return missing(tooSlow(url, this.pace.all));
            return missing(causeOf(url, error));
        }
    }

    async #open(url: string, signal: AbortSignal): Promise<Loaded> {
        if (await isFile(url, signal)) return missing(`${url} is a file, not a page: it is not opened`);
        const tab = await BackgroundTab.open(url, signal);
        try {
            const sight = await this.#settle(tab, signal);
            if (sight === "gone") return missing(`${url} could not be loaded: its tab was closed`);
            if (sight === "shut") return missing(`${url} could not be loaded, or leads to another site`);
            return answer(await within(signal, tab.capture()));
        } finally {
            tab.close();
        }
    }

    /** Waits until the page is stable. */
    async #settle(tab: BackgroundTab, signal: AbortSignal): Promise<Sight> {
        const end = performance.now() + this.pace.making;
        let [last, since]: [Sight, number] = ["loading", performance.now()];
        for (;;) {
            const sight = await within(signal, tab.sight());
            const now = performance.now();
            if (sight !== last) [last, since] = [sight, now];
            if (sight === "gone" || now >= end || now - since >= this.#enough(sight)) return sight;
            await within(signal, new Promise((resolve) => setTimeout(resolve, this.pace.look)));
        }
    }

    #enough(sight: Sight): number {
        if (sight === "loading") return Number.POSITIVE_INFINITY;
        return sight === "shut" ? this.pace.shut : this.pace.quiet;
    }
}

function missing(cause: string): Loaded {
    return { kind: "missing", cause };
}

function answer({ url, html }: CapturedPage): Loaded {
    const found = new URL(url);
    if (!/^https?:$/.test(found.protocol)) return missing(`${url} could not be loaded`);
    // Drop the fragment.
    found.hash = "";
    const body = new TextEncoder().encode(html);
    const contentType = "text/html; charset=utf-8";
    return { kind: "answer", answer: { url: found.href, status: 200, contentType, body } };
}

function tooSlow(url: string, milliseconds: number): string {
    return `${url} did not answer within ${milliseconds / 1000} seconds`;
}

function causeOf(url: string, error: unknown): string {
    switch (faultOf(error)) {
        case "not-html":
            return `${url} is a file, not a page: it is shown by the browser itself`;
        case "too-large":
            return `${url} is too large`;
        default:
            return `${url} could not be loaded, or leads to another site`;
    }
}
