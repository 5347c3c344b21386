// Waiting for files or a result.

import { headingOf } from "@husk/views";
import { text } from "../words";
import { card, type Views } from "./view";

export const reading: Views["reading"] = (_state, flow) =>
    card(flow, headingOf(text("readingFiles")), [], []);

export const opening: Views["opening"] = (_state, flow) =>
    card(flow, headingOf(text("openingResult")), [], []);
