// A folder of saved pages as a site: assigns URLs and selects siblings.

import type { FoundFile } from "./files";
import type { GivenPage } from "./input";
import { readPage, statedAddress } from "./page-file";

/** Host for pages of unknown origin. */
const NOWHERE = "https://site.invalid/";

/** More siblings do not help. */
const MOST_SIBLINGS = 40;

/** Number of pages searched for a canonical URL. */
const MOST_ASKED = 24;

/** Usual overhead of JSON escaping. */
const WRITTEN = 1.15;

/** Sorts files: index pages first, then by depth. */
export function inOrder(files: FoundFile[]): FoundFile[] {
    const depth = ({ path }: FoundFile) => path.split("/").length;
    const rank = ({ path }: FoundFile) => (/(?:^|\/)(?:index|default|home)\.x?html?$/i.test(path) ? 0 : 1);
    const compare = (a: FoundFile, b: FoundFile) =>
        depth(a) - depth(b) || rank(a) - rank(b) || (a.path < b.path ? -1 : 1);
    return files.toSorted(compare);
}

/** Other files, nearest to the key page first. */
export function near(key: FoundFile, files: FoundFile[]): FoundFile[] {
    const folders = key.path.split("/").slice(0, -1);
    const distance = ({ path }: FoundFile) => {
        const parts = path.split("/").slice(0, -1);
        const shared = parts.findIndex((part, at) => part !== folders[at]);
        const common = shared === -1 ? Math.min(parts.length, folders.length) : shared;
        return parts.length + folders.length - 2 * common;
    };
    const others = inOrder(files.filter((file) => file !== key));
    return others.toSorted((a, b) => distance(a) - distance(b));
}

/** A key page and as many siblings as fit. */
export async function siteAround(
    key: FoundFile,
    files: FoundFile[],
    mostBytes: number,
): Promise<{ page: GivenPage; siblings: GivenPage[] }> {
    const root = sharedFolder(files);
    const around = near(key, files);
    const html = await readPage(key.file);
    const base = await baseOf([key, ...around.slice(0, MOST_ASKED)], root);
    const urlOf = ({ path }: FoundFile) => addressOf(path.slice(root.length), base);
    const page = { url: files.length === 1 ? (statedAddress(html) ?? urlOf(key)) : urlOf(key), html };
    const siblings: GivenPage[] = [];
    let room = mostBytes - key.file.size * WRITTEN;
    for (const file of around) {
        if (siblings.length >= MOST_SIBLINGS) break;
        // Skip files that do not fit.
        if (file.file.size * WRITTEN > room) continue;
        room -= file.file.size * WRITTEN;
        siblings.push({ url: urlOf(file), html: await readPage(file.file) });
    }
    return { page, siblings };
}

/** Common folder of all files, with a trailing slash; not part of the URLs. */
export function sharedFolder(files: FoundFile[]): string {
    const [first, ...rest] = files.map(({ path }) => path.split("/").slice(0, -1));
    if (!first) return "";
    const shared = first.findIndex((part, at) => rest.some((parts) => parts[at] !== part));
    const common = first.slice(0, shared === -1 ? first.length : shared);
    return common.length === 0 ? "" : `${common.join("/")}/`;
}

/** Base URL that most pages state. */
async function baseOf(files: FoundFile[], root: string): Promise<string> {
    const votes = new Map<string, number>();
    for (const { path, file } of files) {
        const stated = statedAddress(await readPage(file.slice(0, 100_000)));
        const base = stated && baseBy(stated, path.slice(root.length));
        if (base) votes.set(base, (votes.get(base) ?? 0) + 1);
    }
    const most = Math.max(0, ...votes.values());
    return [...votes].find(([, count]) => count === most)?.[0] ?? NOWHERE;
}

/** The stated URL minus the file's path, or the origin if they do not match. */
export function baseBy(stated: string, path: string): string {
    const { origin, pathname } = new URL(stated);
    const endings = [
        path,
        path.replace(/\.x?html?$/i, ""),
        path.replace(/(?:^|(?<=\/))index\.x?html?$/i, ""),
    ];
    for (const ending of endings) {
        const whole = `/${ending}`.replace(/\/$/, "");
        const address = pathname.replace(/\/$/, "");
        if (address.endsWith(whole)) return `${origin}${address.slice(0, address.length - whole.length)}/`;
    }
    return `${origin}/`;
}

/** Does not encode twice: file names are often already encoded. */
function addressOf(path: string, base: string): string {
    const written = path
        .split("/")
        .map((part) => part.replace(/%(?![0-9a-f]{2})/gi, "%25").replace(/[?#]/g, encodeURIComponent))
        .join("/");
    return new URL(`./${written}`, base).href;
}
