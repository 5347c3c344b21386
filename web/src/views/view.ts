// The view of one state.

import { element, type View } from "@husk/views";
import type { Flow } from "../flow";
import type { State } from "../state";
import { text } from "../words";

export interface PageView extends View {
    /** Focus this instead of the heading. */
    focus?: HTMLElement;
    /** Updates the view in place; false if it must be rebuilt. */
    update?(state: State): boolean;
}

export type StateOf<Name extends State["name"]> = Extract<State, { name: Name }>;

export type Views = { [Name in State["name"]]: (state: StateOf<Name>, flow: Flow) => PageView };

/** Name of the page, linked to the start. */
export function brand(flow: Flow): HTMLElement {
    const sign = element("img", { src: "/assets/icon.svg", alt: "" });
    const home = element("a", { href: "/", class: "home" }, sign, "Husk");
    home.addEventListener("click", (event) => {
        // Leave modified clicks to the browser.
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        flow.toStart();
    });
    const reference = element("a", { href: "/reference" }, text("reference"));
    return element("header", { class: "brand" }, home, element("nav", {}, reference));
}

/** A card with a message and actions. */
export function card(flow: Flow, heading: HTMLElement, said: Node[], actions: HTMLElement[]): PageView {
    const inside = element("section", { class: "card", id: "card" }, heading, ...said);
    if (actions.length > 0) inside.append(element("p", { class: "actions" }, ...actions));
    return { nodes: [brand(flow), element("main", { class: "middle" }, inside)], heading };
}
