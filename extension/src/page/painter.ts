// Paints tints on or near the screen and keeps them in place.
//
// Every region is measured once, in short time slices; scrolling then only looks up nearby ones. When the page
// changes, painted regions are measured at once, the others in turn.

import { type Hold, isVisible, Measure } from "./measure";
import { element, type Overlay } from "./overlay";
import { nodesOf } from "./pairing";
import { around, moved, pathAround, type Rect, round, touch } from "./rects";
import type { Region } from "./regions";

/** Time slice for measuring. */
const MOST_MILLISECONDS = 6;

/** Measurements between clock checks. */
const BETWEEN_LOOKS = 32;

/** Minimum time between updates. */
const MILLISECONDS_BETWEEN_CHANGES = 150;

/** More boxes slow down the browser. */
const MOST_TINTS = 4000;

/** Longer texts are painted near the screen only. */
const MOST_LINES = 200;

/** Maximum holes per tint. */
const MOST_HOLES = 200;

interface Tint {
    region: Region;
    /** Last position on its layer; undefined if hidden or not measured. */
    bounds: Rect | undefined;
    hold: Hold;
    /** Whether it is painted partially, depending on scrolling. */
    isLong: boolean;
    boxes: HTMLElement[];
}

/** Measured boxes to paint. */
interface Sketch {
    tint: Tint;
    rects: Rect[];
    holes: Rect[];
}

export class Painter {
    readonly #tints: Tint[];
    readonly #ofRegion = new Map<Region, Tint>();
    readonly #painted = new Set<Tint>();
    #current: Tint | undefined;
    /** Next tint to measure. */
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

    scrolled(): void {
        this.#frame ||= requestAnimationFrame(() => this.#paint());
    }

    scrolledWithin(): void {
        this.#hasChanged = true;
        this.scrolled();
    }

    /** Layout may have changed. */
    changed(): void {
        this.#hasChanged = true;
        this.#timer ||= window.setTimeout(() => {
            this.#timer = 0;
            this.scrolled();
        }, MILLISECONDS_BETWEEN_CHANGES);
    }

    /** Highlights a tint. */
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
        // Read first, then write, to avoid repeated layout.
        const sketches = [...this.#due(view).map((tint) => sketch(tint, view)), ...this.#inTurn(view)];
        for (const tint of this.#painted) {
            if (!isNear(tint, view)) this.#erase(tint);
        }
        for (const each of sketches) this.#draw(each, view);
        if (this.#next < this.#tints.length) this.scrolled();
    }

    /** Nearby tints, and painted ones that may have moved. */
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

    /** Measures the next tints; nearby ones are painted. */
    #inTurn(view: View): Sketch[] {
        // Do not restart, or the last tints would never be measured on busy pages.
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

    /** Adds or removes boxes of a tint. */
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

/** The viewport. */
interface View {
    near: Rect;
    origins: Origins;
    measure: Measure;
}

/** The viewport with a margin of its own size. */
function nearby(): Rect {
    const [width, height] = [window.innerWidth, window.innerHeight];
    return { left: -width, top: -height, right: 2 * width, bottom: 2 * height };
}

function isNear({ bounds, hold }: Tint, { near, origins }: View): boolean {
    return bounds !== undefined && touch(bounds, onSheet(near, origins[sheetOf(hold)]));
}

/** Measures a tint and, if nearby, its holes. */
function sketch(tint: Tint, view: View): Sketch {
    const { rects, hold } = view.measure.of(tint.region.live);
    const whole = around(rects);
    tint.hold = hold;
    tint.isLong = rects.length > MOST_LINES;
    tint.bounds = whole && onSheet(whole, view.origins[sheetOf(hold)]);
    if (!isNear(tint, view)) return { tint, rects: [], holes: [] };
    // Invisible tints are measured again only when the page changes.
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
