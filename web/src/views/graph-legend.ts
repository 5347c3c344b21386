// Legend of the graph.

import { element } from "@husk/views";
import { type PlainKey, text } from "../words";

const SIGNS: [name: string, label: PlainKey][] = [
    ["key", "legendKey"],
    ["dot", "legendLink"],
    ["accepted", "legendAccepted"],
    ["rejected", "legendRefused"],
    ["in-clique", "legendClique"],
];

export function graphLegend(): HTMLElement {
    const entries = SIGNS.map(([name, label]) =>
        element("li", {}, element("i", { class: `sign ${name}` }), text(label)),
    );
    return element("ul", { class: "graph-legend", "aria-hidden": "true" }, ...entries);
}
