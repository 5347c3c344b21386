// The view of one state.

import { button, type Child, type View as SharedView, card as sharedCard } from "@husk/views";
import { text } from "../i18n";
import type { Flow } from "./flow";
import type { State } from "./model";

export interface View extends SharedView {
    /** Updates the view in place. */
    update?(state: State): void;
}

export type StateOf<Name extends State["name"]> = Extract<State, { name: Name }>;

/** A view for each state. */
export type Views = { [Name in State["name"]]: (state: StateOf<Name>, flow: Flow) => View };

/** A view with one message. */
export function card(heading: HTMLElement, said: Child[], actions: HTMLElement[], id = "card"): View {
    return sharedCard({ brand: text("extensionName"), heading, said, actions, id });
}

export function optionsButton(): HTMLButtonElement {
    return button(text("options"), () => void chrome.runtime.openOptionsPage(), { id: "options" });
}
