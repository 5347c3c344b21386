// The page as the tab shows it now, scripts and all.

import type { CapturedPage } from "../protocol";

export function capture(document: Document, url: string): CapturedPage {
    return {
        url,
        html: document.documentElement.outerHTML,
        title: document.title,
        charset: document.characterSet,
    };
}
