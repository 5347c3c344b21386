// What the extension says, in the user's language. The words stand in public/_locales; English is the measure of what there is.

import english from "../public/_locales/en/messages.json";

type Messages = typeof english;

export type Key = keyof Messages;

/** What a message leaves open, by name. */
type Places<K extends Key> = Messages[K] extends { placeholders: infer P } ? Record<keyof P, string> : never;

/** Keys of messages that say everything by themselves. */
export type PlainKey = { [K in Key]: Messages[K] extends { placeholders: unknown } ? never : K }[Key];

/** Messages that come in one form for one thing and another for several. */
type Counted = {
    [K in Key]: K extends `${infer Base}One` ? (`${Base}Other` extends Key ? Base : never) : never;
}[Key];

/** A message in the user's language. */
export function text<K extends Key>(
    key: K,
    ...given: [Places<K>] extends [never] ? [] : [Places<K>]
): string {
    return filled(key, given[0] ?? {});
}

/** A message about so many things; the number may be among its words. */
export function counted(base: Counted, count: number): string {
    const isOne = new Intl.PluralRules(language()).select(count) === "one";
    return filled(isOne ? `${base}One` : `${base}Other`, { count: number(count) });
}

/** Browsers want what is filled in by number. */
function filled(key: Key, values: Record<string, string>): string {
    const message: { message: string; placeholders?: Record<string, { content: string }> } = english[key];
    const places = Object.entries(message.placeholders ?? {});
    const inOrder = places.sort(([, a], [, b]) => a.content.localeCompare(b.content));
    return chrome.i18n.getMessage(
        key,
        inOrder.map(([name]) => values[name] ?? ""),
    );
}

/** The language that the words are in, which need not be that of the browser. */
export function language(): string {
    const words = text("language");
    const browser = chrome.i18n.getUILanguage();
    // The browser's tag also tells how a country writes numbers.
    return browser.split(/[-_]/)[0] === words ? browser.replace("_", "-") : words;
}

export function number(value: number): string {
    return new Intl.NumberFormat(language()).format(value);
}

/** A share of the whole, between 0 and 1; what is neither nothing nor all is not rounded to it. */
export function share(value: number): string {
    const percent = Math.round(value * 100) / 100;
    const inside = value > 0 && value < 1 ? Math.min(0.99, Math.max(0.01, percent)) : percent;
    return new Intl.NumberFormat(language(), { style: "percent" }).format(inside);
}

/** A date as a page states it; as it stands if it is none that can be read. */
export function date(stated: string): string {
    const time = new Date(stated);
    if (Number.isNaN(time.getTime())) return stated;
    // A day without an hour means that day everywhere.
    const timeZone = /T\d/.test(stated) ? {} : { timeZone: "UTC" };
    return new Intl.DateTimeFormat(language(), { dateStyle: "long", ...timeZone }).format(time);
}

/** Says in which language the page is, for those who have it read to them. */
export function speak(document: Document, title: string): void {
    document.documentElement.lang = language();
    document.title = title;
}
