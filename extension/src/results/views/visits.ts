// The pages that were asked for, why, and what came of each.

import type { Visit } from "@husk/core";
import { type Child, element, link } from "../../element";
import { text } from "../../i18n";
import { explain } from "../cause";
import { reason } from "../why";
import { pathOf } from "./address";

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
