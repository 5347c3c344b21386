// The one element that is put into the page, and the sheets in it that things are painted on.

import type { Colours } from "../protocol";
import { STYLE } from "./style";

/** What the page's own rules must not change. */
const HOST_STYLE = {
    all: "initial",
    direction: "ltr",
    position: "absolute",
    inset: "0 auto auto 0",
    width: "0",
    height: "0",
    overflow: "visible",
    "pointer-events": "none",
    "z-index": "2147483647",
};

/** How wide a sheet says it is; how wide it turns out to be tells how the page is scaled. */
const SHEET_WIDTH = 1000;

export class Overlay {
    readonly host: HTMLElement;
    /** Scrolls along with the page. */
    readonly page: HTMLElement;
    /** Stays where it is in the window. */
    readonly window: HTMLElement;
    /** Holds all, and the legend. */
    readonly body: HTMLElement;

    constructor(
        readonly document: Document,
        colours: Colours,
    ) {
        this.host = element(document, "div");
        this.body = element(document, "div", "body");
        this.page = this.body.appendChild(element(document, "div", "sheet page"));
        this.window = this.body.appendChild(element(document, "div", "sheet window"));
        for (const [kind, colour] of Object.entries(colours)) {
            this.body.style.setProperty(`--${kind}`, colour);
        }
        for (const [name, value] of Object.entries(HOST_STYLE)) {
            this.host.style.setProperty(name, value, "important");
        }
        const root = this.host.attachShadow({ mode: "closed" });
        // A sheet that is made by a script is none that the page's policy could forbid.
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(STYLE);
        root.adoptedStyleSheets = [sheet];
        root.append(this.body);
    }

    show(): void {
        this.host.setAttribute("popover", "manual");
        this.document.documentElement.append(this.host);
        // Above everything, and out of reach of any transformation, filter or overflow of the page.
        this.host.showPopover();
    }

    get isThere(): boolean {
        return this.host.isConnected;
    }

    remove(): void {
        this.host.remove();
    }

    /** Where a sheet begins on the screen, and how many pixels there are one of its own. */
    originOf(sheet: HTMLElement): { x: number; y: number; scale: number } {
        const { left, top, width } = sheet.getBoundingClientRect();
        return { x: left, y: top, scale: width > 0 ? width / SHEET_WIDTH : 1 };
    }
}

/** An element of HTML, be the page's document HTML or XML. */
export function element<Name extends keyof HTMLElementTagNameMap>(
    document: Document,
    name: Name,
    classes = "",
): HTMLElementTagNameMap[Name] {
    const made = document.createElementNS("http://www.w3.org/1999/xhtml", name);
    if (classes) made.className = classes;
    return made as HTMLElementTagNameMap[Name];
}
