// While the tab is asked for its page.

import { cancelButton, headingOf, onEscape } from "@husk/views";
import { text } from "../../i18n";
import { card, type Views } from "../view";

export const reading: Views["reading"] = (_state, flow) => {
    // A page that is busy, or still loading, may keep it waiting for long.
    const view = card(headingOf(text("reading")), [], [cancelButton(() => flow.cancel())]);
    return { ...view, leave: onEscape(() => flow.cancel()) };
};
