// Permission for a site.

/** Match pattern of a page's site; patterns have no ports. */
export function originPattern(url: string): string {
    const { protocol, hostname } = new URL(url);
    return `${protocol}//${hostname}/*`;
}

/** Whether the site is permitted; false for hosts without a valid pattern. */
export async function isAllowed(url: string): Promise<boolean> {
    try {
        return await chrome.permissions.contains({ origins: [originPattern(url)] });
    } catch {
        return false;
    }
}

/** Asks the user; must be called synchronously in a click handler. */
export async function ask(url: string): Promise<boolean> {
    return chrome.permissions.request({ origins: [originPattern(url)] });
}
