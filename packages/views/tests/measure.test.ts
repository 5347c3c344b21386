// Where elements are, on pages deeper and wider than any test could build as documents.

import { describe, expect, it, vi } from "vitest";
import { Budget, placesOf } from "../src/page/measure";

interface Fake {
    first?: Fake;
    next?: Fake;
    width?: number;
}

vi.mock("../src/page/foreign", () => ({
    firstOf: (of: Fake) => of.first ?? null,
    nextOf: (of: Fake) => of.next ?? null,
    rectsOf: ({ width = 0 }: Fake) =>
        width === 0 ? [] : [{ left: 1, top: 2, right: 1 + width, bottom: 42, width, height: 40 }],
}));

const places = (of: Fake, budget: Budget) => placesOf(of as unknown as Element, budget);

describe("an element", () => {
    it("has its own place, or those of what is in it, in their order", () => {
        const parts: Fake = { width: 10, next: { width: 1, next: { first: { width: 30 } } } };
        expect(places({ width: 5, first: parts }, new Budget(9, 9)).map(({ width }) => width)).toEqual([5]);
        expect(places({ first: parts }, new Budget(9, 9)).map(({ width }) => width)).toEqual([10, 30]);
    });

    it("is measured however deep it is", () => {
        let deep: Fake = { width: 30 };
        for (let depth = 0; depth < 100_000; depth += 1) deep = { first: deep };
        expect(places(deep, new Budget(5, 200_000))).toEqual([{ left: 1, top: 2, width: 30, height: 40 }]);
    });

    it("is looked at no longer than its budget lasts", () => {
        let wide: Fake = { width: 30 };
        for (let count = 0; count < 100_000; count += 1) wide = { next: wide };
        const budget = new Budget(5, 100);
        expect(places({ first: wide }, budget)).toEqual([]);
        expect(budget.looks).toBe(0);
    });
});
