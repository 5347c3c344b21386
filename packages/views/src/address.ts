// URLs for display.

/** Path and query of a URL. */
export function pathOf(url: string): string {
    if (!URL.canParse(url)) return url;
    const { pathname, search } = new URL(url);
    return readable(pathname + search);
}

/** The URL without scheme and trailing slash. */
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
