// While pages are loaded: the graph that grows, and beside it the pages one by one.

import type { LoadingItem } from "@husk/views";
import { cancelButton, element, headingOf, onEscape, ProgressView, paragraph } from "@husk/views";
import { GraphDrawing } from "../hunt/drawing";
import type { Graph } from "../hunt/graph";
import type { Hunt, HuntedPage } from "../hunt/hunt";
import { nameOf } from "../input/input";
import type { Hunting } from "../state";
import { counted, text } from "../words";
import { graphLegend } from "./graph-legend";
import { brand, type PageView, type Views } from "./view";

export const hunting: Views["hunting"] = (state, flow) => {
    const heading = headingOf(headingWords(state));
    const stage = paragraph("", { id: "stage", class: "quiet" });
    const linked = paragraph("", { id: "linked" });
    const drawing = new GraphDrawing();
    const progress = new ProgressView();
    const cancel = () => flow.cancel(state.input, state.beside);
    const picture = element("figure", { class: "hunt-graph" }, graphLegend(), linked);
    picture.prepend(drawing.node);
    const list = element(
        "section",
        { class: "hunt-list" },
        heading,
        stage,
        ...progress.nodes,
        element("p", { class: "actions" }, cancelButton(cancel)),
    );
    const show = ({ hunt }: Hunting) => {
        stage.textContent = stageWords(hunt);
        linked.textContent = linkedWords(drawing.show(hunt));
        progress.show({ items: hunt.pages.map(itemOf), done: hunt.done });
    };
    show(state);
    return {
        nodes: [brand(flow), element("main", { class: "hunt" }, picture, list)],
        heading,
        update: (next) => {
            // Another input is another hunt.
            if (next.name !== "hunting" || next.input !== state.input || next.beside !== state.beside)
                return false;
            show(next);
            return true;
        },
        leave: onEscape(cancel),
    } satisfies PageView;
};

function headingWords({ input, beside }: Hunting): string {
    const name = nameOf(input);
    const host = URL.canParse(name) ? new URL(name).host : name;
    return beside ? text("huntBeside", { host }) : text("huntHeading", { host });
}

function stageWords({ stage, ahead, key }: Hunt): string {
    if (stage === "queued") return ahead > 0 ? counted("queued", ahead) : text("sending");
    if (stage === "listing") return text("listing");
    if (stage === "styling") return text("loadingStyle");
    if (stage === "writing") return text("writingResult");
    return text(key?.state === "loading" ? "loadingKey" : "comparing");
}

function linkedWords({ clique }: Graph): string {
    return clique.size < 2 ? "" : counted("linkedMutually", clique.size);
}

function itemOf({ url, why, state, cause }: HuntedPage): LoadingItem {
    if (state === "refused" || state === "failed") return { url, why, state: "left-out", cause };
    return { url, why, state: state === "loading" ? "loading" : "taken", cause: undefined };
}
