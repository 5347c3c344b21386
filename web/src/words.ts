// Messages of the web page.

import { type PlainKeyOf, phrases, wordsFrom } from "@husk/views";
import english from "../messages/en.json";
import spanish from "../messages/es.json";

export const { text, counted } = phrases(english);

export type PlainKey = PlainKeyOf<typeof english>;

/** Messages in the user's first supported language. */
export function wordsFor(languages: readonly string[]) {
    return wordsFrom({ en: english, es: spanish }, languages);
}
