// Progress of loading.

import { cancelButton, headingOf, onEscape, ProgressView, paragraph } from "@husk/views";
import { text } from "../../i18n";
import type { Loading } from "../model";
import { card, type View, type Views } from "../view";

export const loading: Views["loading"] = (state, flow) => {
    const progress = new ProgressView();
    const host = new URL(state.page.url).hostname;
    const heading = headingOf(host ? text("loadingHeading", { host }) : text("reading"));
    const tabsNote = paragraph(text("loadingInTabs"), { class: "quiet" });
    const view = card(heading, [tabsNote, ...progress.nodes], [cancelButton(() => flow.cancel())]);
    const show = (loading: Loading) => {
        tabsNote.hidden = loading.way !== "tabs";
        progress.show(loading);
    };
    show(state);
    return {
        ...view,
        update: (next) => next.name === "loading" && show(next),
        leave: onEscape(() => flow.cancel()),
    } satisfies View;
};
