// Collects dropped or chosen files: walks folders, keeps pages and archives.

export interface FoundFile {
    /** Path including the dropped folder: `site/docs/a.html`. */
    path: string;
    file: File;
}

export type Found =
    | { kind: "archive"; file: File }
    | { kind: "pages"; pages: FoundFile[] }
    | { kind: "nothing"; names: string[] };

/** Limit, in case a whole disk is dropped. */
const MOST_FILES = 20_000;

const PAGE = /\.x?html?$/i;
const ARCHIVE = /\.warc(?:\.gz)?$/i;

/** Must be called within the drop event: the entries are not available later. */
export async function dropped(transfer: DataTransfer): Promise<FoundFile[]> {
    const items = [...transfer.items].filter(({ kind }) => kind === "file");
    const entries = items.map((item) => item.webkitGetAsEntry?.() ?? null);
    if (entries.every((entry) => entry === null)) return chosen(transfer.files);
    return filesBelow(entries.filter((entry) => entry !== null));
}

export function chosen(files: Iterable<File>): FoundFile[] {
    return [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

/** All files below the entries, breadth first. */
export async function filesBelow(entries: FileSystemEntry[]): Promise<FoundFile[]> {
    const found: FoundFile[] = [];
    const open = [...entries];
    for (let entry = open.shift(); entry && found.length < MOST_FILES; entry = open.shift()) {
        if (isFolder(entry)) open.push(...(await entriesOf(entry)));
        // Keep dropped files for the error message.
        else if (isConcerned(entry.name) || entries.includes(entry)) {
            found.push(await fileOf(entry as FileSystemFileEntry));
        }
    }
    return found;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
    return entry.isDirectory;
}

function isConcerned(name: string): boolean {
    // Skip the folders of saved pages' assets.
    return !/\.(?:css|js|mjs|json|png|jpe?g|gif|svg|webp|avif|ico|woff2?|ttf|mp4|pdf|zip)$/i.test(name);
}

/** Browsers return entries in batches. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
    const reader = folder.createReader();
    const all: FileSystemEntry[] = [];
    for (;;) {
        const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
            reader.readEntries(resolve, reject),
        );
        if (some.length === 0) return all.toSorted((a, b) => (a.name < b.name ? -1 : 1));
        all.push(...some);
    }
}

async function fileOf(entry: FileSystemFileEntry): Promise<FoundFile> {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    return { path: entry.fullPath.replace(/^\//, ""), file };
}

/** Chooses the input; an archive takes precedence over pages. */
export function sortOut(files: FoundFile[]): Found {
    const archive = files.find(({ path }) => ARCHIVE.test(path));
    if (archive) return { kind: "archive", file: archive.file };
    const pages = files.filter(({ path, file }) => PAGE.test(path) || file.type === "text/html");
    if (pages.length > 0) return { kind: "pages", pages };
    return { kind: "nothing", names: files.slice(0, 3).map(({ path }) => path) };
}
