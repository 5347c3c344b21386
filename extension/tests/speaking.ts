// Gives the code under test the words of a language, as browsers do.

import type { Messages } from "@husk/views";
import sharedEnglish from "@husk/views/messages/en.json";
import sharedSpanish from "@husk/views/messages/es.json";
import english from "../messages/en.json";
import spanish from "../messages/es.json";

export type Language = "en" | "es";

export function messages(language: Language): Messages {
    return language === "en" ? { ...sharedEnglish, ...english } : { ...sharedSpanish, ...spanish };
}

/** `chrome.i18n` with the words of `language`, in a browser that is itself in another one if that is said. */
export function speaking(language: Language, browser: string = language) {
    const words = messages(language);
    return {
        getUILanguage: () => browser,
        getMessage: (key: string, values: string[] = []) => {
            const { message, placeholders = {} } = words[key] ?? { message: "" };
            return message.replace(/\$(\w+)\$/g, (_, name: string) => {
                const content = placeholders[name.toLowerCase()]?.content ?? "";
                return content.replace(/\$(\d)/g, (_, place: string) => values[Number(place) - 1] ?? "");
            });
        },
    };
}
