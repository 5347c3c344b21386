// The permission to load pages of one site.

/** The site of a page in the words that browsers have for permissions, which know no ports. */
export function originPattern(url: string): string {
    const { protocol, hostname } = new URL(url);
    return `${protocol}//${hostname}/*`;
}

/** Whether pages of that site may be loaded. Of hosts that a browser has no pattern for, such as some addresses in numbers, not. */
export async function isAllowed(url: string): Promise<boolean> {
    try {
        return await chrome.permissions.contains({ origins: [originPattern(url)] });
    } catch {
        return false;
    }
}

/** Asks the user; browsers only do so while a click is being handled, so nothing may be waited for before. */
export async function ask(url: string): Promise<boolean> {
    return chrome.permissions.request({ origins: [originPattern(url)] });
}
