// What stands on the page in one state.

import { button, type Child, element } from "../element";
import { text } from "../i18n";
import type { Flow } from "./flow";
import type { State } from "./model";

export interface View {
    nodes: Node[];
    /** Gets the focus, so that a new state is read out. */
    heading: HTMLElement;
    /** Shows another state of the same name without making all anew. */
    update?(state: State): void;
    /** Ends what only belongs to this view. */
    leave?(): void;
}

export type StateOf<Name extends State["name"]> = Extract<State, { name: Name }>;

/** A view for each state. */
export type Views = { [Name in State["name"]]: (state: StateOf<Name>, flow: Flow) => View };

export function headingOf(words: string): HTMLElement {
    return element("h1", { tabindex: "-1", dir: "auto" }, words);
}

/** The view of a state that has one thing to say. */
export function card(heading: HTMLElement, said: Child[], actions: HTMLElement[], id = "card"): View {
    const name = element("header", { class: "brand" }, element("span", {}, text("extensionName")));
    const main = element(
        "main",
        { class: "middle" },
        element(
            "section",
            { class: "card", id },
            heading,
            ...said,
            element("p", { class: "actions" }, ...actions),
        ),
    );
    return { nodes: [name, main], heading };
}

export function paragraph(words: string, attributes = {}): HTMLElement {
    return element("p", attributes, words);
}

export function againButton(flow: Flow, label = text("tryAgain"), attributes = {}): HTMLButtonElement {
    return button(label, () => void flow.start(), { id: "again", ...attributes });
}

export function optionsButton(): HTMLButtonElement {
    return button(text("options"), () => void chrome.runtime.openOptionsPage(), { id: "options" });
}

export function cancelButton(flow: Flow): HTMLButtonElement {
    return button(text("cancel"), () => flow.cancel(), { id: "cancel" });
}

/** Acts on the Escape key, wherever the focus is; answers what ends that. */
export function onEscape(act: () => void): () => void {
    const press = ({ key }: KeyboardEvent) => {
        if (key === "Escape") act();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
}
