// What the page is doing at the moment.

import type { ServerProblem } from "./api/problem";
import type { ResultSummary } from "./api/types";
import type { Crawl } from "./crawl/crawl";
import type { FoundFile } from "./input/files";
import type { Input } from "./input/input";

/** A result, and what is known of how it came about. */
export interface Kept {
    summary: ResultSummary;
    /** What it was extracted from; unknown if somebody else did. */
    input: Input | undefined;
    /** The crawl as it was seen; unknown for the same reason. */
    crawl: Crawl | undefined;
}

export type State =
    /** Waits for an address or files; `refused` are files that nothing can be done with. */
    | { name: "start"; url: string; refused?: Refused }
    /** Files are being read. */
    | { name: "reading" }
    | { name: "choosing-file"; files: FoundFile[] }
    | { name: "choosing-page"; file: File; pages: string[] }
    /** A result of before is asked for. */
    | { name: "opening" }
    | Crawling
    | { name: "finished"; result: Kept; other: Kept | undefined }
    | { name: "failed"; problem: ServerProblem; input: Input | undefined };

export interface Crawling {
    name: "crawling";
    input: Input;
    crawl: Crawl;
    /** The result that it is going to be compared with. */
    beside: Kept | undefined;
}

export type Refused =
    | { kind: "nothing"; names: string[] }
    | { kind: "too-large"; name: string; bytes: number };
