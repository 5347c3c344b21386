// What every tab is made from.

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

/** The other tabs. */
export interface Beside {
    has(name: string): boolean;
    open(name: string): void;
}

export type MakePanel = (context: PanelContext) => Panel;

/** Fills a panel with what is still being written, and says so if that fails. */
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

/** A remark above what is shown. */
export function note(words: string): HTMLElement {
    return element("p", { class: "note" }, words);
}

/** The row of buttons of a panel. */
export function toolbar(...children: HTMLElement[]): HTMLElement {
    return element("div", { class: "toolbar" }, ...children);
}
