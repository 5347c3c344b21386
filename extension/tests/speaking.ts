// Gives the code under test the words of a language, as browsers do.

import english from "../public/_locales/en/messages.json";
import spanish from "../public/_locales/es/messages.json";

export interface Message {
    message: string;
    placeholders?: Record<string, { content: string }>;
}

export type Language = "en" | "es";

export function messages(language: Language): Record<string, Message> {
    return language === "en" ? english : spanish;
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
