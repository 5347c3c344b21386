// Measures where a node is visible.

import {
    boxOf,
    childNodesOf,
    firstChildOf,
    isElement,
    isText,
    offsetParentOf,
    parentOf,
    rectsOf,
    slotOf,
} from "./nodes";
import { type Live, nodesOf } from "./pairing";
import { isEmpty, overlap, type Rect } from "./rects";

/** Positioning: with the page, fixed, or sticky. */
export type Hold = "page" | "window" | "scroll";

export interface Measured {
    rects: Rect[];
    hold: Hold;
}

/** Clipping by ancestors. */
interface Surroundings {
    clip: Rect | undefined;
    hold: Hold;
}

/** Limit when searching a node without a box. */
const MOST_LOOKED_INTO = 400;

/** Measures nodes; caches ancestors until the page changes. */
export class Measure {
    readonly #inside = new Map<Element, Surroundings>();
    readonly #range: Range;

    constructor(readonly document: Document) {
        this.#range = document.createRange();
    }

    of(live: Live): Measured {
        const rects: Rect[] = [];
        let hold: Hold = "page";
        for (const node of nodesOf(live)) {
            const shown = this.#shownRects(node);
            if (shown.rects.length > 0) hold = shown.hold;
            rects.push(...shown.rects);
        }
        return { rects, hold };
    }

    /** Unclipped rectangles of a text. */
    ofText(text: Text): Rect[] {
        this.#range.selectNode(text);
        return filled(this.#range.getClientRects());
    }

    #shownRects(node: Element | Text): Measured {
        const rects = this.#ownRects(node);
        const element = elementOf(node);
        if (rects.length === 0 || !element) return { rects: [], hold: "page" };
        const { clip, hold } = node === element ? this.#around(element) : this.#insideOf(element);
        const cut = clip ? rects.map((rect) => overlap(rect, clip)).filter((rect) => !isEmpty(rect)) : rects;
        return { rects: cut, hold };
    }

    /** Rectangles of a node, or of its contents if its own box is misleading. */
    #ownRects(node: Element | Text): Rect[] {
        const rects: Rect[] = [];
        const ahead: Node[] = [node];
        for (let looked = 0; looked < MOST_LOOKED_INTO; looked += 1) {
            const next = ahead.pop();
            if (!next) break;
            if (isText(next)) {
                rects.push(...this.ofText(next));
            } else if (isElement(next)) {
                const own = filled(rectsOf(next));
                if (this.#isLookedInto(next, own)) ahead.push(...[...childNodesOf(next)].reverse());
                else rects.push(...own);
            }
        }
        return rects;
    }

    /** No box, only out-of-flow children, or inline around blocks. */
    #isLookedInto(element: Element, own: readonly Rect[]): boolean {
        if (!firstChildOf(element)) return false;
        if (own.length > 0 && ![...childNodesOf(element)].some(isElement)) return false;
        const { display } = getComputedStyle(element);
        return own.length > 0 ? display === "inline" : display !== "none";
    }

    /** Visible part of the element's box. */
    #around(element: Element): Surroundings {
        const { position } = getComputedStyle(element);
        const above = containerOf(element, position);
        const { clip, hold } = above ? this.#insideOf(above) : { clip: undefined, hold: "page" as const };
        return { clip, hold: held(position, hold) };
    }

    /** Visible parts of the element's contents. */
    #insideOf(element: Element): Surroundings {
        // A loop from the outermost: recursion could overflow the stack.
        const chain: Element[] = [];
        let known: Surroundings | undefined;
        for (let each: Element | null = element; each && !known; ) {
            known = this.#inside.get(each);
            if (!known) {
                chain.push(each);
                each = containerOf(each, getComputedStyle(each).position);
            }
        }
        let last: Surroundings = known ?? { clip: undefined, hold: "page" };
        for (const each of chain.reverse()) {
            last = this.#within(each, last);
            this.#inside.set(each, last);
        }
        return last;
    }

    #within(element: Element, outer: Surroundings): Surroundings {
        const { position, overflowX, overflowY, display } = getComputedStyle(element);
        const hold = held(position, outer.hold);
        const isOpen = overflowX === "visible" && overflowY === "visible";
        if (isOpen || display === "inline" || display === "contents" || this.#scrollsWindow(element)) {
            return { clip: outer.clip, hold };
        }
        const box = boxOf(element);
        return { clip: outer.clip ? overlap(outer.clip, box) : box, hold };
    }

    /** Overflow of root or body applies to the viewport. */
    #scrollsWindow(element: Element): boolean {
        const { documentElement: root, body } = this.document;
        if (element === root) return true;
        if (element !== body) return false;
        const { overflowX, overflowY } = getComputedStyle(root);
        return overflowX === "visible" && overflowY === "visible";
    }
}

function held(position: string, outer: Hold): Hold {
    if (position === "fixed") return "window";
    return position === "sticky" && outer === "page" ? "scroll" : outer;
}

/** The next clipping ancestor. */
function containerOf(element: Element, position: string): Element | null {
    if (position === "fixed") return null;
    if (position === "absolute" && element instanceof HTMLElement) return offsetParentOf(element);
    return aboveOf(element);
}

/** Parent in the flat tree, across shadow roots. */
function aboveOf(node: Element | Text): Element | null {
    const slot = slotOf(node);
    if (slot) return slot;
    const above = parentOf(node);
    if (above instanceof ShadowRoot) return above.host;
    return above && isElement(above) ? above : null;
}

function elementOf(node: Element | Text): Element | null {
    return isElement(node) ? node : aboveOf(node);
}

function filled(rects: DOMRectList): Rect[] {
    return [...rects].filter((rect) => !isEmpty(rect));
}

/** Whether a node is visible. */
export function isVisible(node: Element | Text): boolean {
    const element = elementOf(node);
    // `display: contents` does not hide children.
    if (!element || getComputedStyle(element).display === "contents") return true;
    return Element.prototype.checkVisibility.call(element, {
        opacityProperty: true,
        visibilityProperty: true,
    });
}
