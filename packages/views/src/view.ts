// What stands on the page in one state: a card that says one thing, or the results.

import { button, type Child, element } from "./element";
import { text } from "./i18n";

export interface View {
    nodes: Node[];
    /** Gets the focus, so that a new state is read out. */
    heading: HTMLElement;
    /** Ends what only belongs to this view. */
    leave?(): void;
}

export function headingOf(words: string): HTMLElement {
    return element("h1", { tabindex: "-1", dir: "auto" }, words);
}

export function paragraph(words: string, attributes = {}): HTMLElement {
    return element("p", attributes, words);
}

/** What a card says. */
export interface Said {
    /** The name of the surface, above it. */
    brand: string;
    heading: HTMLElement;
    said: Child[];
    actions: HTMLElement[];
    id?: string;
}

/** The view of a state that has one thing to say. */
export function card({ brand, heading, said, actions, id = "card" }: Said): View {
    const name = element("header", { class: "brand" }, element("span", {}, brand));
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

export function againButton(again: () => void, label = text("tryAgain"), attributes = {}): HTMLButtonElement {
    return button(label, again, { id: "again", ...attributes });
}

export function cancelButton(cancel: () => void): HTMLButtonElement {
    return button(text("cancel"), cancel, { id: "cancel" });
}

/** What is only of use to those who report a problem. */
export function details(words: string): HTMLElement {
    return element(
        "details",
        {},
        element("summary", {}, text("details")),
        element("pre", { lang: "en", tabindex: "0" }, words),
    );
}

/** Acts on the Escape key, wherever the focus is; answers what ends that. */
export function onEscape(act: () => void): () => void {
    const press = ({ key }: KeyboardEvent) => {
        if (key === "Escape") act();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
}
