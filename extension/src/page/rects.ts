// Rectangles relative to the viewport.

export interface Rect {
    left: number;
    top: number;
    right: number;
    bottom: number;
}

export function isEmpty({ left, top, right, bottom }: Rect): boolean {
    // Written so that NaN is false.
    return !(right - left > 0.5 && bottom - top > 0.5);
}

export function overlap(one: Rect, other: Rect): Rect {
    return {
        left: Math.max(one.left, other.left),
        top: Math.max(one.top, other.top),
        right: Math.min(one.right, other.right),
        bottom: Math.min(one.bottom, other.bottom),
    };
}

export function touch(one: Rect, other: Rect): boolean {
    return (
        one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom
    );
}

/** Bounding rectangle; undefined if empty. */
export function around(rects: readonly Rect[]): Rect | undefined {
    return rects.length === 0 ? undefined : rects.reduce(join);
}

function join(one: Rect, other: Rect): Rect {
    return {
        left: Math.min(one.left, other.left),
        top: Math.min(one.top, other.top),
        right: Math.max(one.right, other.right),
        bottom: Math.max(one.bottom, other.bottom),
    };
}

export function moved({ left, top, right, bottom }: Rect, by: { x: number; y: number }): Rect {
    return { left: left + by.x, top: top + by.y, right: right + by.x, bottom: bottom + by.y };
}

export function holds({ left, top, right, bottom }: Rect, x: number, y: number): boolean {
    return left <= x && x < right && top <= y && y < bottom;
}

/** A `clip-path` of a rectangle minus holes, relative to its corner. */
export function pathAround(rect: Rect, holes: readonly Rect[]): string {
    const within = holes.map((hole) => overlap(hole, rect)).filter((hole) => !isEmpty(hole));
    return [rect, ...within].map((each) => outline(moved(each, { x: -rect.left, y: -rect.top }))).join(" ");
}

function outline({ left, top, right, bottom }: Rect): string {
    const [x, y] = [round(left), round(top)];
    return `M${x} ${y}H${round(right)}V${round(bottom)}H${x}Z`;
}

export function round(pixels: number): number {
    return Math.round(pixels * 100) / 100;
}
