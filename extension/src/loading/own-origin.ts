// Pages of one site are asked for where the user is.

/**
 * An address at the origin of the key page, if it is of the same host: with or without `www.`, by either scheme.
 *
 * For the engine all of these are one site; browsers give permission for each alone. Where the user is, is where the
 * site wants people to be: whoever goes to another of its origins is mostly sent there.
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

/** A port that is neither scheme's own. */
function portOf({ port }: URL): string {
    return ["80", "443"].includes(port) ? "" : port;
}
