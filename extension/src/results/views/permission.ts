// Asks whether other pages of the site may be loaded, and says why and what for.

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

/** The browser only asks the user if it is told to within the click. */
export function allowButton(page: CapturedPage, flow: Flow): HTMLButtonElement {
    const host = new URL(page.url).hostname;
    return button(text("allow", { host }), () => void flow.allow(page), { id: "allow", class: "main" });
}

/** Where other pages were of no use, `summary` is what is known without them. */
export function aloneButton(page: CapturedPage, flow: Flow, summary?: Summary): HTMLButtonElement {
    return button(text("alone"), () => void flow.alone(page, summary), { id: "alone" });
}
