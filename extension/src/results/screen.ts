// Shows the state that the page is in.

import type { Flow } from "./flow";
import type { State } from "./model";
import type { View, Views } from "./view";
import { cancelled } from "./views/cancelled";
import { finished } from "./views/finished";
import { loading } from "./views/loading";
import { permission } from "./views/permission";
import { problem } from "./views/problem";
import { reading } from "./views/reading";

const VIEWS: Views = {
    reading,
    "asking-permission": permission,
    loading,
    finished,
    failed: problem,
    cancelled,
};

export class Screen {
    #view: View | undefined;

    constructor(private readonly place: HTMLElement) {}

    show(state: State, flow: Flow): void {
        const { body } = document;
        if (body.getAttribute("data-state") === state.name && this.#view?.update) {
            this.#view.update(state);
            return;
        }
        this.#view?.leave?.();
        this.#view = viewOf(state, flow);
        this.place.replaceChildren(...this.#view.nodes);
        body.setAttribute("data-state", state.name);
        document.title = `${this.#view.heading.textContent} · Husk`;
        // Move the focus, so that screen readers announce the new state.
        if (document.activeElement === null || document.activeElement === body) {
            this.#view.heading.focus({ preventScroll: true });
        }
    }
}

function viewOf<Name extends State["name"]>(state: Extract<State, { name: Name }>, flow: Flow): View {
    const view = VIEWS[state.name] as Views[Name];
    return view(state as never, flow);
}
