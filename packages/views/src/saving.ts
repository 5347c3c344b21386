// Results on their way out: to the clipboard, or into a file.

import { button, element } from "./element";
import { type Form, fileName } from "./forms";
import { text } from "./i18n";
import type { Written } from "./written";

/** How long a browser may take to begin with a file. */
const KEPT_FOR = 60_000;

type Announce = (message: string) => void;

export async function copyText(words: string, announce: Announce): Promise<void> {
    try {
        await navigator.clipboard.writeText(words);
        announce(text("copied"));
    } catch {
        // Browsers let a page write shortly after a click only; what took long the first time is ready the second time.
        announce(text("notCopied"));
    }
}

export function saveText(words: string, name: string, type: string): void {
    const url = URL.createObjectURL(new Blob([words], { type: `${type};charset=utf-8` }));
    const link = document.createElement("a");
    link.href = url;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), KEPT_FOR);
}

/** What the buttons below need to know. */
export interface Saving {
    url: string;
    written: Written;
    announce: Announce;
}

export function copyButton(
    saving: Saving,
    form: () => Form,
    label: string,
    attributes = {},
): HTMLButtonElement {
    return outButton(saving, form, label, attributes, (words) => copyText(words, saving.announce));
}

export function downloadButton(
    saving: Saving,
    form: () => Form,
    label: string,
    attributes = {},
): HTMLButtonElement {
    return outButton(saving, form, label, attributes, (words, { ending, type }) => {
        const name = fileName(saving.url, ending);
        saveText(words, name, type);
        saving.announce(text("saved", { name }));
    });
}

function outButton(
    { written, announce }: Saving,
    form: () => Form,
    label: string,
    attributes: Record<string, string>,
    give: (words: string, form: Form) => void | Promise<void>,
): HTMLButtonElement {
    const act = async () => {
        const chosen = form();
        try {
            await give(await written.text(chosen.name), chosen);
        } catch {
            announce(text("notWritten"));
        }
    };
    return button(label, () => void act(), attributes);
}

/** Copies the address at which others find the results: for the header, where a surface has one. */
export function shareButton(address: string, announce: Announce): HTMLButtonElement {
    return button(text("copyAddress"), () => void copyText(address, announce), { id: "share" });
}

/** All forms in one file, which `href` leads to: for the header, where a surface has one. */
export function downloadAllLink(href: string): HTMLAnchorElement {
    return element("a", { id: "download-all", class: "button", href, download: true }, text("downloadAll"));
}
