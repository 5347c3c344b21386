// Captures the live page and the XPaths of its nodes.

import { type CapturedPage, fault } from "../protocol";
import { type Snapshot, snapshotOf } from "./snapshot";

export interface Captured {
    page: Omit<CapturedPage, "capture">;
    snapshot: Snapshot;
}

/** Messages are limited to 64 MiB; a character may take three bytes and more when quoted. */
const MOST_CHARACTERS = 20 << 20;

export function capture(document: Document, url: string): Captured {
    const html = htmlOf(document);
    if (html.length > MOST_CHARACTERS) throw fault("too-large");
    // The browser's parser without scripting makes the same tree as the engine's.
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
            // Browsers wrap images and text files in a page.
            throw fault("not-html");
    }
}

/** The doctype, which affects parsing. */
function doctypeOf({ doctype }: Document): string {
    if (!doctype) return "";
    const { name, publicId, systemId } = doctype;
    const identifiers = [publicId && ` PUBLIC "${publicId}"`, systemId && !publicId && " SYSTEM"];
    return `<!DOCTYPE ${name}${identifiers.filter(Boolean).join("")}${systemId && ` "${systemId}"`}>`;
}

/** Serialises XML elements as HTML, where `<script/>` would not end. */
function asHtml(root: Element): string {
    const copy = document.implementation.createHTMLDocument();
    copy.replaceChild(copy.importNode(root, true), copy.documentElement);
    return copy.documentElement.outerHTML;
}
