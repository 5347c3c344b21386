// Asks for permission to load other pages.

import { button, headingOf, paragraph, type Summary } from "@husk/views";
import { text } from "../../i18n";
import type { CapturedPage } from "../../protocol";
import type { Flow } from "../flow";
import { card, type Views } from "../view";

export const permission: Views["asking-permission"] = ({ page }, flow) => {
    const host = new URL(page.url).hostname;
    return card(
        headingOf(text("askHeading", { host })),
        [
            paragraph(text("askWhy", { host })),
            paragraph(text("askWhere")),
            paragraph(text("askAlone"), { class: "quiet" }),
        ],
        [allowButton(page, flow), aloneButton(page, flow)],
    );
};

/** Must run within the click. */
export function allowButton(page: CapturedPage, flow: Flow): HTMLButtonElement {
    const host = new URL(page.url).hostname;
    return button(text("allow", { host }), () => void flow.allow(page), { id: "allow", class: "main" });
}

/** `summary`: the result of the page alone, if other pages were not usable. */
export function aloneButton(page: CapturedPage, flow: Flow, summary?: Summary): HTMLButtonElement {
    return button(text("alone"), () => void flow.alone(page, summary), { id: "alone" });
}
