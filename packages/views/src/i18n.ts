// Messages in the user's language.
//
// Messages of this package are in messages/, those of an application with the application. English defines the
// keys. `speakWith` sets the source of translations.

import english from "../messages/en.json";

/** A message in the format of browser extensions. */
export interface Message {
    message: string;
    placeholders?: Record<string, { content: string }>;
}

export type Messages = Record<string, Message>;

/** Source of messages. */
export interface Words {
    /** Language tag of the browser. */
    browser(): string;
    /** The message with its placeholders filled in order. */
    message(key: string, values: string[]): string;
}

let words: Words | undefined;

/** Sets the source of messages; call it first. */
export function speakWith(given: Words): void {
    words = given;
}

/** A message by a computed key. */
export function say(key: string, ...values: string[]): string {
    if (!words) throw new Error("speakWith was not called");
    return words.message(key, values);
}

/** Placeholder values by name. */
type Places<All, K extends keyof All> = All[K] extends { placeholders: infer P }
    ? Record<keyof P, string>
    : never;

/** Keys of messages without placeholders. */
export type PlainKeyOf<All> = {
    [K in keyof All]: All[K] extends { placeholders: unknown } ? never : K;
}[keyof All];

/** Messages with a singular and a plural form. */
type Counted<All> = {
    [K in keyof All]: K extends `${infer Base}One`
        ? `${Base}Other` extends keyof All
            ? Base
            : never
        : never;
}[keyof All];

export interface Phrases<All> {
    text<K extends keyof All & string>(
        key: K,
        ...given: [Places<All, K>] extends [never] ? [] : [Places<All, K>]
    ): string;
    /** A message in singular or plural. */
    counted(base: Counted<All>, count: number): string;
}

/** Typed functions for a set of messages. */
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

/** Language of the messages, which may differ from the browser's. */
export function language(): string {
    const spoken = say("language");
    const browser = words?.browser() ?? spoken;
    // The browser's tag has the region, for number formats.
    return browser.split(/[-_]/)[0] === spoken ? browser.replace("_", "-") : spoken;
}

export function number(value: number): string {
    return new Intl.NumberFormat(language()).format(value);
}

/** Formats a share between 0 and 1; never rounds to 0 % or 100 %. */
export function share(value: number): string {
    const percent = Math.round(value * 100) / 100;
    const inside = value > 0 && value < 1 ? Math.min(0.99, Math.max(0.01, percent)) : percent;
    return new Intl.NumberFormat(language(), { style: "percent" }).format(inside);
}

/** Formats a date; returns it unchanged if it cannot be parsed. */
export function date(stated: string): string {
    const time = new Date(stated);
    if (Number.isNaN(time.getTime())) return stated;
    // A date without time is the same day in every time zone.
    const timeZone = /T\d/.test(stated) ? {} : { timeZone: "UTC" };
    return new Intl.DateTimeFormat(language(), { dateStyle: "long", ...timeZone }).format(time);
}

/** Sets the page's language, for screen readers. */
export function speak(document: Document, title: string): void {
    document.documentElement.lang = language();
    document.title = title;
}
