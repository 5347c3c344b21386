import { date } from "@husk/views";
import { afterEach, describe, expect, it, vi } from "vitest";
import { counted, language, number, share, text } from "../../src/i18n";
import { type Language, speaking } from "../speaking";

function speak(language: Language, browser?: string) {
    vi.stubGlobal("chrome", { i18n: speaking(language, browser) });
}

afterEach(() => vi.unstubAllGlobals());

describe("words", () => {
    it("are filled by name", () => {
        speak("en");
        expect(text("factsTemplate", { nodes: "1,200", share: "72%" })).toBe(
            "72% of 1,200 nodes are template.",
        );
        speak("es");
        expect(text("allow", { host: "example.org" })).toBe("Permitir para example.org");
    });

    it("are counted", () => {
        speak("en");
        expect([0, 1, 2].map((count) => counted("factsCompared", count))).toEqual([
            "Compared with 0 pages.",
            "Compared with 1 page.",
            "Compared with 2 pages.",
        ]);
        speak("es");
        expect([1, 12_345].map((count) => counted("words", count))).toEqual(["1 palabra", "12.345 palabras"]);
    });
});

describe("the language", () => {
    it("is the browser's where there are words for it", () => {
        speak("es", "es-MX");
        expect(language()).toBe("es-MX");
        speak("es", "es_ES");
        expect(language()).toBe("es-ES");
    });

    it("is that of the words where there are none for the browser's", () => {
        speak("en", "ja");
        expect(language()).toBe("en");
        expect(counted("links", 1)).toBe("1 link");
    });
});

describe("numbers", () => {
    it("are written as in the language", () => {
        speak("en");
        expect(number(1234567)).toBe("1,234,567");
        speak("es");
        expect(number(1234567)).toBe("1.234.567");
    });

    it("say all and nothing only of all and nothing", () => {
        speak("en");
        expect([0, 0.001, 0.5949, 0.999, 1].map(share)).toEqual(["0%", "1%", "59%", "99%", "100%"]);
    });
});

describe("dates", () => {
    it("are the day that the page states", () => {
        speak("en");
        expect(date("2025-05-09")).toBe("May 9, 2025");
        speak("es");
        expect(date("2025-05-09")).toBe("9 de mayo de 2025");
    });

    it("stand as they are if they cannot be read", () => {
        speak("en");
        expect(date("last spring")).toBe("last spring");
    });
});
