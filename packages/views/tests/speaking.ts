// Gives the code under test the words of a language, as a surface does.

import { type Messages, speakWith } from "../src/i18n";
import { type Language, wordsFrom } from "../src/words";

export const LANGUAGES: Language[] = ["en", "es"];

const none: Record<Language, Messages> = { en: {}, es: {} };

export function speakIn(language: Language, tag: string = language): void {
    speakWith(wordsFrom(none, [tag]));
}

/** Says things in a language, whichever is spoken. */
export function speaker(language: Language): (name: string, ...values: string[]) => string {
    const words = wordsFrom(none, [language]);
    return (name, ...values) => words.message(name, values);
}
