// What the page says beside the words of the results.

import { type PlainKeyOf, phrases, wordsFrom } from "@husk/views";
import english from "../messages/en.json";
import spanish from "../messages/es.json";

export const { text, counted } = phrases(english);

export type PlainKey = PlainKeyOf<typeof english>;

/** The words in the languages that somebody reads, the first that there is. */
export function wordsFor(languages: readonly string[]) {
    return wordsFrom({ en: english, es: spanish }, languages);
}
