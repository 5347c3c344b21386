// Short messages that are shown for a while, and read out to those who do not see them.

import { element } from "./element";

const SHOWN_FOR = 6000;

const region = element("p", { id: "status", role: "status" });
let clearing: ReturnType<typeof setTimeout> | undefined;

/** The place of the messages: it has to be in the page before there is one. */
export function announcements(): HTMLElement {
    return region;
}

export function announce(message: string): void {
    clearTimeout(clearing);
    region.textContent = message;
    clearing = setTimeout(() => {
        region.textContent = "";
    }, SHOWN_FOR);
}
