// The tab is being read.

import { cancelButton, headingOf, onEscape } from "@husk/views";
import { text } from "../../i18n";
import { card, type Views } from "../view";

export const reading: Views["reading"] = (_state, flow) => {
    // A busy page may take long.
    const view = card(headingOf(text("reading")), [], [cancelButton(() => flow.cancel())]);
    return { ...view, leave: onEscape(() => flow.cancel()) };
};
