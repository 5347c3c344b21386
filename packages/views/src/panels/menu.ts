// The menu as a tree, and other blocks of links.

import { element, link } from "../element";
import type { MenuItemJson, MenuJson, NavigationJson } from "../engine";
import { formOf } from "../forms";
import { counted, type PlainKey, text } from "../i18n";
import { fillWhenReady, type MakePanel, note, type PanelContext, toolbar } from "../panel";
import { copyButton, downloadButton } from "../saving";

const KINDS: Record<NavigationJson["kind"], PlainKey> = {
    main: "kindMain",
    sub: "kindSub",
    breadcrumb: "kindBreadcrumb",
    footer: "kindFooter",
    pagination: "kindPagination",
    language: "kindLanguage",
};

export const menuPanel: MakePanel = (context) => ({
    name: "menu",
    label: text("tabMenu"),
    fill: (panel) => fillWhenReady(panel, shown(context)),
});

async function shown(context: PanelContext): Promise<Node[]> {
    const found = await context.written.get("menu-json");
    const markdown = () => formOf("menu-markdown");
    const bar = toolbar(
        copyButton(context, markdown, text("copyMarkdown")),
        downloadButton(context, markdown, text("downloadMarkdown")),
        downloadButton(context, () => formOf("menu-json"), text("downloadJson")),
    );
    return [bar, element("div", { class: "scrolled" }, ...blocks(found))];
}

function blocks({ menu, navigation = [] }: MenuJson): HTMLElement[] {
    const main = menu
        ? element("nav", { dir: "auto", "aria-label": text("kindMain") }, tree(menu.entries))
        : note(text("noMenu"));
    const others = navigation.filter((block) => block.kind !== "main");
    if (others.length === 0) return [main];
    return [main, element("h2", {}, text("otherNavigation")), ...others.map(other)];
}

function other(block: NavigationJson): HTMLElement {
    const kind = text(KINDS[block.kind] ?? "kindSub");
    return element(
        "details",
        {},
        element("summary", {}, `${kind} (${counted("links", countOf(block.entries))})`),
        element("nav", { dir: "auto", "aria-label": kind }, tree(block.entries)),
    );
}

function tree(entries: MenuItemJson[]): HTMLElement {
    return element("ul", { class: "tree" }, ...entries.map(entry));
}

function entry({ label, url, active, children }: MenuItemJson): HTMLElement {
    const current = active ? { "aria-current": "page" } : {};
    const words = label.trim() || url || "";
    const shown = url === null ? element("span", current, words) : link(words, url, current);
    return element("li", {}, shown, ...(children.length > 0 ? [tree(children)] : []));
}

function countOf(entries: MenuItemJson[]): number {
    return entries.reduce((sum, { url, children }) => sum + (url === null ? 0 : 1) + countOf(children), 0);
}
