// The content, to be read: nothing but words and pictures, set like a book.

import type { ContentJson } from "@husk/core";
import { element } from "../../element";
import { counted, date, text } from "../../i18n";
import { formOf } from "../forms";
import { frame } from "../frame";
import { fillWhenReady, type MakePanel, note, type PanelContext, toolbar } from "../panel";
import { copyButton, downloadButton } from "../saving";
import readerStyle from "./reader.css?raw";

export const contentPanel: MakePanel = (context) => ({
    name: "content",
    label: "tabContent",
    fill: (panel) => fillWhenReady(panel, shown(context)),
});

async function shown(context: PanelContext): Promise<Node[]> {
    const [html, about] = await Promise.all([
        context.written.get("content-html"),
        context.written.get("content-json"),
    ]);
    const markdown = () => formOf("content-markdown");
    const bar = toolbar(
        copyButton(context, markdown, text("copyMarkdown")),
        downloadButton(context, markdown, text("downloadMarkdown")),
        downloadButton(context, () => formOf("content-html"), text("downloadHtml")),
    );
    const told = about.told_by === "page-alone" ? [note(text("contentAlone"))] : [];
    if (about.words === 0) return [bar, ...told, note(text("noContent"))];
    return [bar, ...told, frame(text("contentFrame"), readable(html, about))];
}

/** The content with a style for readers, and what the page says about itself above it. */
function readable(html: string, about: ContentJson): string {
    const read = new DOMParser().parseFromString(html, "text/html");
    const style = read.createElement("style");
    style.textContent = readerStyle;
    read.head.append(style);
    // Whichever way it is written: clean HTML does not say.
    for (const part of read.body.children) part.setAttribute("dir", "auto");
    read.body.prepend(read.adoptNode(heading(about, read.querySelector("h1") !== null)));
    return `<!doctype html>${read.documentElement.outerHTML}`;
}

function heading(about: ContentJson, hasTitle: boolean): HTMLElement {
    const line = [about.byline, about.published && date(about.published), counted("words", about.words)];
    const made = element("header", {});
    if (!hasTitle && about.title) made.append(element("h1", {}, about.title));
    made.append(element("p", {}, line.filter(Boolean).join(" · ")));
    return made;
}
