// Describes a part of the page and its support.

import type { Mark } from "./engine";

export type Say = (name: string, ...values: string[]) => string;

const NAMES: Partial<Record<Mark["class"], string>> = {
    template: "tintTemplate",
    menu: "tintMenu",
    content: "tintContent",
    own: "tintOwn",
};

export type Found = Pick<Mark, "class" | "support" | "verbatim_support">;

/** Describes a mark; undefined for several adjacent parts. */
export function whyOf(mark: Mark, compared: number, say: Say): string | undefined {
    const name = NAMES[mark.class];
    if (!name) return undefined;
    const parts = [say(name), foundOn(mark, compared, say), functionOf(mark, say)];
    return parts.filter(Boolean).join(" · ");
}

/** On how many pages it was found, and with which text. */
export function foundOn(mark: Found, compared: number, say: Say): string {
    const { support, verbatim_support: verbatim } = mark;
    const [found, all] = [String(support), String(compared)];
    if (compared === 0) return say("tintNotCompared");
    if (support === 0) return compared === 1 ? say("tintNotOnTheOne") : say("tintOnNone", all);
    switch (wordsOf(mark)) {
        case "same":
            return compared === 1 ? say("tintSameOnTheOne") : say("tintSameOn", found, all);
        case "other":
            return compared === 1 ? say("tintOtherOnTheOne") : say("tintOtherOn", found, all);
        case "both":
            return say("tintFoundOn", found, all, String(verbatim));
        case "untold":
            return compared === 1 ? say("tintOnTheOne") : say("tintOn", found, all);
    }
}

/** Same text, other text, or mixed. */
function wordsOf({
    class: kind,
    support,
    verbatim_support: verbatim,
}: Found): "same" | "other" | "both" | "untold" {
    if (verbatim === 0) return "other";
    if (verbatim < support) return "both";
    // Elements without text always match: misleading for content.
    return kind === "template" || kind === "menu" ? "same" : "untold";
}

/** The pagelet's function, unless the class says the same. */
function functionOf({ class: kind, pagelet }: Mark, say: Say): string {
    const saysNoMore =
        !pagelet ||
        pagelet === "other" ||
        (kind === "menu" && pagelet === "main-menu") ||
        (kind === "content" && pagelet === "main-content");
    return saysNoMore ? "" : say(messageOf(pagelet));
}

/** Message key of a function: `main-menu` is `tintPageletMainMenu`. */
export function messageOf(pagelet: string): string {
    const words = pagelet.split("-").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
    return `tintPagelet${words.join("")}`;
}
