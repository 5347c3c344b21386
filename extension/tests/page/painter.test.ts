// @vitest-environment jsdom
// Which boxes are painted, and where. jsdom lays out nothing, so places are what the tests say they are.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Overlay } from "../../src/page/overlay";
import { Painter } from "../../src/page/painter";
import type { Kind, Region } from "../../src/page/regions";

type Place = [left: number, top: number, width: number, height: number];

/** Where elements are, those of several lines in several places. */
const places = new Map<Element, Place | Place[]>();

beforeEach(() => {
    // Its clock stands still within a frame, so that no load on the machine cuts the work into pieces.
    vi.useFakeTimers();
    Element.prototype.getClientRects = function () {
        const lines = [places.get(this) ?? []].flat(2);
        const rects: DOMRect[] = [];
        for (let at = 0; at < lines.length; at += 4) rects.push(new DOMRect(...lines.slice(at, at + 4)));
        return rects as unknown as DOMRectList;
    };
    Element.prototype.checkVisibility = () => true;
    vi.stubGlobal("innerWidth", 1000);
    vi.stubGlobal("innerHeight", 500);
});

afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    places.clear();
    document.body.replaceChildren();
});

function region(kind: Kind, place: Place | Place[], inner: Region[] = []): Region {
    const live = document.body.appendChild(document.createElement("div"));
    places.set(live, place);
    return { kind, live, inner };
}

/** An overlay in the page that tells what was painted on it. */
function overlay() {
    const [page, window] = [document.createElement("div"), document.createElement("div")];
    const origin = { x: 0, y: 0, scale: 1 };
    const boxes = () =>
        [...page.children].map((box) => {
            const { left, top, width, height, clipPath } = (box as HTMLElement).style;
            return `${box.className}: ${left} ${top} ${width} ${height} ${clipPath}`.trim();
        });
    return {
        overlay: { document, page, window, originOf: () => origin } as unknown as Overlay,
        boxes,
        origin,
    };
}

function settle(): void {
    vi.advanceTimersByTime(1000);
}

test("a tint is put where its node is", () => {
    const { overlay: sheets, boxes } = overlay();
    new Painter(sheets, [region("content", [10, 20, 300, 40])]).scrolled();
    settle();
    expect(boxes()).toEqual(["tint content: 10px 20px 300px 40px"]);
});

test("an inner region of another kind is left out of the tint around it", () => {
    const { overlay: sheets, boxes } = overlay();
    const menu = region("menu", [20, 10, 50, 10]);
    new Painter(sheets, [region("template", [10, 0, 100, 30], [menu]), menu]).scrolled();
    settle();
    expect(boxes()).toEqual([
        'tint template: 10px 0px 100px 30px path(evenodd, "M0 0H100V30H0Z M10 10H60V20H10Z")',
        "tint menu: 20px 10px 50px 10px",
    ]);
});

test("only tints near the screen exist, and none where nothing shows", () => {
    const { overlay: sheets, boxes } = overlay();
    const far = region("content", [0, 5000, 100, 10]);
    const painter = new Painter(sheets, [
        region("menu", [0, 0, 100, 10]),
        far,
        region("content", [0, 10, 0, 10]),
    ]);
    painter.scrolled();
    settle();
    expect(boxes()).toEqual(["tint menu: 0px 0px 100px 10px"]);
});

test("what is scrolled away is painted no more, and what is scrolled to is", () => {
    const { overlay: sheets, boxes, origin } = overlay();
    const [first, last] = [region("menu", [0, 0, 100, 10]), region("content", [0, 5000, 100, 10])];
    const painter = new Painter(sheets, [first, last]);
    painter.scrolled();
    settle();
    origin.y = -5000;
    places.set(first.live as Element, [0, -5000, 100, 10]);
    places.set(last.live as Element, [0, 0, 100, 10]);
    painter.scrolled();
    settle();
    expect(boxes()).toEqual(["tint content: 0px 5000px 100px 10px"]);
});

test("of a text with very many lines those near the screen are painted, wherever it is scrolled to", () => {
    const { overlay: sheets, boxes, origin } = overlay();
    const lines = (from: number) =>
        Array.from({ length: 1000 }, (_, line): Place => [0, from + line * 10, 100, 10]);
    const text = region("content", lines(0));
    const painter = new Painter(sheets, [text]);
    painter.scrolled();
    settle();
    expect(boxes().length).toBe(100);
    origin.y = -5000;
    places.set(text.live as Element, lines(-5000));
    painter.scrolled();
    settle();
    expect(boxes().length).toBe(150);
    expect(boxes()[0]).toBe("tint content: 0px 4500px 100px 10px");
});

test("what is hidden is not painted until a change shows it", () => {
    const { overlay: sheets, boxes } = overlay();
    Element.prototype.checkVisibility = () => false;
    const painter = new Painter(sheets, [region("menu", [0, 0, 100, 10])]);
    painter.scrolled();
    settle();
    expect(boxes()).toEqual([]);
    Element.prototype.checkVisibility = () => true;
    painter.changed();
    settle();
    expect(boxes()).toEqual(["tint menu: 0px 0px 100px 10px"]);
});

test("tints follow their nodes, and go with them", () => {
    const { overlay: sheets, boxes } = overlay();
    const [moving, going] = [region("content", [0, 0, 100, 10]), region("menu", [0, 10, 100, 10])];
    const painter = new Painter(sheets, [moving, going]);
    painter.scrolled();
    settle();
    places.set(moving.live as Element, [0, 100, 80, 10]);
    places.delete(going.live as Element);
    painter.changed();
    settle();
    expect(boxes()).toEqual(["tint content: 0px 100px 80px 10px"]);
});

test("what comes near after a change is found again", () => {
    const { overlay: sheets, boxes } = overlay();
    const coming = region("content", [0, 9000, 100, 10]);
    const painter = new Painter(sheets, [coming]);
    painter.scrolled();
    settle();
    places.set(coming.live as Element, [0, 5, 100, 10]);
    painter.scrolledWithin();
    settle();
    expect(boxes()).toEqual(["tint content: 0px 5px 100px 10px"]);
});

test("the tint that is spoken of is marked, and no other", () => {
    const { overlay: sheets, boxes } = overlay();
    const [one, other] = [region("content", [0, 0, 9, 9]), region("menu", [0, 10, 9, 9])];
    const painter = new Painter(sheets, [one, other]);
    painter.point(other);
    painter.scrolled();
    settle();
    expect(boxes().map((box) => box.split(":")[0])).toEqual(["tint content", "tint menu current"]);
    painter.point(one);
    expect(boxes().map((box) => box.split(":")[0])).toEqual(["tint content current", "tint menu"]);
});

test("nothing is painted any more once it has stopped", () => {
    const { overlay: sheets, boxes } = overlay();
    const painter = new Painter(sheets, [region("content", [0, 0, 9, 9])]);
    painter.scrolled();
    painter.changed();
    painter.stop();
    settle();
    expect(boxes()).toEqual([]);
});
