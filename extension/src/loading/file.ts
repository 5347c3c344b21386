// Whether an address is a file to keep: opened in a tab, it would end up on the user's disk.

const PAGE = /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i;

/** What the server says about it; who says nothing clear may have a page. */
export async function isFile(url: string, signal: AbortSignal): Promise<boolean> {
    try {
        const { ok, headers } = await fetch(url, { method: "HEAD", credentials: "include", signal });
        const type = headers.get("Content-Type");
        const isAttached = /^\s*attachment\b/i.test(headers.get("Content-Disposition") ?? "");
        return ok && (isAttached || (type !== null && !PAGE.test(type)));
    } catch (error) {
        if (signal.aborted) throw error;
        return false;
    }
}
