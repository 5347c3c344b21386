// Regions: elements whose class differs from their parent's, or that start a pagelet.

import { findAll } from "./foreign";
import { MARKED, type Marks, type NodeMark } from "./marks";

export type Tint = "template" | "menu" | "content";

export const TINTS: Tint[] = ["template", "menu", "content"];

export interface Region {
    element: Element;
    mark: NodeMark;
    /** Tints; a menu outside the template has both. */
    tints: Tint[];
    /** Index of the pagelet that starts here. */
    pagelet: number | undefined;
}

/** More regions are not highlighted. */
const MOST_MARKED = 100_000;

export function regionsOf(page: Document, marks: Marks): Region[] {
    const regions: Region[] = [];
    const marked = findAll(page, MARKED);
    const count = Math.min(marked.length, MOST_MARKED);
    for (let at = 0; at < count; at += 1) {
        const element = marked[at];
        const mark = element && marks.at(element);
        if (!mark) continue;
        const above = marks.around(element);
        const tints = mark.kind === above?.kind ? [] : tintsOf(mark, above);
        const pagelet = mark.pagelet === above?.pagelet ? undefined : mark.pagelet;
        if (tints.length > 0 || pagelet !== undefined) regions.push({ element, mark, tints, pagelet });
    }
    return regions;
}

function tintsOf({ kind }: NodeMark, above: NodeMark | undefined): Tint[] {
    switch (kind) {
        case "template":
        case "content":
            return [kind];
        case "menu":
            return above?.kind === "template" ? ["menu"] : ["template", "menu"];
        default:
            return [];
    }
}
