// Progress view: the loaded pages, why they were selected, and what happened.

import { pathOf } from "./address";
import { explain } from "./cause";
import { element } from "./element";
import type { SelectionReason } from "./engine";
import { counted, text } from "./i18n";
import { reason } from "./why";

export interface LoadingItem {
    url: string;
    /** Why the page was selected; undefined for a sitemap. */
    why: SelectionReason | undefined;
    state: "loading" | "taken" | "left-out";
    /** Why it was not used, from the loader. */
    cause: string | undefined;
}

export interface Progress {
    /** All requested pages, in order. */
    items: LoadingItem[];
    /** Progress between 0 and 1. */
    done: number;
}

/** Progress bar, count and list. */
export class ProgressView {
    readonly #bar = element("progress", { max: "1", "aria-label": text("progress") });
    readonly #count = element("p", { class: "quiet", "aria-live": "polite" });
    readonly #list = element("ol", { class: "pages", "aria-label": text("pagesAsked") });
    readonly nodes: HTMLElement[] = [this.#bar, this.#count, this.#list];
    #shown: LoadingItem[] = [];

    show({ items, done }: Progress): void {
        this.#bar.value = done;
        const taken = items.filter((item) => item.state === "taken" && item.why !== undefined).length;
        this.#count.textContent = counted("pagesLoaded", taken);
        const same = items.findIndex((item, at) => !isAlike(item, this.#shown[at]));
        const kept = same < 0 ? items.length : same;
        while (this.#list.children.length > kept) this.#list.lastElementChild?.remove();
        this.#list.append(...items.slice(kept).map(entry));
        this.#shown = items;
        this.#list.lastElementChild?.scrollIntoView?.({ block: "nearest" });
    }
}

function isAlike(one: LoadingItem, other: LoadingItem | undefined): boolean {
    return one.url === other?.url && one.state === other.state && one.cause === other.cause;
}

function entry(item: LoadingItem): HTMLElement {
    return element(
        "li",
        { class: `page ${item.state}` },
        element("span", { class: "address", title: item.url }, pathOf(item.url)),
        element("span", { class: "reason" }, reason(item.why)),
        element("span", { class: "outcome" }, outcome(item)),
    );
}

function outcome(item: LoadingItem): string {
    if (item.state === "loading") return text("itemLoading");
    return item.cause === undefined ? text("itemTaken") : explain(item.cause).text;
}
