// Says in words what a part of the page is, and why.

import type { Mark } from "./engine";

/** A text in the user's language. */
export type Say = (name: string, ...values: string[]) => string;

const NAMES: Partial<Record<Mark["class"], string>> = {
    template: "tintTemplate",
    menu: "tintMenu",
    content: "tintContent",
    own: "tintOwn",
};

/** What is to be known of something to tell on how many pages it was found. */
export type Found = Pick<Mark, "class" | "support" | "verbatim_support">;

/** What a mark says; nothing where several things stand side by side. */
export function whyOf(mark: Mark, compared: number, say: Say): string | undefined {
    const name = NAMES[mark.class];
    if (!name) return undefined;
    const parts = [say(name), foundOn(mark, compared, say), functionOf(mark, say)];
    return parts.filter(Boolean).join(" · ");
}

/** On how many pages something was found, and whether they say the same there. */
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

/** Whether the pages on which it was found say the same there, other things, or some the one and some the other. */
function wordsOf({
    class: kind,
    support,
    verbatim_support: verbatim,
}: Found): "same" | "other" | "both" | "untold" {
    if (verbatim === 0) return "other";
    if (verbatim < support) return "both";
    // An element without words of its own is the same anywhere: of content, that would mislead.
    return kind === "template" || kind === "menu" ? "same" : "untold";
}

/** The pagelet's function; blank if its class says as much. */
function functionOf({ class: kind, pagelet }: Mark, say: Say): string {
    const saysNoMore =
        !pagelet ||
        pagelet === "other" ||
        (kind === "menu" && pagelet === "main-menu") ||
        (kind === "content" && pagelet === "main-content");
    return saysNoMore ? "" : say(messageOf(pagelet));
}

/** The message that names a function: `main-menu` is `tintPageletMainMenu`. */
export function messageOf(pagelet: string): string {
    const words = pagelet.split("-").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
    return `tintPagelet${words.join("")}`;
}
