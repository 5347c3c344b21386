// The results as text, in any form, to look at, to copy and to save.

import { element } from "../../element";
import { number, text } from "../../i18n";
import { FORM_GROUPS, formOf } from "../forms";
import { type MakePanel, type PanelContext, toolbar } from "../panel";
import { copyButton, downloadButton } from "../saving";

/** As much as a browser shows without stopping to think. */
const MOST_SHOWN = 1_000_000;

export const sourcePanel: MakePanel = (context) => ({
    name: "source",
    label: "tabSource",
    fill: (panel) => new Source(context, panel),
});

class Source {
    readonly #choice = element("select", { id: "source-format" });
    readonly #note = element("p", { class: "note", hidden: true });
    readonly #shown = element("pre", { id: "source", tabindex: "0", "aria-label": text("tabSource") });

    constructor(
        private readonly context: PanelContext,
        panel: HTMLElement,
    ) {
        for (const { label, forms } of FORM_GROUPS) {
            const options = forms.map(({ name, label }) => element("option", { value: name }, text(label)));
            this.#choice.append(element("optgroup", { label: text(label) }, ...options));
        }
        if (context.summary.compared.length === 0) this.#choice.value = "content-markdown";
        this.#choice.addEventListener("change", () => void this.#show());
        const form = () => formOf(this.#choice.value);
        const bar = toolbar(
            element("label", { for: "source-format" }, text("format")),
            this.#choice,
            copyButton(context, form, text("copy"), { id: "copy" }),
            downloadButton(context, form, text("download"), { id: "download" }),
        );
        panel.append(bar, this.#note, this.#shown);
        void this.#show();
    }

    async #show(): Promise<void> {
        const chosen = formOf(this.#choice.value);
        this.#shown.setAttribute("aria-busy", "true");
        const words = await this.context.written.text(chosen.name).catch(() => text("notWritten"));
        // Another form was chosen in the meantime.
        if (this.#choice.value !== chosen.name) return;
        this.#shown.textContent = words.slice(0, MOST_SHOWN);
        this.#shown.scrollTop = 0;
        this.#shown.removeAttribute("aria-busy");
        this.#note.hidden = words.length <= MOST_SHOWN;
        this.#note.textContent = text("sourceCut", { shown: number(MOST_SHOWN), all: number(words.length) });
    }
}
