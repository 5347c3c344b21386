// Says in words what a part of the page is, and why.

import type { Mark } from "@husk/core";

/** A text in the user's language. */
export type Say = (name: string, ...values: string[]) => string;

const NAMES: Partial<Record<Mark["class"], string>> = {
    template: "tintTemplate",
    menu: "tintMenu",
    content: "tintContent",
    own: "tintOwn",
};

/** What a mark says; nothing where several things stand side by side. */
export function whyOf(mark: Mark, compared: number, say: Say): string | undefined {
    const name = NAMES[mark.class];
    if (!name) return undefined;
    const parts = [say(name), foundOn(mark, compared, say), functionOf(mark, say)];
    return parts.filter(Boolean).join(" · ");
}

function foundOn({ support, verbatim_support }: Mark, compared: number, say: Say): string {
    const [found, same, all] = [support, verbatim_support, compared].map(String) as [string, string, string];
    if (compared === 0) return say("tintNotCompared");
    if (support === 0) return say(compared === 1 ? "tintNotOnTheOne" : "tintOnNone", all);
    if (compared === 1) return say(verbatim_support === 1 ? "tintSameOnTheOne" : "tintOnTheOne");
    if (verbatim_support === support) return say("tintSameOn", found, all);
    return verbatim_support === 0
        ? say("tintOtherWordsOn", found, all)
        : say("tintFoundOn", found, all, same);
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
