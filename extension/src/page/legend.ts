// The legend: explains and toggles colours, removes the tints.

import type { Say } from "@husk/views/support";
import { element, type Overlay } from "./overlay";
import { KINDS, type Kind } from "./regions";

export interface LegendOptions {
    say: Say;
    language: string;
    shares: Record<Kind, number>;
    close(): void;
}

const NAMES: Record<Kind, string> = {
    template: "tintTemplate",
    menu: "tintMenu",
    content: "tintContent",
};

/** SVG paths on a 16 by 16 grid. */
const SIGNS = {
    side: "M2 5h11M10 2l3 3-3 3M14 11H3M6 8l-3 3 3 3",
    fold: "M3 6l5 5 5-5",
    unfold: "M3 10l5-5 5 5",
    close: "M3 3l10 10M13 3L3 13",
};

/** Adds the legend; returns its focusable element. */
export function showLegend(overlay: Overlay, options: LegendOptions): HTMLElement {
    const { document, body } = overlay;
    const { say, language } = options;
    const legend = element(document, "section", "legend");
    legend.lang = language;
    legend.dir = "auto";
    legend.tabIndex = -1;
    legend.ariaLabel = say("tintLegend");
    const hint = element(document, "p", "hint folds");
    hint.textContent = say("tintHint");
    legend.append(head(legend, document, options), kinds(overlay, options), hint);
    body.append(legend);
    return legend;
}

function head(legend: HTMLElement, document: Document, { say, close }: LegendOptions): HTMLElement {
    const head = element(document, "div", "head");
    const title = element(document, "p", "title");
    title.textContent = say("tintLegendTitle");
    const side = button(document, say("tintOtherSide"), SIGNS.side, () => legend.classList.toggle("left"));
    const fold = button(document, say("tintFold"), SIGNS.fold, () => {
        const isFolded = legend.classList.toggle("folded");
        fold.ariaExpanded = String(!isFolded);
        sign(fold, isFolded ? SIGNS.unfold : SIGNS.fold);
    });
    fold.ariaExpanded = "true";
    head.append(title, side, fold, button(document, say("tintRemove"), SIGNS.close, close));
    return head;
}

function kinds(overlay: Overlay, options: LegendOptions): HTMLElement {
    const { document, body } = overlay;
    const list = element(document, "ul", "kinds folds");
    for (const kind of KINDS) {
        const box = element(document, "input");
        box.type = "checkbox";
        box.checked = true;
        box.addEventListener("change", () => body.classList.toggle(`without-${kind}`, !box.checked));
        const label = element(document, "label", "kind");
        const swatch = element(document, "span", `swatch ${kind}`);
        label.append(box, swatch, options.say(NAMES[kind]), share(kind, document, options));
        const line = list.appendChild(element(document, "li"));
        line.append(label);
    }
    return list;
}

function share(kind: Kind, document: Document, { say, language, shares }: LegendOptions): HTMLElement {
    const share = element(document, "span", "share");
    const percent = new Intl.NumberFormat(language, { style: "percent" }).format(shares[kind]);
    share.textContent = say("tintShare", percent);
    return share;
}

function button(document: Document, label: string, path: string, press: () => void): HTMLButtonElement {
    const button = element(document, "button");
    button.type = "button";
    button.ariaLabel = label;
    button.title = label;
    sign(button, path);
    button.addEventListener("click", press);
    return button;
}

function sign(button: HTMLElement, path: string): void {
    const svg = "http://www.w3.org/2000/svg";
    const drawing = button.ownerDocument.createElementNS(svg, "svg");
    drawing.setAttribute("viewBox", "0 0 16 16");
    drawing.setAttribute("aria-hidden", "true");
    const line = drawing.appendChild(button.ownerDocument.createElementNS(svg, "path"));
    line.setAttribute("d", path);
    button.replaceChildren(drawing);
}
