// What is wrong with files of messages: they have to be complete, alike in every language, and have nothing that nobody says.

import type { Message, Messages } from "../src/i18n";

export interface Locale {
    english: Messages;
    spanish: Messages;
    /** All code that says something. */
    code: string;
    /** Messages that are made of a beginning and a name: `tintPagelet` and a function. */
    made?: string[];
    /** Messages that may be the same in both languages, such as names of formats. */
    same?: RegExp;
}

/** What is wrong, a line for each thing. */
export function faultsOf({ english, spanish, code, made = [], same = /^$/ }: Locale): string[] {
    const isMade = (key: string) =>
        made.some((beginning) => key.startsWith(beginning) && code.includes(`\`${beginning}\${`));
    const faults = new Set<string>();
    for (const key of new Set([...Object.keys(english), ...Object.keys(spanish)])) {
        const [one, other] = [english[key], spanish[key]];
        if (!one || !other) {
            faults.add(`${key}: only in one language`);
            continue;
        }
        if (JSON.stringify(one.placeholders) !== JSON.stringify(other.placeholders)) {
            faults.add(`${key}: other places in Spanish`);
        }
        for (const message of [one, other]) {
            if (placesIn(message).join() !== namesOf(message).join()) faults.add(`${key}: places not filled`);
        }
        if (!isNumbered(one)) faults.add(`${key}: places are not numbered from 1`);
        if (one.message === other.message && !same.test(key)) faults.add(`${key}: the same in Spanish`);
        if (!isMade(key) && !isSaid(key, code)) faults.add(`${key}: nobody says it`);
    }
    return [...faults];
}

/** The messages that code names. */
export function namedIn(code: string): string[] {
    const calls = code.matchAll(/(?:getMessage|\bsay|\btext|\bcounted)\(\s*"(\w+)"/g);
    return [...calls].map(([, key]) => key ?? "");
}

function placesIn({ message }: Message): string[] {
    const names = [...message.matchAll(/\$([A-Za-z_]+)\$/g)].map(([, name]) => (name ?? "").toLowerCase());
    return [...new Set(names)].toSorted();
}

function namesOf({ placeholders = {} }: Message): string[] {
    return Object.keys(placeholders).toSorted();
}

function isNumbered({ placeholders = {} }: Message): boolean {
    const numbers = Object.values(placeholders).map(({ content }) => content);
    return numbers.toSorted().every((number, at) => number === `$${at + 1}`);
}

/** Whether a key stands in the code: as such, in a manifest's way, or as one of two forms. */
function isSaid(key: string, code: string): boolean {
    const base = key.replace(/(?:One|Other)$/, "");
    return [`"${key}"`, `__MSG_${key}__`, `counted("${base}"`].some((way) => code.includes(way));
}
