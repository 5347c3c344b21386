// Measures where an element is visible.

import { firstOf, nextOf, rectsOf } from "./foreign";

export interface Rect {
    left: number;
    top: number;
    width: number;
    height: number;
}

/** Remaining work, to bound large pages. */
export class Budget {
    constructor(
        public boxes: number,
        public looks: number,
    ) {}
}

/** Smaller boxes are invisible. */
const SMALLEST = 2;

/** Rectangles of an element, or of its children if it has no box. */
export function placesOf(element: Element, budget: Budget): Rect[] {
    const found: Rect[] = [];
    // A loop, since recursion could overflow the stack.
    const waiting = [element];
    while (budget.boxes > 0 && budget.looks > 0) {
        const next = waiting.pop();
        if (!next) break;
        budget.looks -= 1;
        const own = ownPlaces(next, budget);
        if (own.length > 0) found.push(...own);
        else waiting.push(...childrenOf(next, budget.looks - waiting.length).reverse());
    }
    return found;
}

function ownPlaces(element: Element, budget: Budget): Rect[] {
    const places: Rect[] = [];
    for (const { left, top, right, bottom, width, height } of rectsOf(element)) {
        if (budget.boxes <= 0) break;
        if (right <= 0 || bottom <= 0 || width < SMALLEST || height < SMALLEST) continue;
        budget.boxes -= 1;
        places.push({ left, top, width, height });
    }
    return places;
}

function childrenOf(element: Element, most: number): Element[] {
    const children: Element[] = [];
    for (let child = firstOf(element); child && children.length < most; child = nextOf(child)) {
        children.push(child);
    }
    return children;
}
