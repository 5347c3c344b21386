// Regions to highlight, from the marks.

import type { Mark, MarksJson } from "@husk/core";
import { type Live, nodesOf } from "./pairing";
import type { Place, Snapshot } from "./snapshot";

/** Classes with a colour; `own` and `mixed` have none. */
export const KINDS = ["template", "menu", "content"] as const;

export type Kind = (typeof KINDS)[number];

function kindOf(mark: Mark | undefined): Kind | undefined {
    return KINDS.find((kind) => kind === mark?.class);
}

export function isTinted(mark: Mark): boolean {
    return kindOf(mark) !== undefined;
}

/** The outermost node of a class. */
export interface Region {
    kind: Kind;
    live: Live;
    /** Nested regions of other classes, which are cut out. */
    inner: Region[];
}

export interface Regions {
    /** In document order. */
    all: Region[];
    known: Map<Node, Known>;
    found: number;
    /** Share of text of each class. */
    shares: Record<Kind, number>;
}

export interface Known {
    mark: Mark;
    region: Region | undefined;
}

export function regionsOf(snapshot: Snapshot, { marks }: MarksJson): Regions {
    const places = snapshot.find(marks.map(({ xpath }) => xpath));
    const regions: Regions = { all: [], known: new Map(), found: places.length, shares: noShares() };
    const ofPlace = new Map<Place, Region>();
    for (const place of places) {
        const mark = marks[place.path];
        if (!mark) continue;
        const region = regionOf(place, mark, place.above && ofPlace.get(place.above), regions.all);
        if (region) ofPlace.set(place, region);
        for (const node of nodesOf(place.live)) regions.known.set(node, { mark, region });
    }
    regions.shares = sharesOf(places, marks);
    return regions;
}

/** The region of a marked node. */
function regionOf(place: Place, mark: Mark, around: Region | undefined, all: Region[]): Region | undefined {
    const kind = kindOf(mark);
    if (!kind || around?.kind === kind) return kind && around;
    const region: Region = { kind, live: place.live, inner: [] };
    around?.inner.push(region);
    all.push(region);
    return region;
}

function noShares(): Record<Kind, number> {
    return { template: 0, menu: 0, content: 0 };
}

function sharesOf(places: readonly Place[], marks: readonly Mark[]): Record<Kind, number> {
    const shares = noShares();
    const letters = places.reduce((sum, place) => sum + place.letters, 0);
    for (const { path, letters: own } of places) {
        const kind = kindOf(marks[path]);
        if (kind && letters > 0) shares[kind] += own / letters;
    }
    return shares;
}
