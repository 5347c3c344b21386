// The extension's own words, and what browsers get: these and those of the shared components.

import shared from "@husk/views/messages/en.json";
import { describe, expect, it } from "vitest";
import { faultsOf, namedIn } from "../../../packages/views/tests/locale";
import manifest from "../../manifest.mjs?raw";
import english from "../../messages/en.json";
import spanish from "../../messages/es.json";
import { messages } from "../speaking";

const sources = import.meta.glob<string>("../../src/**/*.ts", {
    query: "?raw",
    import: "default",
    eager: true,
});
const code = [...Object.values(sources), manifest].join("\n");
const all = messages("en");

describe("the messages", () => {
    it("are complete, alike, and said by somebody", () => {
        expect(faultsOf({ english, spanish, code })).toEqual([]);
    });

    it("are none that the shared components have", () => {
        expect(Object.keys(english).filter((key) => key in shared)).toEqual([]);
    });

    it("are all there that the manifest names", () => {
        const named = [...code.matchAll(/__MSG_(\w+)__/g)].map(([, key]) => key ?? "");
        expect(named.length).toBeGreaterThan(2);
        expect(named.filter((key) => !(key in all))).toEqual([]);
    });

    it("are all there that the code names", () => {
        const tints = [...code.matchAll(/"(tint[A-Z]\w*)"/g)].map(([, key]) => key ?? "");
        const named = [...namedIn(code), ...tints];
        expect(named.length).toBeGreaterThan(70);
        const isThere = (key: string) => key in all || `${key}Other` in all;
        expect(named.filter((key) => !isThere(key))).toEqual([]);
    });
});
