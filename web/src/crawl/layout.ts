// Layout of the graph: the key page in the centre, requested pages on an inner ring, other links on an outer
// ring. Pages keep their position while others are added.

import type { Graph } from "./graph";
import { plain } from "./graph";

export interface Place {
    x: number;
    y: number;
}

export interface Layout {
    /** By index of the page. */
    pages: Place[];
    /** By URL of the link. */
    candidates: Map<string, Place>;
}

export const INNER = 118;
export const OUTER = 200;

/** The golden angle: spreads any number of points evenly. */
const TURN = Math.PI * (3 - Math.sqrt(5));

export function layoutOf(graph: Graph): Layout {
    const pages = graph.pages.map((_, number) => (number === 0 ? { x: 0, y: 0 } : asked(number - 1)));
    const outside = ring(graph);
    const shown = new Set(graph.candidates.map(plain));
    const candidates = new Map([...outside].filter(([url]) => shown.has(url)));
    return { pages, candidates };
}

/** Start position of a page: its dot on the outer ring, or the centre. */
export function originOf(graph: Graph, url: string): Place {
    return ring(graph).get(plain(url)) ?? { x: 0, y: 0 };
}

function asked(at: number): Place {
    // Every second page is further out, to separate the labels.
    return onRing(at * TURN, INNER + (at % 2) * 22);
}

/** All links of the key page, requested ones included, so that positions are stable. */
function ring(graph: Graph): Map<string, Place> {
    const all = [...new Set(graph.pages[0]?.links.map(plain) ?? [])].slice(0, 96);
    const rows = all.length > 40 ? 2 : 1;
    return new Map(
        all.map((url, at) => [url, onRing((at / all.length) * 2 * Math.PI, OUTER + (at % rows) * 16)]),
    );
}

function onRing(angle: number, radius: number): Place {
    const round = (value: number) => Math.round(value * 10) / 10;
    return { x: round(Math.sin(angle) * radius * 1.18), y: round(-Math.cos(angle) * radius) };
}
