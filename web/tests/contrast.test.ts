// The colours that only this page has, against those they stand on: 3 for what is no text.

import shared from "@husk/views/style.css?raw";
import { describe, expect, it } from "vitest";
import own from "../src/style.css?raw";

const pairs = [...`${shared}${own}`.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)];
const colours = new Map(pairs.map(([, name = "", light = "", dark = ""]) => [name, [light, dark]]));

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

describe.each([
    ["light", 0],
    ["dark", 1],
])("in %s", (_, scheme) => {
    const of = (name: string) => colours.get(name)?.[scheme] ?? "#000000";

    it.each([
        ["lit", "ground"],
        ["lit", "lit-ground"],
        ["accent", "lit-ground"],
        ["text", "lit-ground"],
    ])("%s can be seen on %s", (sign, ground) => {
        expect(contrast(of(sign), of(ground))).toBeGreaterThanOrEqual(3);
    });
});
