// Highlight colours with a preview.

import { button, element } from "@husk/views";
import { type PlainKey, text } from "../i18n";
import type { Colours } from "../protocol";
import { DEFAULTS, type Settings } from "../settings";
import { type Change, group, input } from "./field";

const PARTS: { part: keyof Colours; label: PlainKey }[] = [
    { part: "template", label: "tabTemplate" },
    { part: "menu", label: "tabMenu" },
    { part: "content", label: "tabContent" },
];

export function colours(settings: Settings, change: Change): HTMLElement {
    let chosen = settings.colours;
    const preview = previewPage();
    const controls = PARTS.map(({ part, label }) => ({
        part,
        label,
        control: input(`colour-${part}`, "color"),
    }));
    const show = () => {
        for (const { part, control } of controls) {
            control.value = chosen[part];
            preview.style.setProperty(`--${part}`, chosen[part]);
        }
    };
    const choose = (next: Colours) => {
        chosen = next;
        show();
        change({ colours: chosen });
    };
    for (const { part, control } of controls) {
        control.addEventListener("input", () => choose({ ...chosen, [part]: control.value }));
    }
    show();
    const rows = controls.map(({ label, control }) =>
        element("div", { class: "tick" }, control, element("label", { for: control.id }, text(label))),
    );
    const reset = button(text("resetColours"), () => choose(DEFAULTS.colours), { id: "reset-colours" });
    return group(
        text("optionsColours"),
        element("p", { class: "quiet" }, text("coloursHint")),
        element("div", { class: "colours" }, element("div", { class: "field" }, ...rows, reset), preview),
    );
}

/** Preview, hidden from screen readers. */
function previewPage(): HTMLElement {
    const part = (name: keyof Colours, label: PlainKey) =>
        element("div", { class: `part ${name}` }, text(label));
    return element(
        "div",
        { class: "preview", "aria-hidden": "true" },
        part("template", "tabTemplate"),
        part("menu", "tabMenu"),
        part("content", "tabContent"),
    );
}
