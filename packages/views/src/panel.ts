// Common parts of all tabs.

import { element } from "./element";
import { text } from "./i18n";
import type { Summary } from "./outputs";
import type { Saving } from "./saving";
import type { Spotlight } from "./spotlight";
import type { Panel } from "./tabs";

export interface PanelContext extends Saving {
    summary: Summary;
    beside: Beside;
    spotlight: Spotlight;
}

export interface Beside {
    has(name: string): boolean;
    open(name: string): void;
}

export type MakePanel = (context: PanelContext) => Panel;

/** Fills a panel when its output is ready; shows a message if that fails. */
export function fillWhenReady(panel: HTMLElement, ready: Promise<Node[]>): void {
    panel.setAttribute("aria-busy", "true");
    panel.replaceChildren(element("p", { class: "quiet padded" }, text("writing")));
    void ready
        .catch((): Node[] => [element("p", { class: "note" }, text("notWritten"))])
        .then((nodes) => {
            panel.replaceChildren(...nodes);
            panel.removeAttribute("aria-busy");
        });
}

/** A note above the output. */
export function note(words: string): HTMLElement {
    return element("p", { class: "note" }, words);
}

export function toolbar(...children: HTMLElement[]): HTMLElement {
    return element("div", { class: "toolbar" }, ...children);
}
