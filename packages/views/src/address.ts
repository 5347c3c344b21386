// Addresses as people read them.

/** What of an address tells pages of one site apart. */
export function pathOf(url: string): string {
    if (!URL.canParse(url)) return url;
    const { pathname, search } = new URL(url);
    return readable(pathname + search);
}

/** The whole address without what goes without saying. */
export function addressOf(url: string): string {
    if (!URL.canParse(url)) return url;
    const { protocol, host, pathname, search } = new URL(url);
    const path = pathname === "/" && search === "" ? "" : readable(pathname + search);
    return ["http:", "https:"].includes(protocol) ? host + path : readable(url);
}

function readable(encoded: string): string {
    try {
        return decodeURI(encoded);
    } catch {
        return encoded;
    }
}
