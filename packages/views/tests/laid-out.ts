// A page in a frame, as a browser would lay it out: jsdom loads no `srcdoc` and knows no places, so both are given here.

import { vi } from "vitest";

const attribute = (of: Element, name: string) => Element.prototype.getAttribute.call(of, name);

/** Elements are where `data-at` says: left, top, width, height; others have no room of their own. */
export function layOut(): void {
    vi.spyOn(Element.prototype, "getClientRects").mockImplementation(function (this: Element) {
        const places = attribute(this, "data-at")?.split(";") ?? [];
        const rects = places.map((place) => {
            const [left = 0, top = 0, width = 0, height = 0] = place.split(",").map(Number);
            return { left, top, width, height, right: left + width, bottom: top + height };
        });
        return rects as unknown as DOMRectList;
    });
}

/** What the pointer is on, whatever its place. */
export function pointAt(pane: HTMLElement, target: Element | null): void {
    Document.prototype.elementFromPoint = () => target;
    pane.dispatchEvent(new MouseEvent("pointermove", { clientX: 5, clientY: 5 }));
}

/** Loads what the frame is to show; `prepare` has the page before anybody is told. */
export function load(frame: HTMLIFrameElement, prepare?: (page: Document) => void): Document {
    const page = frame.contentDocument;
    if (!page) throw new Error("the frame has no document");
    page.open();
    page.write(frame.srcdoc);
    page.close();
    prepare?.(page);
    frame.dispatchEvent(new Event("load"));
    return page;
}
