// Results on the page, written by nobody but the test.

import { vi } from "vitest";
import type { OutputName, Summary } from "../src/outputs";
import type { MakePanel } from "../src/panel";
import { resultsView } from "../src/results";
import { Written } from "../src/written";

export const summary: Summary = {
    url: "https://example.org/a",
    nodes: 1200,
    templateNodes: 864,
    templateSupport: 4,
    compared: ["b", "c", "d", "e"].map((name) => `https://example.org/${name}`),
    visits: [],
    loaded: [],
    scripted: [],
    needsRendering: undefined,
};

/** Shows panels with what is written for them; what is not given cannot be written. */
export function showResults(
    panels: MakePanel[],
    outputs: Partial<Record<OutputName, unknown>>,
    actions: HTMLElement[] = [],
): void {
    const write = async (name: OutputName) => {
        if (!(name in outputs)) throw new Error(`no ${name}`);
        return outputs[name] as never;
    };
    const { nodes } = resultsView({ title: "A", summary, written: new Written({ write }), actions, panels });
    document.body.replaceChildren(...nodes);
}

export const find = <Found extends HTMLElement = HTMLElement>(selector: string): Found => {
    const found = document.querySelector<Found>(selector);
    if (!found) throw new Error(`there is no ${selector}`);
    return found;
};

export const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];

export const until = (selector: string) => vi.waitFor(() => find(selector));
