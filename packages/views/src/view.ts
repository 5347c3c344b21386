// The view of one state.

import { button, type Child, element } from "./element";
import { text } from "./i18n";

export interface View {
    nodes: Node[];
    /** Gets the focus, for screen readers. */
    heading: HTMLElement;
    /** Cleans up. */
    leave?(): void;
}

export function headingOf(words: string): HTMLElement {
    return element("h1", { tabindex: "-1", dir: "auto" }, words);
}

export function paragraph(words: string, attributes = {}): HTMLElement {
    return element("p", attributes, words);
}

export interface Said {
    /** Name of the application. */
    brand: string;
    heading: HTMLElement;
    said: Child[];
    actions: HTMLElement[];
    id?: string;
}

/** A view with one message. */
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

/** Details for problem reports. */
export function details(words: string): HTMLElement {
    return element(
        "details",
        {},
        element("summary", {}, text("details")),
        element("pre", { lang: "en", tabindex: "0" }, words),
    );
}

/** Handles the Escape key; returns a function that stops it. */
export function onEscape(act: () => void): () => void {
    const press = ({ key }: KeyboardEvent) => {
        if (key === "Escape") act();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
}
