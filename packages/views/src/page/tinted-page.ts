// The highlighted key page: a frame, boxes over it, and a pane that takes all pointer events.
//
// Hovering describes an element; arrow keys move between regions, which are announced.

import { element } from "../element";
import { functionName } from "../function-name";
import { text } from "../i18n";
import type { PageJson } from "../outputs";
import { Boxes } from "./boxes";
import { descriptionOf, lines, spoken } from "./description";
import { elementAt, rootOf } from "./foreign";
import { Marks } from "./marks";
import { giveRoom, passOver, quietFrame, sizeOf } from "./quiet-frame";
import { type Region, regionsOf, type Tint } from "./regions";

export type Layer = Tint | "pagelets";

/** Repaint times, for fonts that load late. */
const LATE = [600, 2500];

/** Margin above the scroll target. */
const ROOM_ABOVE = 60;

export class TintedPage {
    readonly #marks: Marks;
    readonly #frame: HTMLIFrameElement;
    readonly #boxes = new Boxes();
    readonly #pane = element("div", {
        class: "pane",
        tabindex: "0",
        role: "application",
        "aria-label": text("pageRegions"),
        "aria-describedby": "page-hint",
    });
    readonly #board: HTMLElement;
    /** The scroll container. */
    readonly stage: HTMLElement;
    /** Description of the hovered element, or a hint. */
    readonly description = element("div", { class: "description" });
    readonly hint = element("p", { class: "quiet", id: "page-hint" }, text("pageHint"));
    /** The same, for screen readers. */
    readonly spoken = element("p", { class: "unseen", role: "status" });
    readonly #hidden = new Set<Layer>(["pagelets"]);
    #regions: Region[] = [];
    /** Region under the keyboard. */
    #here: Region | undefined;
    #pointed: Element | null = null;
    /** Selected pagelet, possibly set before the page is loaded. */
    #chosen: number | undefined;
    /** Viewport width and page size of the last painting. */
    #width = 0;
    #size = "";
    #isRead = false;

    constructor(page: PageJson) {
        this.#marks = new Marks(page);
        this.#frame = quietFrame(text("pageFrame"), page.html);
        this.#board = element("div", { class: "board" }, this.#frame, this.#boxes.layer, this.#pane);
        this.stage = element("div", { class: "stage" }, this.#board);
        this.#frame.addEventListener("load", () => this.#read());
        this.#listen();
    }

    toggle(layer: Layer, isShown: boolean): void {
        if (isShown) this.#hidden.delete(layer);
        else this.#hidden.add(layer);
        this.#board.classList.toggle(`without-${layer}`, !isShown);
    }

    isShown(layer: Layer): boolean {
        return !this.#hidden.has(layer);
    }

    /** Highlights a pagelet and scrolls to it. */
    show(pagelet: number): void {
        this.#chosen = pagelet;
        if (!this.#isRead) return;
        // It may have been painted while hidden.
        if (this.stage.clientWidth !== this.#width) this.#paint();
        const region = this.#regions.find((region) => region.pagelet === pagelet);
        const box = this.#boxes.light(pagelet);
        if (region && box) {
            this.#goTo(region, box);
            return;
        }
        this.#forget();
        this.#describe(element("span", {}, text("pageletUnseen")));
        this.spoken.textContent = text("pageletUnseen");
    }

    #listen(): void {
        this.#board.classList.add("without-pagelets");
        const point = (event: PointerEvent) => this.#point(event);
        this.#pane.addEventListener("pointermove", point);
        this.#pane.addEventListener("pointerdown", point);
        this.#pane.addEventListener("pointerleave", () => this.#leave());
        this.#pane.addEventListener("keydown", (event) => this.#press(event));
        if (typeof ResizeObserver === "undefined") return;
        new ResizeObserver(() => {
            const { clientWidth } = this.stage;
            // A hidden tab cannot be measured.
            if (clientWidth !== 0 && clientWidth !== this.#width) this.#paint();
        }).observe(this.stage);
    }

    /** Called when the frame has loaded. */
    #read(): void {
        const page = this.#page();
        if (!page) return;
        passOver(page);
        this.#regions = regionsOf(page, this.#marks);
        this.#isRead = true;
        this.#paint();
        for (const delay of LATE) setTimeout(() => this.#paintIfMoved(), delay);
        if (this.#chosen !== undefined) this.show(this.#chosen);
    }

    #paint(): void {
        const page = this.#page();
        if (!page || !this.#isRead) return;
        this.#width = this.stage.clientWidth;
        giveRoom(this.#frame, page);
        this.#boxes.draw(this.#regions, (pagelet) => functionName(this.#marks.path(pagelet).at(-1) ?? ""));
        this.#size = sizeOf(page);
        if (!this.#here) return;
        this.#boxes.mark(this.#here.element);
        this.#boxes.light(this.#here.mark.pagelet);
    }

    /** Repaints if the page's size has changed. */
    #paintIfMoved(): void {
        const page = this.#page();
        const isSeen = this.stage.isConnected && this.stage.clientWidth === this.#width;
        if (page && isSeen && sizeOf(page) !== this.#size) this.#paint();
    }

    #page(): Document | undefined {
        const page = this.#frame.contentDocument;
        return page && rootOf(page) ? page : undefined;
    }

    #point({ clientX, clientY }: PointerEvent): void {
        const page = this.#page();
        const { left, top } = this.#frame.getBoundingClientRect();
        const at = page && elementAt(page, clientX - left, clientY - top);
        if (!at || at === this.#pointed) return;
        this.#pointed = at;
        this.#boxes.light(this.#marks.of(at)?.pagelet);
        this.#describe(...lines(descriptionOf(at, this.#marks)));
    }

    /** Without a pointer, describe the region under the keyboard. */
    #leave(): void {
        this.#pointed = null;
        this.#boxes.light(this.#here?.mark.pagelet);
        this.#describe(...(this.#here ? lines(descriptionOf(this.#here.element, this.#marks)) : []));
    }

    #press(event: KeyboardEvent): void {
        if (event.altKey || event.ctrlKey || event.metaKey) return;
        const step = stepOf(event.key);
        if (!step && event.key !== "Escape") return;
        this.#chosen = undefined;
        if (!step) {
            this.#forget();
            return;
        }
        event.preventDefault();
        this.#walk(step);
    }

    /** Moves to the next visible region. */
    #walk({ from, by }: Step): void {
        const shown = this.#regions.filter((region) => this.#isWalkedTo(region));
        const here = this.#here ? shown.indexOf(this.#here) : -1;
        const starts = { here: here < 0 && by < 0 ? shown.length : here, start: -1, end: shown.length };
        for (let at = starts[from] + by; at >= 0 && at < shown.length; at += by) {
            const region = shown[at];
            const box = region && this.#boxes.mark(region.element);
            if (!box) continue;
            this.#goTo(region, box);
            return;
        }
        this.#boxes.mark(this.#here?.element);
        this.spoken.textContent = text("noMoreRegions");
    }

    #isWalkedTo({ tints, pagelet }: Region): boolean {
        const isTinted = tints.some((tint) => this.isShown(tint));
        return isTinted || (pagelet !== undefined && this.isShown("pagelets"));
    }

    #goTo(region: Region, box: HTMLElement): void {
        this.#here = region;
        this.#boxes.mark(region.element);
        this.#boxes.light(region.mark.pagelet);
        const description = descriptionOf(region.element, this.#marks);
        this.#describe(...lines(description));
        this.spoken.textContent = spoken(description);
        const [left, top] = [Number.parseFloat(box.style.left), Number.parseFloat(box.style.top)];
        this.stage.scrollTo?.({ top: Math.max(0, top - ROOM_ABOVE), left: Math.max(0, left - ROOM_ABOVE) });
    }

    #forget(): void {
        this.#here = undefined;
        this.#boxes.mark(undefined);
        this.#boxes.light(undefined);
        this.#describe();
        this.spoken.textContent = "";
    }

    #describe(...lines: HTMLElement[]): void {
        this.description.replaceChildren(...lines);
        this.hint.hidden = lines.length > 0;
    }
}

interface Step {
    from: "here" | "start" | "end";
    by: 1 | -1;
}

function stepOf(key: string): Step | undefined {
    switch (key) {
        case "ArrowDown":
        case "ArrowRight":
            return { from: "here", by: 1 };
        case "ArrowUp":
        case "ArrowLeft":
            return { from: "here", by: -1 };
        case "Home":
            return { from: "start", by: 1 };
        case "End":
            return { from: "end", by: -1 };
        default:
            return undefined;
    }
}
