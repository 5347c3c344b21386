// The colours of the pages, as the guidelines for accessibility want them: 4.5 for text, 3 for the edges of controls.

import { describe, expect, it } from "vitest";
import page from "../src/page/page.css?raw";
import reader from "../src/panels/reader.css?raw";
import style from "../src/style.css?raw";

const pairs = [...`${style}${page}`.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)];
const colours = new Map(pairs.map(([, name = "", light = "", dark = ""]) => [name, [light, dark] as const]));

function luminance(colour: string): number {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5]
        .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
    const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
}

function colour(name: string): readonly [string, string] {
    const found = colours.get(name);
    if (!found) throw new Error(`there is no colour --${name}`);
    return found;
}

describe.each(["light", "dark"])("in %s", (scheme) => {
    const of = (name: string) => colour(name)[scheme === "light" ? 0 : 1];

    it.each([
        ["text", "ground"],
        ["text", "raised"],
        ["text", "noted"],
        ["quiet", "ground"],
        ["quiet", "raised"],
        ["link", "ground"],
        ["link", "raised"],
        ["bad", "ground"],
        ["bad", "raised"],
        ["accent", "ground"],
        ["on-accent", "accent"],
    ])("%s can be read on %s", (text, ground) => {
        expect(contrast(of(text), of(ground))).toBeGreaterThanOrEqual(4.5);
    });

    it.each([
        ["control-line", "ground"],
        ["control-line", "raised"],
        ["focus", "ground"],
        ["focus", "raised"],
        ["template", "ground"],
        ["menu", "ground"],
        ["content", "ground"],
    ])("%s can be seen on %s", (edge, ground) => {
        expect(contrast(of(edge), of(ground))).toBeGreaterThanOrEqual(3);
    });
});

describe("on the page", () => {
    const WHITE = "#ffffff";
    const own = new Map(
        [...page.matchAll(/--([\w-]+): (#\w{6})/g)].map(([, name = "", value = ""]) => [name, value]),
    );
    const of = (name: string) => own.get(name) ?? "";

    /** What a tint makes of the page's own colours. */
    function tinted(ground: string, tint: string): string {
        const share = Number(/\.tint \{\s*opacity: ([\d.]+)/.exec(page)?.[1]);
        const parts = [1, 3, 5].map((at) => {
            const [under, over] = [ground, tint].map((colour) =>
                Number.parseInt(colour.slice(at, at + 2), 16),
            );
            return Math.round((under ?? 0) * (1 - share) + (over ?? 0) * share);
        });
        return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
    }

    it("names of blocks can be read", () => {
        expect(contrast(of("frame-text"), of("frame-line"))).toBeGreaterThanOrEqual(4.5);
    });

    it.each(["frame-line", "here"])("%s can be seen", (name) => {
        expect(contrast(of(name), WHITE)).toBeGreaterThanOrEqual(3);
    });

    it.each(["template-tint", "menu-tint", "content-tint"])("black can be read through %s", (name) => {
        const [ground, words] = [tinted(WHITE, of(name)), tinted("#000000", of(name))];
        expect(contrast(ground, words)).toBeGreaterThanOrEqual(4.5);
    });
});

describe("the content", () => {
    it("can be read", () => {
        const said = [...reader.matchAll(/(?:^|[^-])color: light-dark\((#\w{6}), (#\w{6})\)/gm)];
        const ground = /background: light-dark\((#\w{6}), (#\w{6})\)/.exec(reader);
        expect(said.length).toBeGreaterThan(2);
        for (const [, light = "", dark = ""] of said) {
            expect(contrast(light, ground?.[1] ?? "")).toBeGreaterThanOrEqual(4.5);
            expect(contrast(dark, ground?.[2] ?? "")).toBeGreaterThanOrEqual(4.5);
        }
    });
});
