// Detects layout changes.

export interface Watcher {
    scrolled(): void;
    scrolledWithin(): void;
    changed(): void;
}

/** Events that may change the layout. */
const CHANGES = [
    "load",
    "toggle",
    "input",
    "transitionend",
    "animationend",
    "pointerover",
    "focusin",
    "focusout",
];

/** Active until aborted. */
export function watch(document: Document, watcher: Watcher, signal: AbortSignal): void {
    const quietly = { capture: true, passive: true, signal };
    const changed = () => watcher.changed();
    document.addEventListener(
        "scroll",
        ({ target }) => (target === document ? watcher.scrolled() : watcher.scrolledWithin()),
        quietly,
    );
    for (const name of CHANGES) document.addEventListener(name, changed, quietly);
    document.fonts.addEventListener("loadingdone", changed, { signal });
    window.addEventListener("resize", changed, quietly);
    window.visualViewport?.addEventListener("resize", changed, { signal });
    const sizes = new ResizeObserver(changed);
    for (const part of [document.documentElement, document.body]) {
        if (part) sizes.observe(part);
    }
    const nodes = new MutationObserver(changed);
    nodes.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    signal.addEventListener("abort", () => {
        sizes.disconnect();
        nodes.disconnect();
    });
}
