// A result, or two results side by side.

import {
    contentPanel,
    type MakePanel,
    menuPanel,
    pageletsPanel,
    pagePanel,
    paragraph,
    resultsView,
    sourcePanel,
    templatePanel,
} from "@husk/views";
import type { Flow } from "../flow";
import type { Kept } from "../state";
import { ageOf, summaryOf, writtenBy } from "../summary";
import { text } from "../words";
import { resultActions } from "./actions";
import { comparison } from "./comparison";
import { linkedPagesPanel } from "./linked-pages";
import { brand, type PageView, type Views } from "./view";

export const finished: Views["finished"] = ({ result, other }, flow) =>
    other ? comparison([result, other], flow) : alone(result, flow);

function alone(result: Kept, flow: Flow): PageView {
    const { id, title } = result.summary;
    const panels: MakePanel[] = [
        pagePanel,
        templatePanel,
        contentPanel,
        menuPanel,
        pageletsPanel,
        sourcePanel,
        linkedPagesPanel(result),
    ];
    const view = resultsView({
        title: title ?? "",
        summary: summaryOf(result.summary),
        written: writtenBy(flow.server, id),
        actions: resultActions(result, flow, flow.hasToken),
        panels,
    });
    view.heading.parentElement?.append(madeBy(result));
    return { ...view, nodes: [brand(flow), ...view.nodes] };
}

/** The method, or the learned template. */
function madeBy({ summary: { learned, method } }: Kept): HTMLElement {
    const said = learned
        ? text("learnedSaid", { site: learned.site, age: ageOf(learned.age_seconds) })
        : text(method === "paper" ? "foundByPaper" : "foundByHusk");
    return paragraph(said, { id: "made-by", class: "quiet" });
}
