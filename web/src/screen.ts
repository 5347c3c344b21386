// Renders the current state.

import type { Flow } from "./flow";
import type { State } from "./state";
import { choosingFile, choosingPage } from "./views/choosing";
import { crawling } from "./views/crawling";
import { finished } from "./views/finished";
import { problem } from "./views/problem";
import { start } from "./views/start";
import type { PageView, Views } from "./views/view";
import { opening, reading } from "./views/waiting";

const VIEWS: Views = {
    start,
    reading,
    "choosing-file": choosingFile,
    "choosing-page": choosingPage,
    opening,
    crawling,
    finished,
    failed: problem,
};

export class Screen {
    #view: PageView | undefined;

    constructor(private readonly place: HTMLElement) {}

    show(state: State, flow: Flow): void {
        if (this.#view?.update?.(state)) return;
        this.#view?.leave?.();
        const view = viewOf(state, flow);
        this.#view = view;
        this.place.replaceChildren(...view.nodes);
        document.body.setAttribute("data-state", state.name);
        const isStart = state.name === "start";
        document.title = isStart ? "Husk" : `${view.heading.textContent} · Husk`;
        scrollTo?.({ top: 0, behavior: "instant" });
        // Move the focus, so that screen readers announce the new state.
        (view.focus ?? view.heading).focus({ preventScroll: true });
    }
}

function viewOf<Name extends State["name"]>(state: Extract<State, { name: Name }>, flow: Flow): PageView {
    const view = VIEWS[state.name] as Views[Name];
    return view(state as never, flow);
}
