// What is known of the nodes of the key page.

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
    /** The innermost pagelet that it belongs to. */
    pagelet: number | undefined;
}

export class Marks {
    constructor(private readonly page: PageJson) {}

    get compared(): number {
        return this.page.compared;
    }

    /** The mark that stands at an element itself. */
    at(element: Element): NodeMark | undefined {
        const text = attributeOf(element, ATTRIBUTE) ?? "";
        const kind = KINDS[text.charAt(0)];
        const entry = this.page.marks[Number(text.slice(1))];
        if (!kind || !entry) return undefined;
        const [structural, verbatim, pagelet] = entry;
        return { kind, structural, verbatim, pagelet: pagelet < 0 ? undefined : pagelet };
    }

    /** The mark that holds for an element: its own, or that of the next one above. */
    of(element: Element): NodeMark | undefined {
        const marked = closest(element, MARKED);
        return marked ? this.at(marked) : undefined;
    }

    /** The mark that holds around an element. */
    around(element: Element): NodeMark | undefined {
        const parent = parentOf(element);
        return parent ? this.of(parent) : undefined;
    }

    /** The functions of a pagelet and of those around it, the outermost first. */
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
