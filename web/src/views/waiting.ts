// While files are read here, or a result is asked for.

import { headingOf } from "@husk/views";
import { text } from "../words";
import { card, type Views } from "./view";

export const reading: Views["reading"] = (_state, flow) =>
    card(flow, headingOf(text("readingFiles")), [], []);

export const opening: Views["opening"] = (_state, flow) =>
    card(flow, headingOf(text("openingResult")), [], []);
