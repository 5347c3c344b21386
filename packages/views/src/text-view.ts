// A text view, truncated to what browsers show quickly.

import { element } from "./element";
import { number, text } from "./i18n";

const MOST_SHOWN = 1_000_000;

export class TextView {
    readonly #note = element("p", { class: "note", hidden: true });
    readonly #shown: HTMLElement;
    readonly nodes: HTMLElement[];

    constructor(label: string, attributes: Record<string, string> = {}) {
        this.#shown = element("pre", {
            class: "source",
            tabindex: "0",
            "aria-label": label,
            role: "region",
            ...attributes,
        });
        this.nodes = [this.#note, this.#shown];
    }

    /** Shows that another text is loading. */
    wait(): void {
        this.#shown.setAttribute("aria-busy", "true");
    }

    show(words: string): void {
        this.#shown.textContent = words.slice(0, MOST_SHOWN);
        this.#shown.scrollTop = 0;
        this.#shown.removeAttribute("aria-busy");
        this.#note.hidden = words.length <= MOST_SHOWN;
        this.#note.textContent = text("sourceCut", { shown: number(MOST_SHOWN), all: number(words.length) });
    }
}
