// What is told of an element of the page.

import { element } from "../element";
import { functionName } from "../function-name";
import { say, text } from "../i18n";
import { whyOf } from "../support";
import { nameOf, parentOf, previousOf } from "./foreign";
import type { Marks } from "./marks";

/** The element that stands around texts which are something else than what is around them; it is not the page's. */
const OURS = "husk-text";

export interface Told {
    /** The pagelets that it stands in, the outermost first. */
    path: string;
    why: string;
    /** In how many of the compared pages it was found; blank if there were none. */
    support: string;
    xpath: string;
}

export function toldOf(of: Element, marks: Marks): Told {
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

/** As it is shown. */
export function lines({ path, why, support, xpath }: Told): HTMLElement[] {
    const shown = [
        element("strong", {}, path),
        element("span", {}, why),
        element("span", {}, support),
        element("code", {}, xpath),
    ];
    return shown.filter((line) => line.textContent !== "");
}

/** As it is read out: without the XPath, which nobody follows by ear. */
export function spoken({ path, why }: Told): string {
    return [path, why].filter(Boolean).join(". ");
}

/** The way to an element by names and places. */
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
