// Illustration: pages that share a template.

import { svg } from "../svg";

export function illustration(): SVGElement {
    const places = [
        [14, 22],
        [30, 14],
        [46, 6],
    ];
    const others = places.map(([x = 0, y = 0]) => sheet(x, y, "sheet"));
    return svg(
        "svg",
        { class: "illustration", viewBox: "0 0 300 120", "aria-hidden": "true" },
        ...others,
        svg("path", { class: "arrow", d: "M132 60h30m-8-7 8 7-8 7" }),
        svg("g", { transform: "translate(176 8)" }, ...husk()),
        svg("g", { transform: "translate(252 30)" }, ...grain()),
    );
}

function sheet(x: number, y: number, name: string): SVGElement {
    return svg(
        "g",
        { class: name, transform: `translate(${x} ${y})` },
        svg("rect", { class: "paper", width: 70, height: 92, rx: 6 }),
        svg("rect", { class: "frame", x: 8, y: 8, width: 54, height: 10, rx: 2 }),
        svg("rect", { class: "aside", x: 8, y: 24, width: 14, height: 60, rx: 2 }),
        svg("path", { class: "lines", d: "M30 28h30M30 37h32M30 46h24M30 55h31M30 64h28M30 73h20" }),
    );
}

/** The template alone. */
function husk(): SVGElement[] {
    return [
        svg("rect", { class: "paper", width: 70, height: 92, rx: 6 }),
        svg("rect", { class: "frame", x: 8, y: 8, width: 54, height: 10, rx: 2 }),
        svg("rect", { class: "aside", x: 8, y: 24, width: 14, height: 60, rx: 2 }),
        svg("rect", { class: "slot", x: 28, y: 24, width: 34, height: 60, rx: 3 }),
    ];
}

function grain(): SVGElement[] {
    return [
        svg("rect", { class: "content", width: 38, height: 60, rx: 4 }),
        svg("path", { class: "content-lines", d: "M7 11h22M7 20h24M7 29h17M7 38h23M7 47h14" }),
    ];
}
