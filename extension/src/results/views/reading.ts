// While the tab is asked for its page.

import { text } from "../../i18n";
import { card, headingOf, type Views } from "../view";

export const reading: Views["reading"] = () => card(headingOf(text("reading")), [], []);
