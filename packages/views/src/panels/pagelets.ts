// The blocks of the page as a tree, with their functions.

import { button, element } from "../element";
import type { PageletJson } from "../engine";
import { formOf } from "../forms";
import { functionName } from "../function-name";
import { counted, say, text } from "../i18n";
import { fillWhenReady, type MakePanel, note, type PanelContext, toolbar } from "../panel";
import { copyButton, downloadButton } from "../saving";
import { foundOn } from "../support";

export const pageletsPanel: MakePanel = (context) => ({
    name: "pagelets",
    label: text("tabPagelets"),
    fill: (panel) => fillWhenReady(panel, shown(context)),
});

async function shown(context: PanelContext): Promise<Node[]> {
    const { pagelets } = await context.written.get("pagelets-json");
    const json = () => formOf("pagelets-json");
    const bar = toolbar(
        copyButton(context, json, text("copyJson")),
        downloadButton(context, json, text("downloadJson")),
    );
    const found = pagelets.length === 0 ? note(text("noPagelets")) : nested(pagelets, context);
    return [bar, element("div", { class: "scrolled" }, found)];
}

/** Parents come before their children. */
function nested(pagelets: PageletJson[], context: PanelContext): HTMLElement {
    const top = element("ul", { class: "tree blocks", "aria-label": text("tabPagelets") });
    const items = new Map<number, HTMLElement>();
    for (const pagelet of pagelets) {
        const item = element("li", {}, ...block(pagelet, context));
        items.set(pagelet.pagelet, item);
        const around = pagelet.parent === null ? undefined : items.get(pagelet.parent);
        (around ? listIn(around) : top).append(item);
    }
    return top;
}

function listIn(item: HTMLElement): Element {
    const last = item.lastElementChild;
    if (last?.localName === "ul") return last;
    return item.appendChild(element("ul", { class: "tree" }));
}

function block(pagelet: PageletJson, { summary, beside, spotlight }: PanelContext): HTMLElement[] {
    const name = functionName(pagelet.function);
    const choose = () => {
        // Show the tab first: a hidden page cannot be measured.
        beside.open("page");
        spotlight.choose(pagelet.pagelet - 1);
    };
    const heading = beside.has("page")
        ? button(name, choose, { class: "find", title: text("showOnPage") })
        : element("strong", {}, name);
    const found = foundOn(
        { class: pagelet.template ? "template" : "content", ...supportOf(pagelet) },
        summary.templateSupport,
        say,
    );
    const facts = [counted("words", pagelet.words), counted("links", pagelet.links), found];
    return [
        heading,
        element("span", { class: "quiet" }, facts.join(" · ")),
        element("code", { class: "quiet" }, pagelet.xpaths.join(" ")),
    ];
}

function supportOf({ support, verbatim_support }: PageletJson) {
    return { support, verbatim_support };
}
