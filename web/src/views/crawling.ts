// The crawl in progress: graph and list of pages.

import type { LoadingItem } from "@husk/views";
import { cancelButton, element, headingOf, onEscape, ProgressView, paragraph } from "@husk/views";
import type { Crawl, CrawledPage } from "../crawl/crawl";
import { GraphDrawing } from "../crawl/drawing";
import type { Graph } from "../crawl/graph";
import { nameOf } from "../input/input";
import type { Crawling } from "../state";
import { counted, text } from "../words";
import { graphLegend } from "./graph-legend";
import { brand, type PageView, type Views } from "./view";

export const crawling: Views["crawling"] = (state, flow) => {
    const heading = headingOf(headingWords(state));
    const stage = paragraph("", { id: "stage", class: "quiet" });
    const linked = paragraph("", { id: "linked" });
    const drawing = new GraphDrawing();
    const progress = new ProgressView();
    const cancel = () => flow.cancel(state.input, state.beside);
    const picture = element("figure", { class: "crawl-graph" }, graphLegend(), linked);
    picture.prepend(drawing.node);
    const list = element(
        "section",
        { class: "crawl-list" },
        heading,
        stage,
        ...progress.nodes,
        element("p", { class: "actions" }, cancelButton(cancel)),
    );
    const show = ({ crawl }: Crawling) => {
        stage.textContent = stageWords(crawl);
        linked.textContent = linkedWords(drawing.show(crawl));
        progress.show({ items: crawl.pages.map(itemOf), done: crawl.done });
    };
    show(state);
    return {
        nodes: [brand(flow), element("main", { class: "crawl" }, picture, list)],
        heading,
        update: (next) => {
            // A new input needs a new view.
            if (next.name !== "crawling" || next.input !== state.input || next.beside !== state.beside)
                return false;
            show(next);
            return true;
        },
        leave: onEscape(cancel),
    } satisfies PageView;
};

function headingWords({ input, beside }: Crawling): string {
    const name = nameOf(input);
    const host = URL.canParse(name) ? new URL(name).host : name;
    return beside ? text("crawlBeside", { host }) : text("crawlHeading", { host });
}

function stageWords({ stage, ahead, key }: Crawl): string {
    if (stage === "queued") return ahead > 0 ? counted("queued", ahead) : text("sending");
    if (stage === "sitemap") return text("listing");
    if (stage === "stylesheets") return text("loadingStyle");
    if (stage === "writing") return text("writingResult");
    return text(key?.state === "loading" ? "loadingKey" : "comparing");
}

function linkedWords({ clique }: Graph): string {
    return clique.size < 2 ? "" : counted("linkedMutually", clique.size);
}

function itemOf({ url, why, state, cause }: CrawledPage): LoadingItem {
    if (state === "rejected" || state === "failed") return { url, why, state: "left-out", cause };
    return { url, why, state: state === "loading" ? "loading" : "taken", cause: undefined };
}
