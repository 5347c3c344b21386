// For which tabs the button was pressed, as long as the browser runs.
//
// A browser that opens its last tabs again opens pages with results, too, but numbers its tabs anew: without a press,
// such a page would read some other tab.

function keyOf(tab: number): string {
    return `pressed-${tab}`;
}

export async function rememberPress(tab: number): Promise<void> {
    await chrome.storage.session.set({ [keyOf(tab)]: true });
}

export async function wasPressed(tab: number): Promise<boolean> {
    const key = keyOf(tab);
    const { [key]: pressed } = await chrome.storage.session.get<Record<string, unknown>>(key);
    return pressed === true;
}
