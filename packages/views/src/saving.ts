// Copying and saving outputs.

import { button, element } from "./element";
import { type Form, fileName } from "./forms";
import { text } from "./i18n";
import type { Written } from "./written";

/** Time for the browser to start the download. */
const KEPT_FOR = 60_000;

type Announce = (message: string) => void;

export async function copyText(words: string, announce: Announce): Promise<void> {
    try {
        await navigator.clipboard.writeText(words);
        announce(text("copied"));
    } catch {
        // Browsers allow copying shortly after a click only; the second click finds the output ready.
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

/** Copies the link to the result. */
export function shareButton(address: string, announce: Announce): HTMLButtonElement {
    return button(text("copyAddress"), () => void copyText(address, announce), { id: "share" });
}

/** Downloads all outputs as one file. */
export function downloadAllLink(href: string): HTMLAnchorElement {
    return element("a", { id: "download-all", class: "button", href, download: true }, text("downloadAll"));
}
