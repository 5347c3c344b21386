// After the user stopped it.

import { text } from "../../i18n";
import { againButton, card, headingOf, paragraph, type Views } from "../view";

export const cancelled: Views["cancelled"] = (_state, flow) =>
    card(
        headingOf(text("cancelledHeading")),
        [paragraph(text("cancelledSaid"))],
        [againButton(flow, text("startAgain"), { class: "main" })],
    );
