// Detects downloads: opened in a tab, they would be saved to disk.

const PAGE = /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i;

/** Asks the server; unclear answers count as pages. */
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
