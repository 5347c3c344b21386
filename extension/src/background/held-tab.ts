// Opens a tab for the results page, and holds it as long as that page holds its end of the port: however the page
// goes, the tab goes too. What a page says in its last moment would not be heard in every browser.

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
    // As with the results themselves, their window may take no further tab.
    const { id } = await chrome.tabs.create({ ...hidden, ...place }).catch(() => chrome.tabs.create(hidden));
    // What cannot be muted is at least not there for long.
    if (id !== undefined) await chrome.tabs.update(id, { muted: true }).catch(() => undefined);
    return id;
}

async function close(id: number | undefined): Promise<void> {
    if (id !== undefined) await chrome.tabs.remove(id).catch(() => undefined);
}
