// Describes an element of the page.

import { element } from "../element";
import { functionName } from "../function-name";
import { say, text } from "../i18n";
import { whyOf } from "../support";
import { nameOf, parentOf, previousOf } from "./foreign";
import type { Marks } from "./marks";

/** Wrapper around text nodes with their own mark; not part of the page. */
const OURS = "husk-text";

export interface PartDescription {
    /** Pagelets around it, outermost first. */
    path: string;
    why: string;
    /** Support; empty if nothing was compared. */
    support: string;
    xpath: string;
}

export function descriptionOf(of: Element, marks: Marks): PartDescription {
    const mark = marks.of(of);
    const xpath = xpathOf(of);
    const path = marks.path(mark?.pagelet).map(functionName).join(" › ") || text("noPagelet");
    if (!mark) return { path, why: "", support: "", xpath };
    const { kind, structural, verbatim } = mark;
    const { compared } = marks;
    const found = { xpath, class: kind, support: structural, verbatim_support: verbatim };
    const all = String(compared);
    return {
        path,
        why: whyOf(found, compared, say) ?? text("severalParts"),
        support:
            compared === 0
                ? ""
                : text("supportOf", { structural: String(structural), verbatim: String(verbatim), all }),
        xpath,
    };
}

export function lines({ path, why, support, xpath }: PartDescription): HTMLElement[] {
    const shown = [
        element("strong", {}, path),
        element("span", {}, why),
        element("span", {}, support),
        element("code", {}, xpath),
    ];
    return shown.filter((line) => line.textContent !== "");
}

/** For screen readers, without the XPath. */
export function spoken({ path, why }: PartDescription): string {
    return [path, why].filter(Boolean).join(". ");
}

/** XPath of an element. */
export function xpathOf(of: Element): string {
    const steps: string[] = [];
    for (let at: Element | null = of; at; at = parentOf(at)) {
        const name = nameOf(at);
        if (name === OURS) continue;
        let place = 1;
        for (let other = previousOf(at); other; other = previousOf(other)) {
            if (nameOf(other) === name) place += 1;
        }
        steps.push(`/${name}[${place}]`);
    }
    return steps.reverse().join("");
}
