// Opens the results page on button, menu entry or shortcut.
//
// Stateless: browsers stop this script when idle. The results page reads the tab itself, with the permission of
// the click.

import { rememberPress } from "../pressed";
import { HELD_TAB } from "../protocol";
import { holdTab } from "./held-tab";

const MENU_ENTRY = "extract-template";

chrome.runtime.onInstalled.addListener(makeEntry);
// Chromium runs this script again in private windows, without menu entries.
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
    // App windows allow no more tabs.
    await chrome.tabs.create({ url, ...beside }).catch(() => chrome.tabs.create({ url }));
}
