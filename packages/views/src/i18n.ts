// What is said, in the user's language.
//
// The words of this package stand in messages/, those of a surface with the surface; English is the measure of what there
// is. Where the words of the user's language come from is for the surface to say, once, by `speakWith`.

import english from "../messages/en.json";

/** A message as browsers have them for extensions: `$NAME$` is a place, which `placeholders` gives a number. */
export interface Message {
    message: string;
    placeholders?: Record<string, { content: string }>;
}

export type Messages = Record<string, Message>;

/** Where the words come from. */
export interface Words {
    /** The tag of the language that the user is spoken to in by the browser. */
    browser(): string;
    /** The message of that name, its places filled in their order. */
    message(key: string, values: string[]): string;
}

let words: Words | undefined;

/** Says where the words come from; before anything is shown. */
export function speakWith(given: Words): void {
    words = given;
}

/** A message by its name as it is put together somewhere else, filled in order. */
export function say(key: string, ...values: string[]): string {
    if (!words) throw new Error("nobody has said where the words come from");
    return words.message(key, values);
}

/** What a message leaves open, by name. */
type Places<All, K extends keyof All> = All[K] extends { placeholders: infer P }
    ? Record<keyof P, string>
    : never;

/** Keys of messages that say everything by themselves. */
export type PlainKeyOf<All> = {
    [K in keyof All]: All[K] extends { placeholders: unknown } ? never : K;
}[keyof All];

/** Messages that come in one form for one thing and another for several. */
type Counted<All> = {
    [K in keyof All]: K extends `${infer Base}One`
        ? `${Base}Other` extends keyof All
            ? Base
            : never
        : never;
}[keyof All];

export interface Phrases<All> {
    /** A message in the user's language. */
    text<K extends keyof All & string>(
        key: K,
        ...given: [Places<All, K>] extends [never] ? [] : [Places<All, K>]
    ): string;
    /** A message about so many things; the number may be among its words. */
    counted(base: Counted<All>, count: number): string;
}

/** What can be said with these messages, of which the English ones are given. */
export function phrases<All extends Messages>(english: All): Phrases<All> {
    const filled = (key: string, values: Record<string, string>) => {
        const places = Object.entries(english[key]?.placeholders ?? {});
        const inOrder = places.sort(([, a], [, b]) => a.content.localeCompare(b.content));
        return say(key, ...inOrder.map(([name]) => values[name] ?? ""));
    };
    return {
        text: (key, ...given) => filled(key, given[0] ?? {}),
        counted: (base, count) => {
            const isOne = new Intl.PluralRules(language()).select(count) === "one";
            return filled(isOne ? `${base}One` : `${base}Other`, { count: number(count) });
        },
    };
}

export const { text, counted } = phrases(english);

export type PlainKey = PlainKeyOf<typeof english>;

/** The language that the words are in, which need not be that of the browser. */
export function language(): string {
    const spoken = say("language");
    const browser = words?.browser() ?? spoken;
    // The browser's tag also tells how a country writes numbers.
    return browser.split(/[-_]/)[0] === spoken ? browser.replace("_", "-") : spoken;
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
