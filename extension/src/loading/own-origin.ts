// Maps URLs of the site to the key page's origin.

/**
 * The URL at the key page's origin, if the host is the same apart from `www.` and scheme.
 *
 * The engine treats these as one site, but browsers grant permission per origin. Sites usually redirect to
 * the origin where the user is.
 */
export function atOriginOf(keyPage: string, url: string): string {
    const [own, address] = [new URL(keyPage), new URL(url)];
    const isOfSite = withoutWww(own.hostname) === withoutWww(address.hostname);
    if (!isOfSite || portOf(own) !== portOf(address)) return url;
    return own.origin + address.pathname + address.search;
}

function withoutWww(host: string): string {
    return host.replace(/^www\.(?=.*\.)/, "");
}

/** A non-default port. */
function portOf({ port }: URL): string {
    return ["80", "443"].includes(port) ? "" : port;
}
