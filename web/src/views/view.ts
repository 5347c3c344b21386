// What stands on the page in one state, and the frame around it.

import { element, type View } from "@husk/views";
import type { Flow } from "../flow";
import type { State } from "../state";
import { text } from "../words";

export interface PageView extends View {
    /** What gets the focus instead of the heading. */
    focus?: HTMLElement;
    /** Shows another state of the same name without making all anew; false if that cannot be. */
    update?(state: State): boolean;
}

export type StateOf<Name extends State["name"]> = Extract<State, { name: Name }>;

/** A view for each state. */
export type Views = { [Name in State["name"]]: (state: StateOf<Name>, flow: Flow) => PageView };

/** The name of the page, which leads back to its beginning. */
export function brand(flow: Flow): HTMLElement {
    const sign = element("img", { src: "/assets/icon.svg", alt: "" });
    const home = element("a", { href: "/", class: "home" }, sign, "Husk");
    home.addEventListener("click", (event) => {
        // Who wants it in another tab gets it there.
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        flow.toStart();
    });
    const reference = element("a", { href: "/reference" }, text("reference"));
    return element("header", { class: "brand" }, home, element("nav", {}, reference));
}

/** One thing that is said, with what can be done about it. */
export function card(flow: Flow, heading: HTMLElement, said: Node[], actions: HTMLElement[]): PageView {
    const inside = element("section", { class: "card", id: "card" }, heading, ...said);
    if (actions.length > 0) inside.append(element("p", { class: "actions" }, ...actions));
    return { nodes: [brand(flow), element("main", { class: "middle" }, inside)], heading };
}
