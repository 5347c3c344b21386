// The extraction was cancelled.

import { againButton, headingOf, paragraph } from "@husk/views";
import { text } from "../../i18n";
import { card, type Views } from "../view";

export const cancelled: Views["cancelled"] = (_state, flow) =>
    card(
        headingOf(text("cancelledHeading")),
        [paragraph(text("cancelledSaid"))],
        [againButton(() => void flow.start(), text("startAgain"), { class: "main" })],
    );
