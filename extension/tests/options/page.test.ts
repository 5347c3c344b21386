// @vitest-environment jsdom

import { beforeEach, describe, expect, it, vi } from "vitest";
import { colours } from "../../src/options/colours";
import { comparing } from "../../src/options/comparing";
import { sites } from "../../src/options/sites";
import { DEFAULTS, type Settings } from "../../src/settings";
import { speaking } from "../speaking";

let changed: Partial<Settings>[];
let origins: string[];
let told: (() => void)[];

beforeEach(() => {
    changed = [];
    origins = ["https://example.org/*", "http://a.example/*"];
    told = [];
    const tell = { addListener: (listener: () => void) => told.push(listener) };
    vi.stubGlobal("chrome", {
        i18n: speaking("en"),
        permissions: {
            getAll: async () => ({ origins }),
            remove: async (removed: { origins: string[] }) => {
                origins = origins.filter((origin) => !removed.origins.includes(origin));
                for (const listener of told) listener();
                return true;
            },
            onAdded: tell,
            onRemoved: tell,
        },
    });
});

function show(part: (settings: Settings, change: (changed: Partial<Settings>) => void) => HTMLElement) {
    document.body.replaceChildren(part(DEFAULTS, (change) => changed.push(change)));
}

function control<Control extends HTMLElement = HTMLInputElement>(id: string): Control {
    const found = document.getElementById(id);
    if (!found) throw new Error(`there is no #${id}`);
    return found as Control;
}

function enter(id: string, value: string): void {
    control(id).value = value;
    control(id).dispatchEvent(new Event("input"));
}

describe("every control", () => {
    it("has a label", () => {
        for (const part of [comparing, sites, colours]) {
            show(part);
            for (const made of document.querySelectorAll<HTMLInputElement>("input, select")) {
                expect(made.labels?.length, made.id).toBe(1);
            }
        }
    });
});

describe("pages to compare", () => {
    beforeEach(() => show(comparing));

    it("are kept when they can be", () => {
        enter("pages-to-compare", "7");
        expect(changed).toEqual([{ pagesToCompare: 7 }]);
    });

    it.each(["0", "21", "1.5", ""])("are not kept as %j, and it is said why", (value) => {
        enter("pages-to-compare", value);
        expect(changed).toEqual([]);
        expect(control("pages-to-compare-wrong").textContent).toBe("Enter a whole number from 1 to 20.");
        enter("pages-to-compare", "3");
        expect(control("pages-to-compare-wrong").textContent).toBe("");
    });
});

describe("the equality", () => {
    it("can be chosen where it is of use", () => {
        show(comparing);
        const equality = control<HTMLSelectElement>("equality");
        expect(equality.disabled).toBe(true);
        control("method-paper").click();
        expect(equality.disabled).toBe(false);
        equality.value = "label";
        equality.dispatchEvent(new Event("change"));
        control("method-husk").click();
        expect(equality.disabled).toBe(true);
        expect(changed).toEqual([{ method: "paper" }, { equality: "label" }, { method: "husk" }]);
    });
});

describe("the way of loading", () => {
    it("can be chosen; tabs leave no choice about cookies", () => {
        show(sites);
        expect(control("loading-fetch").checked).toBe(true);
        expect(control("sends-cookies").disabled).toBe(false);
        control("loading-tabs").click();
        expect(control("sends-cookies").disabled).toBe(true);
        control("loading-fetch").click();
        expect(control("sends-cookies").disabled).toBe(false);
        expect(changed).toEqual([{ loading: "tabs" }, { loading: "fetch" }]);
    });
});

describe("cookies", () => {
    it("can be kept back", () => {
        show(sites);
        control("sends-cookies").click();
        expect(changed).toEqual([{ sendsCookies: false }]);
    });
});

describe("sites that were allowed", () => {
    it("are listed, and can be removed", async () => {
        show(sites);
        const listed = () => [...document.querySelectorAll(".sites li span")].map((site) => site.textContent);
        await vi.waitFor(() => expect(listed()).toEqual(["http://a.example", "example.org"]));
        document.querySelector<HTMLElement>('[aria-label="Remove example.org"]')?.click();
        await vi.waitFor(() => expect(listed()).toEqual(["http://a.example"]));
        expect(document.activeElement?.id).toBe("allowed");
    });
});

describe("colours", () => {
    it("are changed one by one, and go back together", () => {
        show(colours);
        enter("colour-menu", "#010203");
        enter("colour-content", "#040506");
        expect(changed.at(-1)).toEqual({
            colours: { ...DEFAULTS.colours, menu: "#010203", content: "#040506" },
        });
        expect(document.querySelector<HTMLElement>(".preview")?.style.getPropertyValue("--menu")).toBe(
            "#010203",
        );
        control("reset-colours").click();
        expect(changed.at(-1)).toEqual({ colours: DEFAULTS.colours });
        expect(control("colour-menu").value).toBe(DEFAULTS.colours.menu);
    });
});
