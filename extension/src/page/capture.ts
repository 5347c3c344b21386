// The page as the tab shows it now, scripts and all, and where its nodes will be found by those who parse it.

import { type CapturedPage, fault } from "../protocol";
import { type Snapshot, snapshotOf } from "./snapshot";

export interface Captured {
    page: Omit<CapturedPage, "capture">;
    snapshot: Snapshot;
}

/** Browsers pass on messages of up to 64 MiB; a character may take three bytes and its quotes more. */
const MOST_CHARACTERS = 20 << 20;

export function capture(document: Document, url: string): Captured {
    const html = htmlOf(document);
    if (html.length > MOST_CHARACTERS) throw fault("too-large");
    // The parser of the browser, scripts switched off, makes the same tree as that of the engine.
    const parsed = new DOMParser().parseFromString(html, "text/html");
    return {
        page: { url, html, title: document.title, charset: document.characterSet },
        snapshot: snapshotOf(parsed.documentElement, document.documentElement),
    };
}

function htmlOf(document: Document): string {
    const root: Element | null = document.documentElement;
    if (root?.localName !== "html") throw fault("not-html");
    switch (document.contentType) {
        case "text/html":
            return doctypeOf(document) + root.outerHTML;
        case "application/xhtml+xml":
            return doctypeOf(document) + asHtml(root);
        default:
            // Pictures, texts and the like are put into a page of the browser's own making.
            throw fault("not-html");
    }
}

/** The doctype, on which it depends how some pages are parsed. */
function doctypeOf({ doctype }: Document): string {
    if (!doctype) return "";
    const { name, publicId, systemId } = doctype;
    const identifiers = [publicId && ` PUBLIC "${publicId}"`, systemId && !publicId && " SYSTEM"];
    return `<!DOCTYPE ${name}${identifiers.filter(Boolean).join("")}${systemId && ` "${systemId}"`}>`;
}

/** An element of an XML document in the syntax of HTML, where `<script/>` would not end. */
function asHtml(root: Element): string {
    const copy = document.implementation.createHTMLDocument();
    copy.replaceChild(copy.importNode(root, true), copy.documentElement);
    return copy.documentElement.outerHTML;
}
