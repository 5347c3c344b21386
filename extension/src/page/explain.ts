// Describes the element under the pointer or focus.

import { Measure } from "./measure";
import { boxOf, childNodesOf, isElement, isText, parentOf } from "./nodes";
import { element, type Overlay } from "./overlay";
import { holds } from "./rects";
import type { Known } from "./regions";

export interface Explanation {
    known(node: Node): Known | undefined;
    why(known: Known): string | undefined;
    /** Called with the described region, if any. */
    point(known: Known | undefined): void;
}

/** Distance of the tip from the pointer. */
const DISTANCE = 16;

type Point = { x: number; y: number };

/** Active until aborted. */
export function explain(overlay: Overlay, explanation: Explanation, signal: AbortSignal): void {
    const { document, host } = overlay;
    const tip = new Tip(overlay, explanation);
    const quietly = { capture: true, passive: true, signal };
    let frame = 0;
    const move = (event: PointerEvent) => {
        const [target] = event.composedPath();
        const point = { x: event.clientX, y: event.clientY };
        cancelAnimationFrame(frame);
        frame = requestAnimationFrame(() =>
            tip.showAt(isNode(target) && target !== host ? target : undefined, point),
        );
    };
    const focus = (event: FocusEvent) => {
        const [target] = event.composedPath();
        if (isNode(target) && isElement(target) && target !== host) tip.showFor(target);
    };
    document.addEventListener("pointermove", move, quietly);
    document.addEventListener("pointerdown", move, quietly);
    document.documentElement.addEventListener("pointerleave", () => tip.hide(), { signal });
    document.addEventListener("focusin", focus, quietly);
    document.addEventListener("focusout", () => tip.hide(), quietly);
    signal.addEventListener("abort", () => cancelAnimationFrame(frame));
}

class Tip {
    readonly #box: HTMLElement;
    /** Announced when the focus moves. */
    readonly #spoken: HTMLElement;

    constructor(
        readonly overlay: Overlay,
        readonly explanation: Explanation,
    ) {
        this.#box = overlay.body.appendChild(element(overlay.document, "div", "tip"));
        this.#box.ariaHidden = "true";
        this.#box.hidden = true;
        this.#spoken = overlay.body.appendChild(element(overlay.document, "div", "unseen"));
        this.#spoken.role = "status";
    }

    showAt(target: Node | undefined, point: Point): void {
        this.#show(target && this.#knownAt(target, point), point);
    }

    showFor(target: Element): void {
        const { left, bottom } = boxOf(target);
        this.#spoken.textContent =
            this.#show(this.#knownAbove(target), { x: left, y: bottom - DISTANCE / 2 }) ?? "";
    }

    hide(): void {
        this.#box.hidden = true;
        this.explanation.point(undefined);
    }

    #show(known: Known | undefined, { x, y }: Point): string | undefined {
        const words = known && this.explanation.why(known);
        if (!words) {
            this.hide();
            return undefined;
        }
        this.explanation.point(known);
        this.#box.textContent = words;
        this.#box.hidden = false;
        const { width, height } = this.#box.getBoundingClientRect();
        const left = Math.max(0, Math.min(x + DISTANCE, window.innerWidth - width - DISTANCE));
        const isRoomBelow = y + DISTANCE + height < window.innerHeight;
        const top = isRoomBelow ? y + DISTANCE : Math.max(0, y - DISTANCE - height);
        this.#box.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
        return words;
    }

    /** Description of a node, or of the text at this point. */
    #knownAt(target: Node, { x, y }: Point): Known | undefined {
        const measure = new Measure(this.overlay.document);
        for (const child of childNodesOf(target)) {
            const known = isText(child) && this.explanation.known(child);
            if (known && measure.ofText(child).some((rect) => holds(rect, x, y))) return known;
        }
        return this.#knownAbove(target);
    }

    #knownAbove(target: Node): Known | undefined {
        for (let node: Node | null = target; node; node = parentOf(node) ?? hostOf(node)) {
            const known = this.explanation.known(node);
            if (known) return known;
        }
        return undefined;
    }
}

function hostOf(node: Node): Node | null {
    return node instanceof ShadowRoot ? node.host : null;
}

function isNode(target: EventTarget | undefined): target is Node {
    return target instanceof Node;
}
