// Compares two results of the same page.

import {
    addressOf,
    button,
    element,
    facts,
    headingOf,
    layerBoxes,
    link,
    note,
    number,
    paragraph,
    share,
    text as shared,
    shownIfLight,
    TintedPage,
} from "@husk/views";
import type { Flow } from "../flow";
import type { Kept } from "../state";
import { summaryOf, writtenBy } from "../summary";
import { text } from "../words";
import { copyAddressButton, newButton } from "./actions";
import { brand, type PageView } from "./view";

export function comparison(pair: [Kept, Kept], flow: Flow): PageView {
    const [{ summary }] = pair;
    const heading = headingOf(
        text("compareHeading", { title: summary.title?.trim() || addressOf(summary.page) }),
    );
    const about = element(
        "div",
        { class: "about" },
        heading,
        element("p", { class: "host" }, link(addressOf(summary.page), summary.page)),
        paragraph(difference(pair), { id: "difference" }),
    );
    const actions = element("div", { class: "actions" }, copyAddressButton(), newButton(flow));
    const header = element("header", { class: "top" }, about, actions);
    const sides = pair.map((result, at) => side(result, nameIn(pair, at), flow));
    const layers = element("div", { class: "shared-layers", "aria-busy": "true" });
    void tint(layers, pair, sides, flow);
    const main = element("main", { class: "comparison" }, layers, ...sides);
    return { nodes: [brand(flow), header, main], heading };
}

/** Shows both pages with shared layer checkboxes. */
async function tint(
    layers: HTMLElement,
    pair: [Kept, Kept],
    sides: HTMLElement[],
    flow: Flow,
): Promise<void> {
    try {
        const outputs = await Promise.all(
            pair.map(({ summary }) => writtenBy(flow.server, summary.id).get("inspect-page")),
        );
        const html = outputs.map((output) => output.html).join("");
        layers.replaceChildren(
            ...shownIfLight(html, () => {
                const pages = outputs.map((output) => new TintedPage(output));
                for (const [at, page] of pages.entries()) {
                    const about = element("div", { class: "about-part" }, page.description);
                    sides[at]?.append(about, page.spoken, page.stage);
                }
                return [layerBoxes(pages), ...pages.slice(0, 1).map((page) => page.hint)];
            }),
        );
    } catch {
        layers.replaceChildren(note(shared("notWritten")));
    }
    layers.removeAttribute("aria-busy");
}

function side(result: Kept, name: string, flow: Flow): HTMLElement {
    return element(
        "section",
        { class: "side", "aria-label": name },
        element("h2", {}, name),
        button(text("showAlone"), () => flow.alone(result), { class: "alone" }),
        meter(result),
        paragraph(facts(summaryOf(result.summary)), { class: "quiet" }),
    );
}

/** Bar with the share of template nodes. */
function meter({ summary }: Kept): HTMLElement {
    const part = shareOf(summary);
    const bar = element("span", { class: "meter", "aria-hidden": "true" }, element("i"));
    bar.style.setProperty("--part", String(part));
    return element("p", { class: "share" }, element("strong", {}, share(part)), text("compareTemplate"), bar);
}

function shareOf(summary: Kept["summary"]): number {
    return summary.template_nodes / Math.max(1, summary.nodes);
}

/** Names the results by method, if they differ. */
function nameIn(pair: [Kept, Kept], at: number): string {
    const [one, other] = pair.map(({ summary }) => summary.method);
    if (one === other) return text(at === 0 ? "compareFirst" : "compareSecond");
    return text(pair[at]?.summary.method === "paper" ? "comparePaper" : "compareHusk");
}

function difference(pair: [Kept, Kept]): string {
    const [one, other] = [pair[0].summary.template_nodes, pair[1].summary.template_nodes];
    if (one === other) return text("compareSame");
    const name = nameIn(pair, one > other ? 0 : 1);
    return text("compareMore", { name, count: number(Math.abs(one - other)) });
}
