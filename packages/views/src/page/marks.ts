// Marks of the key page's nodes.

import type { Mark } from "../engine";
import type { PageJson } from "../outputs";
import { attributeOf, closest, parentOf } from "./foreign";

const ATTRIBUTE = "data-husk";

export const MARKED = `[${ATTRIBUTE}]`;

const KINDS: Record<string, Mark["class"]> = {
    t: "template",
    m: "menu",
    c: "content",
    o: "own",
    x: "mixed",
};

export interface NodeMark {
    kind: Mark["class"];
    structural: number;
    verbatim: number;
    /** Index of the innermost pagelet. */
    pagelet: number | undefined;
}

export class Marks {
    constructor(private readonly page: PageJson) {}

    get compared(): number {
        return this.page.compared;
    }

    /** The element's own mark. */
    at(element: Element): NodeMark | undefined {
        const text = attributeOf(element, ATTRIBUTE) ?? "";
        const kind = KINDS[text.charAt(0)];
        const entry = this.page.marks[Number(text.slice(1))];
        if (!kind || !entry) return undefined;
        const [structural, verbatim, pagelet] = entry;
        return { kind, structural, verbatim, pagelet: pagelet < 0 ? undefined : pagelet };
    }

    /** The element's mark, inherited from its ancestors. */
    of(element: Element): NodeMark | undefined {
        const marked = closest(element, MARKED);
        return marked ? this.at(marked) : undefined;
    }

    /** The mark of the element's parent. */
    around(element: Element): NodeMark | undefined {
        const parent = parentOf(element);
        return parent ? this.of(parent) : undefined;
    }

    /** Functions of a pagelet and its ancestors, outermost first. */
    path(pagelet: number | undefined): string[] {
        const names: string[] = [];
        const { pagelets } = this.page;
        let [at, left] = [pagelet, pagelets.length];
        while (at !== undefined && left > 0) {
            const [name, parent]: [string, number] = pagelets[at] ?? ["", -1];
            if (name) names.unshift(name);
            at = parent < 0 ? undefined : parent;
            left -= 1;
        }
        return names;
    }
}
