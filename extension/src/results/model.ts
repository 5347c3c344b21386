// What the results page is doing at the moment: one of these states, and how one leads to the next.

import type { Why } from "@husk/core";
import type { Progress } from "../loading/extract";
import type { CapturedPage, Summary } from "../protocol";
import type { LoadingWay } from "../settings";
import type { Problem } from "./problem";

export type State =
    /** The tab is asked for its page. */
    | { name: "reading" }
    /** The user is asked whether other pages of the site may be loaded. */
    | { name: "asking-permission"; page: CapturedPage }
    | Loading
    | Finished
    | { name: "failed"; problem: Problem }
    | { name: "cancelled" };

export interface Loading {
    name: "loading";
    page: CapturedPage;
    way: LoadingWay;
    /** Everything that was asked for, in that order. */
    items: LoadingItem[];
    /** How much of the work is done, between 0 and 1; it never goes back. */
    done: number;
}

export interface LoadingItem {
    url: string;
    /** Why a page is needed; nothing for a file that lists pages. */
    why: Why | undefined;
    state: "loading" | "taken" | "left-out";
    /** Why it was left out, in the words of the loader. */
    cause: string | undefined;
}

export interface Finished {
    name: "finished";
    page: CapturedPage;
    summary: Summary;
}

export function beginLoading(page: CapturedPage, way: LoadingWay): Loading {
    return { name: "loading", page, way, items: [], done: 0 };
}

/** The state after another step. */
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
