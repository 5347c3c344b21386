// Highlights template, menu and content on the page.

import type { MarksJson } from "@husk/core";
import { type Say, whyOf } from "@husk/views/support";
import { type Colours, fault } from "../protocol";
import { type Explanation, explain } from "./explain";
import { showLegend } from "./legend";
import { Overlay } from "./overlay";
import { Painter } from "./painter";
import { isTinted, type Regions, regionsOf } from "./regions";
import type { Snapshot } from "./snapshot";
import { type Watcher, watch } from "./watch";

const say: Say = (name, ...values) => chrome.i18n.getMessage(name, values);

export class Tints {
    #shown: AbortController | undefined;

    constructor(readonly document: Document) {}

    get areShown(): boolean {
        return this.#shown !== undefined;
    }

    show(snapshot: Snapshot, marks: MarksJson, colours: Colours): { found: number; of: number } {
        this.hide();
        const regions = regionsOf(snapshot, marks);
        const of = marks.marks.length;
        if (regions.all.length === 0 && marks.marks.some(isTinted)) throw fault("page-changed");
        this.#shown = new AbortController();
        this.#paint(new Overlay(this.document, colours), regions, marks.compared, this.#shown.signal);
        return { found: regions.found, of };
    }

    hide(): null {
        this.#shown?.abort();
        this.#shown = undefined;
        return null;
    }

    #paint(overlay: Overlay, regions: Regions, compared: number, signal: AbortSignal): void {
        const { document } = this;
        const painter = new Painter(overlay, regions.all);
        const legend = showLegend(overlay, {
            say,
            language: say("tintLanguage"),
            shares: regions.shares,
            close: () => this.hide(),
        });
        const explanation: Explanation = {
            known: (node) => regions.known.get(node),
            why: ({ mark }) => whyOf(mark, compared, say),
            point: (known) => painter.point(known?.region),
        };
        overlay.show();
        watch(document, this.#watcher(overlay, painter), signal);
        explain(overlay, explanation, signal);
        this.#endOnEscape(signal);
        signal.addEventListener("abort", () => {
            painter.stop();
            overlay.remove();
        });
        painter.scrolled();
        // Focus the legend, unless something else has the focus.
        const { activeElement } = document;
        if (!activeElement || activeElement === document.body) legend.focus({ preventScroll: true });
    }

    /** Follows the page; stops if the page removed the overlay. */
    #watcher(overlay: Overlay, painter: Painter): Watcher {
        return {
            scrolled: () => painter.scrolled(),
            scrolledWithin: () => painter.scrolledWithin(),
            changed: () => (overlay.isThere ? painter.changed() : this.hide()),
        };
    }

    #endOnEscape(signal: AbortSignal): void {
        const press = (event: KeyboardEvent) => {
            if (event.key !== "Escape" || event.isComposing) return;
            // Escape is for the tints only.
            event.preventDefault();
            event.stopImmediatePropagation();
            this.hide();
        };
        window.addEventListener("keydown", press, { capture: true, signal });
    }
}
