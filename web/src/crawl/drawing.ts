// Draws the graph; reuses elements, so that changes are animated.
//
// Hidden from screen readers: the list beside it has the same information.

import { pathOf } from "@husk/views";
import { svg } from "../svg";
import type { Crawl } from "./crawl";
import { type Graph, graphOf, type Link, plain } from "./graph";
import { layoutOf, originOf, type Place } from "./layout";

const LONGEST_LABEL = 24;

export class GraphDrawing {
    readonly #links = svg("g");
    readonly #candidates = svg("g");
    readonly #pages = svg("g");
    readonly node = svg(
        "svg",
        { class: "graph", viewBox: "-300 -240 600 480", "aria-hidden": "true" },
        this.#links,
        this.#candidates,
        this.#pages,
    );
    readonly #drawn = new Map<string, SVGElement>();

    show(crawl: Crawl): Graph {
        const graph = graphOf(crawl);
        const { pages, candidates } = layoutOf(graph);
        const left = new Set(this.#drawn.keys());
        const keep = (name: string, make: () => SVGElement): SVGElement => {
            left.delete(name);
            const made = this.#drawn.get(name) ?? make();
            this.#drawn.set(name, made);
            return made;
        };
        for (const link of graph.links) this.#link(link, graph, pages, keep);
        for (const [url, place] of candidates) keep(`dot ${url}`, () => this.#dot(place));
        for (const [number, page] of graph.pages.entries()) {
            const place = pages[number] ?? { x: 0, y: 0 };
            const drawn = keep(`page ${plain(page.url)}`, () => this.#page(page.url, number, place, graph));
            const state = number === 0 ? `key ${page.state}` : page.state;
            drawn.setAttribute("class", `node ${state}${graph.clique.has(number) ? " in-clique" : ""}`);
        }
        for (const name of left) {
            this.#drawn.get(name)?.remove();
            this.#drawn.delete(name);
        }
        return graph;
    }

    #link(
        { from, to, isMutual }: Link,
        graph: Graph,
        places: Place[],
        keep: (name: string, make: () => SVGElement) => SVGElement,
    ): void {
        const [start, end] = [places[from], places[to]];
        if (!start || !end) return;
        const [low, high] = from < to ? [from, to] : [to, from];
        const drawn = keep(`link ${low} ${high}`, () => {
            const line = svg("line", { x1: start.x, y1: start.y, x2: end.x, y2: end.y });
            this.#links.append(line);
            return line;
        });
        const isInside = isMutual && graph.clique.has(from) && graph.clique.has(to);
        drawn.setAttribute("class", `link${isMutual ? " mutual" : ""}${isInside ? " in-clique" : ""}`);
        // Highlighted links on top.
        if (isInside && drawn.nextSibling) this.#links.append(drawn);
    }

    #dot({ x, y }: Place): SVGElement {
        const dot = svg("circle", { class: "dot", r: 2.5, cx: x, cy: y });
        this.#candidates.append(dot);
        return dot;
    }

    #page(url: string, number: number, place: Place, graph: Graph): SVGElement {
        const radius = number === 0 ? 13 : 8;
        const drawn = svg(
            "g",
            {},
            svg("circle", { class: "halo", r: radius + 7 }),
            svg("circle", { class: "disc", r: radius }),
            svg("text", labelPlace(number, place), labelOf(url)),
            svg("title", {}, url),
        );
        this.#pages.append(drawn);
        move(drawn, number === 0 ? place : originOf(graph, url));
        // Force a layout, so that the move is animated.
        if (number !== 0) {
            drawn.getBoundingClientRect?.();
            move(drawn, place);
        }
        return drawn;
    }
}

function move(drawn: SVGElement, { x, y }: Place): void {
    drawn.style.transform = `translate(${x}px, ${y}px)`;
}

/** Label position: beside the disc, away from the centre. */
function labelPlace(number: number, { x, y }: Place): Record<string, string | number> {
    if (number === 0) return { y: 36, "text-anchor": "middle" };
    if (Math.abs(x) < 40) return { y: y < 0 ? -20 : 28, "text-anchor": "middle" };
    return { x: x < 0 ? -19 : 19, y: 4, "text-anchor": x < 0 ? "end" : "start" };
}

/** Short label: the last segment of the path. */
export function labelOf(url: string): string {
    const path = pathOf(url).replace(/\/(?:index\.\w+)?$/, "");
    const last = [...path.slice(path.lastIndexOf("/") + 1)];
    if (last.length === 0) return "/";
    return last.length <= LONGEST_LABEL ? last.join("") : `${last.slice(0, LONGEST_LABEL - 1).join("")}…`;
}
