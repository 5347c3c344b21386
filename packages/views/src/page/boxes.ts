// Boxes drawn over the page.

import { element } from "../element";
import { Budget, placesOf, type Rect } from "./measure";
import type { Region } from "./regions";

/** More boxes would slow down the browser. */
const MOST_BOXES = 6000;
const MOST_LOOKS = 60_000;

/** Labels of boxes above this are drawn inside. */
const LABEL_HEIGHT = 18;

export class Boxes {
    readonly layer = element("div", { class: "tints", "aria-hidden": "true" });
    readonly #pagelets = new Map<number, HTMLElement[]>();
    #here: HTMLElement[] = [];

    /** Applies to tints and frames separately. */
    constructor(private readonly most = MOST_BOXES) {}

    /** Redraws all regions; `labelOf` names a pagelet. */
    draw(regions: Region[], labelOf: (pagelet: number) => string): void {
        this.#pagelets.clear();
        this.#here = [];
        const tinting = new Budget(this.most, MOST_LOOKS);
        const framing = new Budget(this.most, MOST_LOOKS);
        const tints: HTMLElement[] = [];
        const frames: HTMLElement[] = [];
        for (const region of regions) {
            if (region.tints.length > 0) tints.push(...tintsOf(region, tinting));
            const { pagelet } = region;
            if (pagelet !== undefined)
                frames.push(...this.#framesOf(region.element, pagelet, labelOf, framing));
        }
        // Frames above tints.
        this.layer.replaceChildren(...tints, ...frames);
    }

    /** Highlights a pagelet; returns its first box. */
    light(pagelet: number | undefined): HTMLElement | undefined {
        for (const lit of this.layer.querySelectorAll(".lit")) lit.classList.remove("lit");
        const boxes = pagelet === undefined ? [] : (this.#pagelets.get(pagelet) ?? []);
        for (const box of boxes) box.classList.add("lit");
        return boxes[0];
    }

    /** Highlights the element under the keyboard; returns its first box, if visible. */
    mark(at: Element | undefined): HTMLElement | undefined {
        for (const box of this.#here) box.remove();
        const places = at ? placesOf(at, new Budget(50, 500)) : [];
        this.#here = places.map((place) => box(place, "here"));
        this.layer.append(...this.#here);
        return this.#here[0];
    }

    #framesOf(
        of: Element,
        pagelet: number,
        labelOf: (pagelet: number) => string,
        budget: Budget,
    ): HTMLElement[] {
        const boxes = this.#pagelets.get(pagelet) ?? [];
        const frames = placesOf(of, budget).map((place) => box(place, "box"));
        // Label a pagelet at its first box only.
        if (boxes.length === 0) frames[0]?.append(element("b", {}, labelOf(pagelet)));
        boxes.push(...frames);
        this.#pagelets.set(pagelet, boxes);
        return frames;
    }
}

function tintsOf({ element: of, tints }: Region, budget: Budget): HTMLElement[] {
    const places = placesOf(of, budget);
    return tints.flatMap((tint) => places.map((place) => box(place, `tint ${tint}`)));
}

function box({ left, top, width, height }: Rect, name: string): HTMLElement {
    const made = element("i", { class: top < LABEL_HEIGHT ? `${name} top` : name });
    // A style attribute could be blocked by the CSP.
    Object.assign(made.style, {
        left: `${left}px`,
        top: `${top}px`,
        width: `${width}px`,
        height: `${height}px`,
    });
    return made;
}
