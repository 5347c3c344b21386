// Tabs for which the button was pressed, for this browser session.
//
// A browser that restores its tabs gives them new ids: without this check a restored results page would read
// another tab.

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
