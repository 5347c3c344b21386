// The results: summary and tabs.

import { addressOf } from "./address";
import { announce } from "./announce";
import { element, link } from "./element";
import { facts } from "./facts";
import { text } from "./i18n";
import type { Summary } from "./outputs";
import type { Beside, MakePanel } from "./panel";
import { Spotlight } from "./spotlight";
import { type Panel, tabs } from "./tabs";
import { headingOf, type View } from "./view";
import type { Written } from "./written";

export interface Results {
    /** The page's title, or its URL. */
    title: string;
    summary: Summary;
    written: Written;
    /** Buttons beside the heading. */
    actions: HTMLElement[];
    panels: MakePanel[];
}

export function resultsView({ title, summary, written, actions, panels }: Results): View {
    const { url } = summary;
    const heading = headingOf(title.trim() || addressOf(url));
    const about = element(
        "div",
        { class: "about" },
        heading,
        element("p", { class: "host" }, link(addressOf(url), url)),
        element("p", { id: "facts" }, facts(summary)),
    );
    const header = element(
        "header",
        { class: "top" },
        about,
        element("div", { class: "actions" }, ...actions),
    );
    const made: Panel[] = [];
    const beside: Beside = {
        has: (name) => made.some((panel) => panel.name === name),
        open: (name) => shown.open(name),
    };
    const context = { url, summary, written, announce, beside, spotlight: new Spotlight() };
    made.push(...panels.map((panel) => panel(context)));
    const shown = tabs(text("results"), made);
    return { nodes: [header, element("main", { class: "results" }, ...shown.nodes)], heading };
}
