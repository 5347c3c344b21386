// The requested pages with the final graph.

import { element, type MakePanel, pagesPanel } from "@husk/views";
import { type Crawl, type CrawledPage, NO_CRAWL } from "../crawl/crawl";
import { GraphDrawing } from "../crawl/drawing";
import type { Kept } from "../state";
import { counted, text } from "../words";
import { graphLegend } from "./graph-legend";

export function linkedPagesPanel(result: Kept): MakePanel {
    return (context) => {
        const pages = pagesPanel(context);
        const fill = (panel: HTMLElement) => {
            pages.fill(panel);
            const crawl = result.crawl ?? crawlOf(result);
            if (crawl.pages.length === 0) return;
            panel.classList.add("with-graph");
            panel.prepend(picture(crawl));
        };
        return { ...pages, fill };
    };
}

function picture(crawl: Crawl): HTMLElement {
    const drawing = new GraphDrawing();
    const { clique } = drawing.show(crawl);
    const said = clique.size < 2 ? text("finalGraph") : counted("linkedMutually", clique.size);
    const figure = element(
        "figure",
        { class: "crawl-graph still" },
        graphLegend(),
        element("figcaption", {}, said),
    );
    figure.prepend(drawing.node);
    return figure;
}

/** Rebuilds the crawl from a summary. */
export function crawlOf({ summary }: Kept): Crawl {
    const linksOf = (url: string | undefined) => {
        const place = url === undefined ? -1 : summary.loaded.indexOf(url);
        const targets = summary.links.filter(([from]) => from === place).map(([, to]) => summary.loaded[to]);
        return targets.filter((target) => target !== undefined);
    };
    const others = summary.visits.map(
        ({ url, found_at, why, outcome, cause }): CrawledPage => ({
            url,
            foundAt: found_at ?? url,
            why,
            state: outcome === "compared" ? "accepted" : "rejected",
            cause: cause ?? undefined,
            links: linksOf(found_at ?? url),
        }),
    );
    // Failed pages have no known links: all but those from the sitemap were linked from the key page.
    const isMissing = ({ url, foundAt }: CrawledPage) =>
        !summary.loaded.includes(url) && !summary.loaded.includes(foundAt);
    const missing = others.filter((page) => page.why !== "listed" && isMissing(page)).map(({ url }) => url);
    const key: CrawledPage = {
        url: summary.page,
        foundAt: summary.loaded[0] ?? summary.page,
        why: undefined,
        state: "loaded",
        cause: undefined,
        links: [...linksOf(summary.loaded[0]), ...missing],
    };
    return { ...NO_CRAWL, key, pages: others, stage: "writing", done: 1 };
}
