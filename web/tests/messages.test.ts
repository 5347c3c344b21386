// The page's own words: complete, alike in every language, and nothing in them that nobody says.

import shared from "@husk/views/messages/en.json";
import { describe, expect, it } from "vitest";
import { faultsOf, namedIn } from "../../packages/views/tests/locale";
import english from "../messages/en.json";
import spanish from "../messages/es.json";

const sources = import.meta.glob<string>("../src/**/*.ts", { query: "?raw", import: "default", eager: true });
const code = Object.values(sources).join("\n");

describe("the words", () => {
    it("are complete and alike", () => {
        expect(faultsOf({ english, spanish, code })).toEqual([]);
    });

    it("are there for all that is said", () => {
        const named = namedIn(code);
        const isThere = (key: string) => key in english || `${key}Other` in english;
        expect(named.length).toBeGreaterThan(50);
        expect(named.filter((key) => !isThere(key))).toEqual([]);
    });

    it("do not take the place of those of the results", () => {
        expect(Object.keys(english).filter((key) => key in shared)).toEqual([]);
    });
});
