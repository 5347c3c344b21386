// Opens a background tab and closes it when the results page disconnects its port. A message at unload would
// not arrive in every browser.

import type { HeldTabAsk, HeldTabReply } from "../protocol";

export function holdTab(port: chrome.runtime.Port): void {
    let isHeld = true;
    let tab: number | undefined;
    port.onMessage.addListener(async (ask: HeldTabAsk) => {
        tab = await open(ask.url, port.sender?.tab).catch(() => undefined);
        if (isHeld) port.postMessage({ id: tab } satisfies HeldTabReply);
        else await close(tab);
    });
    port.onDisconnect.addListener(() => {
        isHeld = false;
        void close(tab);
    });
}

async function open(url: string, beside: chrome.tabs.Tab | undefined): Promise<number | undefined> {
    if (!/^https?:/i.test(url)) return undefined;
    const place = beside?.id === undefined ? {} : { openerTabId: beside.id, windowId: beside.windowId };
    const hidden = { url, active: false };
    // The window may not allow more tabs.
    const { id } = await chrome.tabs.create({ ...hidden, ...place }).catch(() => chrome.tabs.create(hidden));
    if (id !== undefined) await chrome.tabs.update(id, { muted: true }).catch(() => undefined);
    return id;
}

async function close(id: number | undefined): Promise<void> {
    if (id !== undefined) await chrome.tabs.remove(id).catch(() => undefined);
}
