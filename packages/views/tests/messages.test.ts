// The words of this package.

import { describe, expect, it } from "vitest";
import english from "../messages/en.json";
import spanish from "../messages/es.json";
import { type Messages, phrases, speakWith } from "../src/i18n";
import { wordsFrom } from "../src/words";
import { faultsOf, namedIn } from "./locale";
import { speaker } from "./speaking";

const sources = import.meta.glob<string>("../src/**/*.ts", { query: "?raw", import: "default", eager: true });
const code = Object.values(sources).join("\n");

describe("the messages", () => {
    it("are complete, alike, and said by somebody", () => {
        const same = /^form|^tintPageletLogin$/;
        expect(faultsOf({ english, spanish, code, made: ["tintPagelet"], same })).toEqual([]);
    });

    it("are all there that the code names", () => {
        const named = namedIn(code);
        expect(named.length).toBeGreaterThan(50);
        const isThere = (key: string) => key in english || `${key}Other` in english;
        expect(named.filter((key) => !isThere(key))).toEqual([]);
    });

    it("would be faulted if they were not", () => {
        const message = (words: string, placeholders?: { host: { content: string } }) => ({
            message: words,
            ...(placeholders ? { placeholders } : {}),
        });
        const host = { host: { content: "$1" } };
        const faulty: Messages = {
            a: message("A"),
            b: message("B $HOST$"),
            c: message("C", host),
            d: message("D"),
        };
        const other: Messages = { a: message("A"), b: message("Be"), c: message("Ce"), e: message("E") };
        expect(faultsOf({ english: faulty, spanish: other, code: '"a" "b" "c"' })).toEqual([
            "a: the same in Spanish",
            "b: places not filled",
            "c: other places in Spanish",
            "c: places not filled",
            "d: only in one language",
            "e: only in one language",
        ]);
        expect(faultsOf({ english: { d: message("D") }, spanish: { d: message("De") }, code: "" })).toEqual([
            "d: nobody says it",
        ]);
    });
});

describe("words from files", () => {
    const own = { en: { hello: { message: "Hello" } }, es: { hello: { message: "Hola" } } };

    it.each([
        [["es-MX", "en"], "Hola", "es-MX"],
        [["ja", "fr-CA"], "Hello", "en"],
        [["ja", "en-GB", "es"], "Hello", "en-GB"],
        [[], "Hello", "en"],
    ])("are in the first language that there is: %j", (wanted, said, tag) => {
        const words = wordsFrom(own, wanted);
        expect([words.message("hello", []), words.browser()]).toEqual([said, tag]);
    });

    it("are filled in order, and blank where there are none", () => {
        expect(speaker("en")("factsTemplate", "72%", "1,200")).toBe("72% of 1,200 nodes are template.");
        expect(speaker("en")("no such message")).toBe("");
    });

    it("of a surface are said beside those of the package", () => {
        speakWith(wordsFrom(own, ["es"]));
        const { text, counted } = phrases({ ...english, ...own.en });
        expect([text("hello"), counted("words", 2)]).toEqual(["Hola", "2 palabras"]);
    });
});
