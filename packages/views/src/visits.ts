// The requested pages: why each was selected and what happened.

import { pathOf } from "./address";
import { explain } from "./cause";
import { type Child, element, link } from "./element";
import type { Visit } from "./engine";
import { text } from "./i18n";
import { reason } from "./why";

export function visitList(visits: Visit[]): HTMLElement {
    return element("ol", { class: "pages", "aria-label": text("pagesAsked") }, ...visits.map(entry));
}

function entry(visit: Visit): HTMLElement {
    const isCompared = visit.outcome === "compared";
    return element(
        "li",
        { class: `page ${isCompared ? "taken" : "left-out"}` },
        link(pathOf(visit.url), visit.url, { class: "address", title: visit.url }),
        element("span", { class: "reason" }, reason(visit.why)),
        element("span", { class: "outcome" }, ...outcome(visit)),
    );
}

function outcome(visit: Visit): Child[] {
    if (visit.outcome === "compared") return [text("itemCompared")];
    const { text: said, detail } = explain(visit.cause ?? "");
    return detail ? [said, " ", element("small", { lang: "en" }, detail)] : [said];
}
