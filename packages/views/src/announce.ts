// Short status messages, also announced to screen readers.

import { element } from "./element";

const SHOWN_FOR = 6000;

let region: HTMLElement | undefined;
let clearing: ReturnType<typeof setTimeout> | undefined;

/** The live region; it must be in the page before the first message. */
export function announcements(): HTMLElement {
    region ??= element("p", { id: "status", role: "status" });
    return region;
}

export function announce(message: string): void {
    clearTimeout(clearing);
    announcements().textContent = message;
    clearing = setTimeout(() => announcements().replaceChildren(), SHOWN_FOR);
}
