// The pages that were asked for, with the graph as it was in the end.

import { element, type MakePanel, pagesPanel } from "@husk/views";
import { GraphDrawing } from "../hunt/drawing";
import { type Hunt, type HuntedPage, NO_HUNT } from "../hunt/hunt";
import type { Kept } from "../state";
import { counted, text } from "../words";
import { graphLegend } from "./graph-legend";

export function linkedPagesPanel(result: Kept): MakePanel {
    return (context) => {
        const pages = pagesPanel(context);
        const fill = (panel: HTMLElement) => {
            pages.fill(panel);
            const hunt = result.hunt ?? huntOf(result);
            if (hunt.pages.length === 0) return;
            panel.classList.add("with-graph");
            panel.prepend(picture(hunt));
        };
        return { ...pages, fill };
    };
}

function picture(hunt: Hunt): HTMLElement {
    const drawing = new GraphDrawing();
    const { clique } = drawing.show(hunt);
    const said = clique.size < 2 ? text("finalGraph") : counted("linkedMutually", clique.size);
    const figure = element(
        "figure",
        { class: "hunt-graph still" },
        graphLegend(),
        element("figcaption", {}, said),
    );
    figure.prepend(drawing.node);
    return figure;
}

/** What a summary tells of the hunt: who was asked for and what came of it, but not who links to whom. */
export function huntOf({ summary }: Kept): Hunt {
    const others = summary.visits.map(
        ({ url, found_at, why, outcome, cause }): HuntedPage => ({
            url,
            foundAt: found_at ?? url,
            why,
            state: outcome === "compared" ? "accepted" : "refused",
            cause: cause ?? undefined,
            links: [],
        }),
    );
    const linked = others.filter(({ why }) => why !== "listed").map(({ url }) => url);
    const key: HuntedPage = {
        url: summary.page,
        foundAt: summary.loaded[0] ?? summary.page,
        why: undefined,
        state: "loaded",
        cause: undefined,
        links: linked,
    };
    return { ...NO_HUNT, key, pages: others, stage: "writing", done: 1 };
}
