// The outputs as text, to view, copy and save.

import { element } from "../element";
import { FORM_GROUPS, formOf } from "../forms";
import { text } from "../i18n";
import { type MakePanel, type PanelContext, toolbar } from "../panel";
import { copyButton, downloadButton } from "../saving";
import { TextView } from "../text-view";

export const sourcePanel: MakePanel = (context) => ({
    name: "source",
    label: text("tabSource"),
    fill: (panel) => new Source(context, panel),
});

class Source {
    readonly #choice = element("select", { id: "source-format" });
    readonly #shown = new TextView(text("tabSource"), { id: "source" });

    constructor(
        private readonly context: PanelContext,
        panel: HTMLElement,
    ) {
        for (const { label, forms } of FORM_GROUPS) {
            const options = forms.map(({ name, label }) => element("option", { value: name }, text(label)));
            this.#choice.append(element("optgroup", { label: text(label) }, ...options));
        }
        if (context.summary.templateSupport === 0) this.#choice.value = "content-markdown";
        this.#choice.addEventListener("change", () => void this.#show());
        const form = () => formOf(this.#choice.value);
        const bar = toolbar(
            element("label", { for: "source-format" }, text("format")),
            this.#choice,
            copyButton(context, form, text("copy"), { id: "copy" }),
            downloadButton(context, form, text("download"), { id: "download" }),
        );
        panel.append(bar, ...this.#shown.nodes);
        void this.#show();
    }

    async #show(): Promise<void> {
        const chosen = formOf(this.#choice.value);
        this.#shown.wait();
        const words = await this.context.written.text(chosen.name).catch(() => text("notWritten"));
        // Another format may have been chosen meanwhile.
        if (this.#choice.value === chosen.name) this.#shown.show(words);
    }
}
