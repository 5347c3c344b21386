// Waits for the button, the menu entry or the keys, and opens the page with the results.
//
// Nothing is kept in here: browsers end this script whenever it has nothing to do. The results page reads the tab itself,
// with the permission that the click gave for it.

import { rememberPress } from "../pressed";
import { HELD_TAB } from "../protocol";
import { holdTab } from "./held-tab";

const MENU_ENTRY = "extract-template";

chrome.runtime.onInstalled.addListener(makeEntry);
// In private windows Chromium runs this script a second time, and keeps no entries there.
if (chrome.extension.inIncognitoContext) makeEntry();

function makeEntry(): void {
    chrome.contextMenus.removeAll(() => {
        chrome.contextMenus.create({
            id: MENU_ENTRY,
            title: chrome.i18n.getMessage("extractTemplate"),
            contexts: ["page", "frame", "selection", "link", "image"],
            documentUrlPatterns: ["http://*/*", "https://*/*"],
        });
    });
}

chrome.action.onClicked.addListener((tab) => void openResults(tab));

chrome.contextMenus.onClicked.addListener((info, tab) => {
    if (info.menuItemId === MENU_ENTRY) void openResults(tab);
});

chrome.commands.onCommand.addListener((command, tab) => {
    if (command === "extract-template") void openResults(tab);
});

chrome.runtime.onConnect.addListener((port) => {
    if (port.name === HELD_TAB) holdTab(port);
});

async function openResults(tab: chrome.tabs.Tab | undefined): Promise<void> {
    if (tab?.id === undefined) return;
    const address = new URL(chrome.runtime.getURL("results.html"));
    address.searchParams.set("tab", String(tab.id));
    const url = address.href;
    await rememberPress(tab.id);
    const beside = { openerTabId: tab.id, index: tab.index + 1, windowId: tab.windowId };
    // Windows of apps and such take no further tab.
    await chrome.tabs.create({ url, ...beside }).catch(() => chrome.tabs.create({ url }));
}
