// Actions on a result.

import {
    announce,
    button,
    downloadAllLink,
    element,
    fileName,
    shareButton,
    text as shared,
} from "@husk/views";
import { type Flow, inputOf, otherMethod } from "../flow";
import type { Kept } from "../state";
import { text } from "../words";

/** Time for the browser to start the download. */
const KEPT_FOR = 60_000;

export function resultActions(result: Kept, flow: Flow, hasToken: boolean): HTMLElement[] {
    const canRepeat = inputOf(result) !== undefined;
    return [
        ...(canRepeat ? [compareButton(result, flow)] : []),
        ...(canRepeat && result.summary.learned ? [anewButton(result, flow)] : []),
        downloadAll(result, flow, hasToken),
        copyAddressButton(),
        newButton(flow),
    ];
}

/** The current URL. */
export function copyAddressButton(): HTMLButtonElement {
    return shareButton(location.href, announce);
}

export function newButton(flow: Flow): HTMLButtonElement {
    return button(text("newPage"), () => flow.toStart(), { id: "new", class: "main" });
}

function compareButton(result: Kept, flow: Flow): HTMLButtonElement {
    const label = text(otherMethod(result.summary) === "paper" ? "comparedPaper" : "comparedHusk");
    return button(label, () => void flow.compare(result), { id: "compare" });
}

function anewButton(result: Kept, flow: Flow): HTMLButtonElement {
    return button(text("extractAnew"), () => void flow.anew(result), { id: "anew" });
}

/** A plain link, unless a token is needed. */
function downloadAll({ summary }: Kept, flow: Flow, hasToken: boolean): HTMLElement {
    const { id, page } = summary;
    if (!hasToken) return downloadAllLink(flow.server.archiveAddress(id));
    const save = async () => {
        try {
            saveBlob(await flow.server.archive(id), fileName(page, "zip"));
            announce(text("downloading"));
        } catch {
            announce(text("notDownloaded"));
        }
    };
    return button(shared("downloadAll"), () => void save(), { id: "download-all" });
}

function saveBlob(blob: Blob, name: string): void {
    const url = URL.createObjectURL(blob);
    element("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), KEPT_FOR);
}
