// The locale files themselves: complete, alike in every language, and nothing in them that nobody says.

import { describe, expect, it } from "vitest";
import manifest from "../../manifest.mjs?raw";
import { type Message, messages } from "../speaking";

const [english, spanish] = [messages("en"), messages("es")];
const sources = import.meta.glob<string>("../../src/**/*.ts", {
    query: "?raw",
    import: "default",
    eager: true,
});
const code = [...Object.values(sources), manifest].join("\n");

describe("the locale files", () => {
    it("have the same messages", () => {
        expect(Object.keys(spanish).toSorted()).toEqual(Object.keys(english).toSorted());
    });

    it("leave the same places open", () => {
        for (const [key, message] of Object.entries(english)) {
            expect(spanish[key]?.placeholders, key).toEqual(message.placeholders);
        }
    });

    it.each([
        ["English", english],
        ["Spanish", spanish],
    ])("fill every place in %s, and only those", (_, all) => {
        for (const [key, message] of Object.entries(all)) {
            expect(placesIn(message), key).toEqual(Object.keys(message.placeholders ?? {}).toSorted());
        }
    });

    it("number the places from 1", () => {
        for (const [key, { placeholders = {} }] of Object.entries(english)) {
            const numbers = Object.values(placeholders).map(({ content }) => content);
            expect(numbers.toSorted(), key).toEqual(numbers.map((_, at) => `$${at + 1}`));
        }
    });

    it("have no message that nobody says", () => {
        expect(Object.keys(english).filter((key) => !isSaid(key))).toEqual([]);
    });

    it("have every message that is named in the manifest", () => {
        const named = [...code.matchAll(/__MSG_(\w+)__/g)].map(([, key]) => key ?? "");
        expect(named.filter((key) => !(key in english))).toEqual([]);
    });

    it("have every message that the code asks browsers for by name", () => {
        const named = [...code.matchAll(/(?:getMessage|\btext|\bcounted)\(\s*"(\w+)"/g)].map(
            ([, key]) => key ?? "",
        );
        expect(named.length).toBeGreaterThan(100);
        const isThere = (key: string) => key in english || `${key}Other` in english;
        expect(named.filter((key) => !isThere(key))).toEqual([]);
    });

    it("are in their own language", () => {
        const same = Object.keys(english).filter((key) => english[key]?.message === spanish[key]?.message);
        // Names of formats, and words that are the same in both.
        expect(same.filter((key) => !/^form|^tintLogin$/.test(key))).toEqual([]);
    });
});

function placesIn({ message }: Message): string[] {
    const names = [...message.matchAll(/\$([A-Za-z_]+)\$/g)].map(([, name]) => (name ?? "").toLowerCase());
    return [...new Set(names)].toSorted();
}

/** Whether a key stands in the code: as such, in the manifest's way, or made of its beginning and a name. */
function isSaid(key: string): boolean {
    const base = key.replace(/(?:One|Other)$/, "");
    const pagelet = key.startsWith("tintPagelet") ? "`tintPagelet${" : `"${key}"`;
    return [pagelet, `__MSG_${key}__`, `counted("${base}"`].some((way) => code.includes(way));
}
