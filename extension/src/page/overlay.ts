// The element added to the page, with the layers for painting.

import type { Colours } from "../protocol";
import { STYLE } from "./style";

/** Protects against the page's styles. */
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

/** Nominal width of a layer; its measured width gives the scale of the page. */
const SHEET_WIDTH = 1000;

export class Overlay {
    readonly host: HTMLElement;
    readonly page: HTMLElement;
    /** Fixed to the viewport. */
    readonly window: HTMLElement;
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
        // Constructed style sheets are not blocked by the page's CSP.
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(STYLE);
        root.adoptedStyleSheets = [sheet];
        root.append(this.body);
    }

    show(): void {
        this.host.setAttribute("popover", "manual");
        this.document.documentElement.append(this.host);
        // Above everything, unaffected by the page's transforms, filters or overflow.
        this.host.showPopover();
    }

    get isThere(): boolean {
        return this.host.isConnected;
    }

    remove(): void {
        this.host.remove();
    }

    /** Origin and scale of a layer. */
    originOf(sheet: HTMLElement): { x: number; y: number; scale: number } {
        const { left, top, width } = sheet.getBoundingClientRect();
        return { x: left, y: top, scale: width > 0 ? width / SHEET_WIDTH : 1 };
    }
}

/** An HTML element, also in XML documents. */
export function element<Name extends keyof HTMLElementTagNameMap>(
    document: Document,
    name: Name,
    classes = "",
): HTMLElementTagNameMap[Name] {
    const made = document.createElementNS("http://www.w3.org/1999/xhtml", name);
    if (classes) made.className = classes;
    return made as HTMLElementTagNameMap[Name];
}
