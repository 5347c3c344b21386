// Checkboxes for the highlighted layers of one or several pages.

import { element } from "../element";
import { type PlainKey, text } from "../i18n";
import type { Layer, TintedPage } from "./tinted-page";

const LAYERS: [Layer, PlainKey][] = [
    ["template", "tintTemplate"],
    ["menu", "tintMenu"],
    ["content", "tintContent"],
    ["pagelets", "tabPagelets"],
];

export function layerBoxes(pages: TintedPage[]): HTMLElement {
    return element(
        "fieldset",
        { class: "layers" },
        element("legend", { class: "unseen" }, text("layers")),
        ...LAYERS.map(([layer, label]) => tick(pages, layer, text(label))),
    );
}

function tick(pages: TintedPage[], layer: Layer, label: string): HTMLElement {
    const box = element("input", { type: "checkbox", id: `show-${layer}` });
    box.checked = pages.every((page) => page.isShown(layer));
    box.addEventListener("change", () => {
        for (const page of pages) page.toggle(layer, box.checked);
    });
    return element("label", {}, box, element("span", { class: `swatch ${layer}` }), label);
}
