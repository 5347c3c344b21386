// Paints the tints that are on the screen or near it, and keeps them where their nodes are.
//
// Every region is measured once, a few milliseconds at a time; after that, scrolling only looks up which ones come
// near. When the page changes, those that are painted are measured at once and all others again in turn.

import { type Hold, isVisible, Measure } from "./measure";
import { element, type Overlay } from "./overlay";
import { nodesOf } from "./pairing";
import { around, moved, pathAround, type Rect, round, touch } from "./rects";
import type { Region } from "./regions";

/** How long regions are measured before the page gets its turn. */
const MOST_MILLISECONDS = 6;

/** So many measurements are made between two looks at the clock. */
const BETWEEN_LOOKS = 32;

/** What changes all the time is not followed more often than this. */
const MILLISECONDS_BETWEEN_CHANGES = 150;

/** More are not seen apart, and slow down the browser. */
const MOST_TINTS = 4000;

/** Of a text with more lines than this only those near the screen are painted. */
const MOST_LINES = 200;

/** More holes are not cut into one tint. */
const MOST_HOLES = 200;

interface Tint {
    region: Region;
    /** Where it was last, on its sheet; undefined if it does not show, or was not measured yet. */
    bounds: Rect | undefined;
    hold: Hold;
    /** Whether only a part of it is painted, which changes when the page is scrolled. */
    isLong: boolean;
    /** None while it is not painted. */
    boxes: HTMLElement[];
}

/** What is to be painted of a region, measured but not yet painted. */
interface Sketch {
    tint: Tint;
    /** None if it is not seen. */
    rects: Rect[];
    holes: Rect[];
}

export class Painter {
    readonly #tints: Tint[];
    readonly #ofRegion = new Map<Region, Tint>();
    readonly #painted = new Set<Tint>();
    #current: Tint | undefined;
    /** The next tint to be measured in turn. */
    #next = 0;
    #isDueAgain = false;
    #hasChanged = false;
    #frame = 0;
    #timer = 0;

    constructor(
        readonly overlay: Overlay,
        regions: readonly Region[],
    ) {
        this.#tints = regions.map((region) => ({
            region,
            bounds: undefined,
            hold: "page",
            isLong: false,
            boxes: [],
        }));
        for (const tint of this.#tints) this.#ofRegion.set(tint.region, tint);
    }

    /** The page was scrolled. */
    scrolled(): void {
        this.#frame ||= requestAnimationFrame(() => this.#paint());
    }

    /** Something on the page was scrolled. */
    scrolledWithin(): void {
        this.#hasChanged = true;
        this.scrolled();
    }

    /** Something may have another place or size than before. */
    changed(): void {
        this.#hasChanged = true;
        this.#timer ||= window.setTimeout(() => {
            this.#timer = 0;
            this.scrolled();
        }, MILLISECONDS_BETWEEN_CHANGES);
    }

    /** Shows which tint is spoken of. */
    point(region: Region | undefined): void {
        const tint = region && this.#ofRegion.get(region);
        if (tint === this.#current) return;
        for (const box of this.#current?.boxes ?? []) box.classList.remove("current");
        this.#current = tint;
        for (const box of tint?.boxes ?? []) box.classList.add("current");
    }

    stop(): void {
        cancelAnimationFrame(this.#frame);
        clearTimeout(this.#timer);
    }

    #paint(): void {
        this.#frame = 0;
        const view = {
            near: nearby(),
            origins: this.#origins(),
            measure: new Measure(this.overlay.document),
        };
        // First all reading, then all writing: the browser lays out the page anew whenever one follows the other.
        const sketches = [...this.#due(view).map((tint) => sketch(tint, view)), ...this.#inTurn(view)];
        for (const tint of this.#painted) {
            if (!isNear(tint, view)) this.#erase(tint);
        }
        for (const each of sketches) this.#draw(each, view);
        if (this.#next < this.#tints.length) this.scrolled();
    }

    /** Tints that come near, and painted ones that may have moved. */
    #due(view: View): Tint[] {
        const hasChanged = this.#hasChanged;
        this.#hasChanged = false;
        this.#isDueAgain ||= hasChanged;
        const moving = [...this.#painted].filter(
            ({ hold, isLong }) => hasChanged || isLong || hold === "scroll",
        );
        const coming = this.#tints.filter((tint) => tint.boxes.length === 0 && isNear(tint, view));
        return [...moving, ...coming.slice(0, Math.max(0, MOST_TINTS - this.#painted.size))];
    }

    /** Measures those whose turn it is; those of them that are near are to be painted. */
    #inTurn(view: View): Sketch[] {
        // A page that changes all the time must not keep the last of them waiting for ever.
        if (this.#isDueAgain && this.#next >= this.#tints.length) {
            this.#isDueAgain = false;
            this.#next = 0;
        }
        const sketches: Sketch[] = [];
        const end = performance.now() + MOST_MILLISECONDS;
        for (; this.#next < this.#tints.length; this.#next += 1) {
            if (this.#next % BETWEEN_LOOKS === 0 && performance.now() > end) break;
            const tint = this.#tints[this.#next];
            if (!tint || tint.boxes.length > 0) continue;
            const sketched = sketch(tint, view);
            if (sketched.rects.length > 0) sketches.push(sketched);
        }
        return sketches;
    }

    #erase(tint: Tint): void {
        for (const box of tint.boxes) box.remove();
        tint.boxes = [];
        this.#painted.delete(tint);
    }

    #draw({ tint, rects, holes }: Sketch, { origins }: View): void {
        const hasRoom = this.#painted.has(tint) || this.#painted.size < MOST_TINTS;
        if (rects.length === 0 || !hasRoom) {
            this.#erase(tint);
            return;
        }
        const sheet = sheetOf(tint.hold);
        const cut = holes.map((hole) => onSheet(hole, origins[sheet]));
        this.#painted.add(tint);
        this.#provide(tint, rects.length, sheet);
        tint.boxes.forEach((box, at) => {
            const rect = rects[at];
            if (rect) place(box, onSheet(rect, origins[sheet]), cut);
        });
    }

    /** Gives a tint as many boxes as it needs, on the sheet where they belong. */
    #provide(tint: Tint, count: number, sheet: Sheet): void {
        for (const box of tint.boxes.splice(count)) box.remove();
        while (tint.boxes.length < count) {
            const box = element(this.overlay.document, "div", `tint ${tint.region.kind}`);
            box.classList.toggle("current", tint === this.#current);
            tint.boxes.push(box);
        }
        for (const box of tint.boxes) {
            if (box.parentNode !== this.overlay[sheet]) this.overlay[sheet].append(box);
        }
    }

    #origins(): Origins {
        return {
            page: this.overlay.originOf(this.overlay.page),
            window: this.overlay.originOf(this.overlay.window),
        };
    }
}

type Sheet = "page" | "window";
type Origin = ReturnType<Overlay["originOf"]>;
type Origins = Record<Sheet, Origin>;

function sheetOf(hold: Hold): Sheet {
    return hold === "window" ? "window" : "page";
}

/** What the screen shows at one moment. */
interface View {
    near: Rect;
    origins: Origins;
    measure: Measure;
}

/** What is on the screen, and as much again on each side of it. */
function nearby(): Rect {
    const [width, height] = [window.innerWidth, window.innerHeight];
    return { left: -width, top: -height, right: 2 * width, bottom: 2 * height };
}

function isNear({ bounds, hold }: Tint, { near, origins }: View): boolean {
    return bounds !== undefined && touch(bounds, onSheet(near, origins[sheetOf(hold)]));
}

/** Measures a tint, and what it leaves out if it is near. */
function sketch(tint: Tint, view: View): Sketch {
    const { rects, hold } = view.measure.of(tint.region.live);
    const whole = around(rects);
    tint.hold = hold;
    tint.isLong = rects.length > MOST_LINES;
    tint.bounds = whole && onSheet(whole, view.origins[sheetOf(hold)]);
    if (!isNear(tint, view)) return { tint, rects: [], holes: [] };
    // What cannot be seen now has no place until the page changes, lest it be measured whenever it is scrolled.
    if (!nodesOf(tint.region.live).some(isVisible)) tint.bounds = undefined;
    if (!tint.bounds) return { tint, rects: [], holes: [] };
    const inner = tint.region.inner.slice(0, MOST_HOLES);
    return {
        tint,
        rects: tint.isLong ? rects.filter((rect) => touch(rect, view.near)) : rects,
        holes: inner.flatMap(({ live }) => view.measure.of(live).rects),
    };
}

function onSheet(rect: Rect, { x, y, scale }: Origin): Rect {
    const { left, top, right, bottom } = moved(rect, { x: -x, y: -y });
    return { left: left / scale, top: top / scale, right: right / scale, bottom: bottom / scale };
}

function place(box: HTMLElement, rect: Rect, holes: readonly Rect[]): void {
    box.style.left = `${round(rect.left)}px`;
    box.style.top = `${round(rect.top)}px`;
    box.style.width = `${round(rect.right - rect.left)}px`;
    box.style.height = `${round(rect.bottom - rect.top)}px`;
    box.style.clipPath = holes.length > 0 ? `path(evenodd, "${pathAround(rect, holes)}")` : "";
}
