// The content, in reading view or as Markdown.

import { button, element } from "../element";
import type { ContentJson } from "../engine";
import { formOf } from "../forms";
import { frame } from "../frame";
import { shownIfLight } from "../heavy";
import { counted, date, text } from "../i18n";
import {
    append,
    bodyOf,
    findAll,
    firstOf,
    headOf,
    htmlOf,
    nextOf,
    prepend,
    rootOf,
    setAttribute,
} from "../page/foreign";
import { fillWhenReady, type MakePanel, note, type PanelContext, toolbar } from "../panel";
import { copyButton, downloadButton } from "../saving";
import { TextView } from "../text-view";
import readerStyle from "./reader.css?raw";

export const contentPanel: MakePanel = (context) => ({
    name: "content",
    label: text("tabContent"),
    fill: (panel) => fillWhenReady(panel, shown(context)),
});

async function shown(context: PanelContext): Promise<Node[]> {
    const about = await context.written.get("content-json");
    const markdown = () => formOf("content-markdown");
    const bar = toolbar(
        copyButton(context, markdown, text("copyMarkdown")),
        downloadButton(context, markdown, text("downloadMarkdown")),
        downloadButton(context, () => formOf("content-html"), text("downloadHtml")),
    );
    const notes = about.method === "single-page" ? [note(text("contentAlone"))] : [];
    // A page without content has no other output of it.
    if (about.words === 0) return [...notes, note(text("noContent"))];
    const views = new ContentViews(context, await context.written.get("content-html"), about);
    bar.prepend(views.choice);
    return [bar, ...notes, views.place];
}

class ContentViews {
    readonly choice: HTMLElement;
    readonly place: HTMLElement;
    readonly #markdown = new TextView(text("formMarkdown"), { id: "content-markdown" });
    readonly #buttons: HTMLButtonElement[];
    #isWritten = false;

    constructor(
        private readonly context: PanelContext,
        html: string,
        about: ContentJson,
    ) {
        const read = shownIfLight(html, () => [frame(text("contentFrame"), readable(html, about))]);
        const reading = element("div", { class: "view" }, ...read);
        const markdown = element("div", { class: "view", hidden: true }, ...this.#markdown.nodes);
        const views = [reading, markdown];
        const names = [text("readingView"), text("formMarkdown")];
        const choose = (chosen: number) => {
            for (const [at, view] of views.entries()) {
                view.hidden = at !== chosen;
                this.#buttons[at]?.setAttribute("aria-pressed", String(at === chosen));
            }
            if (!markdown.hidden) void this.#write();
        };
        this.#buttons = names.map((name, at) =>
            button(name, () => choose(at), { "aria-pressed": String(at === 0) }),
        );
        this.choice = element(
            "div",
            { class: "choice", role: "group", "aria-label": text("contentViews") },
            ...this.#buttons,
        );
        this.place = element("div", { class: "view" }, ...views);
    }

    /** Loaded when first shown. */
    async #write(): Promise<void> {
        if (this.#isWritten) return;
        this.#isWritten = true;
        this.#markdown.wait();
        const words = this.context.written.text("content-markdown");
        this.#markdown.show(await words.catch(() => text("notWritten")));
    }
}

/** The content with reading style and metadata. */
function readable(html: string, about: ContentJson): string {
    const read = new DOMParser().parseFromString(html, "text/html");
    const body = bodyOf(read);
    append(headOf(read), element("style", {}, readerStyle));
    // The sanitised HTML has no direction of its own.
    for (let part = firstOf(body); part; part = nextOf(part)) setAttribute(part, "dir", "auto");
    prepend(body, heading(about, findAll(read, "h1").length > 0));
    return `<!doctype html>${htmlOf(rootOf(read))}`;
}

function heading(about: ContentJson, hasTitle: boolean): HTMLElement {
    const line = [about.byline, about.published && date(about.published), counted("words", about.words)];
    const made = element("header", {});
    if (!hasTitle && about.title) made.append(element("h1", {}, about.title));
    made.append(element("p", {}, line.filter(Boolean).join(" · ")));
    return made;
}
