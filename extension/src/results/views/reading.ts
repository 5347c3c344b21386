// While the tab is asked for its page.

import { text } from "../../i18n";
import { cancelButton, card, headingOf, onEscape, type Views } from "../view";

export const reading: Views["reading"] = (_state, flow) => {
    // A page that is busy, or still loading, may keep it waiting for long.
    const view = card(headingOf(text("reading")), [], [cancelButton(flow)]);
    return { ...view, leave: onEscape(() => flow.cancel()) };
};
