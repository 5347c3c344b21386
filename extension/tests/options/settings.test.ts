import { defaultOptions } from "@husk/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import { siteOf } from "../../src/options/sites";
import { checked, DEFAULTS, engineOptions, readSettings, type Settings } from "../../src/settings";

afterEach(() => vi.unstubAllGlobals());

describe("settings", () => {
    it("are by default what the engine does by default", () => {
        expect(defaultOptions()).toMatchObject(engineOptions(DEFAULTS));
    });

    it("hold as they were chosen", () => {
        const chosen: Settings = {
            method: "paper",
            pagesToCompare: 20,
            equality: "label",
            loading: "tabs",
            sendsCookies: false,
            colours: { template: "#000000", menu: "#FFFFFF", content: "#123abc" },
        };
        expect(checked(chosen)).toEqual(chosen);
    });

    it.each([undefined, null, 3, "settings", [], {}])("are as by default if %j is stored", (stored) => {
        expect(checked(stored)).toEqual(DEFAULTS);
    });

    it.each([
        { method: "guess" },
        { pagesToCompare: 0 },
        { pagesToCompare: 21 },
        { pagesToCompare: 2.5 },
        { pagesToCompare: "4" },
        { pagesToCompare: Number.NaN },
        { equality: null },
        { loading: "magic" },
        { sendsCookies: "yes" },
        { colours: "red" },
        { colours: { template: "red", menu: "#12", content: 7 } },
    ])("leave out what is none: %j", (stored) => {
        expect(checked(stored)).toEqual(DEFAULTS);
    });

    it("keep what is good beside what is not", () => {
        const stored = { method: "paper", pagesToCompare: -1, colours: { menu: "#010203" } };
        expect(checked(stored)).toEqual({
            ...DEFAULTS,
            method: "paper",
            colours: { ...DEFAULTS.colours, menu: "#010203" },
        });
    });

    it("are read from the browser's store", async () => {
        const get = async () => ({ settings: { pagesToCompare: 7 } });
        vi.stubGlobal("chrome", { storage: { local: { get } } });
        expect(await readSettings()).toEqual({ ...DEFAULTS, pagesToCompare: 7 });
    });
});

describe("a site that was allowed", () => {
    it("is named as people do", () => {
        expect(siteOf("https://example.org/*")).toBe("example.org");
        expect(siteOf("http://example.org/*")).toBe("http://example.org");
    });
});
