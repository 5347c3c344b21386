// The states of the results page and their transitions.

import type { LoadingItem, Progress as Shown, Summary } from "@husk/views";
import type { Progress } from "../loading/extract";
import type { CapturedPage } from "../protocol";
import type { LoadingWay } from "../settings";
import type { Problem } from "./problem";

export type State =
    /** The tab is being read. */
    | { name: "reading" }
    /** Asking for permission. */
    | { name: "asking-permission"; page: CapturedPage }
    | Loading
    | Finished
    | { name: "failed"; problem: Problem }
    | { name: "cancelled" };

export interface Loading extends Shown {
    name: "loading";
    page: CapturedPage;
    way: LoadingWay;
}

export interface Finished {
    name: "finished";
    page: CapturedPage;
    summary: Summary;
}

export function beginLoading(page: CapturedPage, way: LoadingWay): Loading {
    return { name: "loading", page, way, items: [], done: 0 };
}

/** Applies a progress event; progress never decreases. */
export function advance(loading: Loading, progress: Progress): Loading {
    if (progress.kind === "loading") {
        const { step } = progress;
        const isPage = step.kind === "page";
        const item: LoadingItem = {
            url: step.url,
            why: isPage ? step.why : undefined,
            state: "loading",
            cause: undefined,
        };
        const before = loading.items.length;
        const expected = isPage ? before / (before + Math.max(1, step.atMost)) : 0;
        return { ...loading, items: [...loading.items, item], done: Math.max(loading.done, expected) };
    }
    const items = loading.items.map((item): LoadingItem => {
        if (item.url !== progress.url || item.state !== "loading") return item;
        return { ...item, state: progress.cause ? "left-out" : "taken", cause: progress.cause };
    });
    return { ...loading, items };
}
