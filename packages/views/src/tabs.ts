// Tabs as in the WAI-ARIA pattern.

import { button, element } from "./element";

export interface Panel {
    name: string;
    label: string;
    /** Content, created when first shown. */
    fill(panel: HTMLElement): void;
}

export interface Tabs {
    nodes: Node[];
    /** Selects the tab of that name. */
    open(name: string): void;
}

export function tabs(label: string, panels: Panel[]): Tabs {
    const shown = panels.map((panel) => new Tab(panel));
    const choose = (chosen: Tab) => {
        for (const tab of shown) tab.show(tab === chosen);
    };
    for (const tab of shown) tab.button.addEventListener("click", () => choose(tab));
    const list = element("div", { role: "tablist", "aria-label": label }, ...shown.map((tab) => tab.button));
    list.addEventListener("keydown", (event) => {
        const target = targetOf(
            event.key,
            shown.findIndex((tab) => tab.isShown),
            shown.length,
        );
        const tab = target === undefined ? undefined : shown[target];
        if (!tab) return;
        event.preventDefault();
        choose(tab);
        tab.button.focus();
    });
    if (shown[0]) choose(shown[0]);
    return {
        nodes: [list, ...shown.map((tab) => tab.panel)],
        open: (name) => {
            const named = shown.find((tab) => tab.name === name);
            if (!named) return;
            choose(named);
            // The pressed button is hidden now.
            named.button.focus();
        },
    };
}

/** The tab that a key moves to. */
export function targetOf(key: string, from: number, count: number): number | undefined {
    switch (key) {
        case "ArrowRight":
            return (from + 1) % count;
        case "ArrowLeft":
            return (from - 1 + count) % count;
        case "Home":
            return 0;
        case "End":
            return count - 1;
        default:
            return undefined;
    }
}

class Tab {
    readonly button: HTMLButtonElement;
    readonly panel: HTMLElement;
    readonly name: string;
    isShown = false;
    #isFilled = false;

    constructor(private readonly of: Panel) {
        this.name = of.name;
        const [tab, panel] = [`tab-${of.name}`, `panel-${of.name}`];
        this.button = button(of.label, () => undefined, {
            id: tab,
            role: "tab",
            "aria-controls": panel,
        });
        this.panel = element("section", {
            id: panel,
            role: "tabpanel",
            "aria-labelledby": tab,
            hidden: true,
        });
    }

    show(isShown: boolean): void {
        this.isShown = isShown;
        this.button.setAttribute("aria-selected", String(isShown));
        this.button.tabIndex = isShown ? 0 : -1;
        this.panel.hidden = !isShown;
        if (isShown && !this.#isFilled) {
            this.#isFilled = true;
            this.of.fill(this.panel);
        }
    }
}
