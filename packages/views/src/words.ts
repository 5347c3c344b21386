// Messages from files, in the user's first supported language.

import english from "../messages/en.json";
import spanish from "../messages/es.json";
import type { Messages, Words } from "./i18n";

/** Supported languages. */
export type Language = "en" | "es";

const SHARED: Record<Language, Messages> = { en: english, es: spanish };

/** Messages of this package and of an application, in the first supported language of `wanted`, else in English. */
export function wordsFrom(own: Record<Language, Messages>, wanted: readonly string[]): Words {
    const tag = wanted.find((tag) => languageOf(tag) !== undefined) ?? "en";
    const language = languageOf(tag) ?? "en";
    const messages: Messages = { ...SHARED[language], ...own[language] };
    return {
        browser: () => tag,
        message: (key, values) => filled(messages[key], values),
    };
}

function languageOf(tag: string): Language | undefined {
    const name = tag.toLowerCase().split(/[-_]/)[0];
    return name === "en" || name === "es" ? name : undefined;
}

function filled(message: Messages[string] | undefined, values: string[]): string {
    const places = message?.placeholders ?? {};
    return (message?.message ?? "").replace(/\$(\w+)\$/g, (_, name: string) => {
        const place = Number(places[name.toLowerCase()]?.content.slice(1));
        return values[place - 1] ?? "";
    });
}
