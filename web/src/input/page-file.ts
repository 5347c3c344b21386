// Reads saved pages: charset and stated URL.

/** URLs are stated near the beginning. */
const HEAD = 100_000;

export async function readPage(file: Blob): Promise<string> {
    return decoded(new Uint8Array(await file.arrayBuffer()));
}

export function decoded(bytes: Uint8Array): string {
    const named = charsetOf(bytes);
    if (named) return new TextDecoder(named).decode(bytes);
    try {
        return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
        // Old pages without a charset.
        return new TextDecoder("windows-1252").decode(bytes);
    }
}

function charsetOf(bytes: Uint8Array): string | undefined {
    if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
    if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
    const head = new TextDecoder("windows-1252").decode(bytes.subarray(0, 4096));
    const named = /<meta\b[^>]*?charset\s*=\s*["']?\s*([\w:-]+)/i.exec(head)?.[1];
    try {
        const charset = named && new TextDecoder(named).encoding;
        // As in the HTML standard: a readable tag cannot be UTF-16.
        return charset?.startsWith("utf-16") ? "utf-8" : charset;
    } catch {
        return undefined;
    }
}

/** Comment of browsers and SingleFile with the original URL. */
const SAVED = /<!--[^>]{0,200}?(?:saved from url=\(\d+\)|\burl:\s*)(https?:\/\/[^\s>]+)/i;

/** The URL that a page states. */
export function statedAddress(html: string): string | undefined {
    const head = html.slice(0, HEAD);
    const page = new DOMParser().parseFromString(head, "text/html");
    const said = [
        SAVED.exec(head)?.[1],
        page.querySelector("link[rel~='canonical' i]")?.getAttribute("href"),
        page.querySelector("meta[property='og:url' i]")?.getAttribute("content"),
    ];
    const found = said.find((url) => url && /^https?:\/\//i.test(url.trim()) && URL.canParse(url.trim()));
    return found ? new URL(found.trim()).href.replace(/#.*$/, "") : undefined;
}
