// Short messages that are shown for a while, and read out to those who do not see them.

import { element } from "./element";

const SHOWN_FOR = 6000;

let region: HTMLElement | undefined;
let clearing: ReturnType<typeof setTimeout> | undefined;

/** The place of the messages: it has to be in the page before there is one. */
export function announcements(): HTMLElement {
    region ??= element("p", { id: "status", role: "status" });
    return region;
}

export function announce(message: string): void {
    clearTimeout(clearing);
    announcements().textContent = message;
    clearing = setTimeout(() => announcements().replaceChildren(), SHOWN_FOR);
}
