// The states of the page.

import type { ServerProblem } from "./api/problem";
import type { ResultSummary } from "./api/types";
import type { Crawl } from "./crawl/crawl";
import type { FoundFile } from "./input/files";
import type { Input } from "./input/input";

/** A result with its input and crawl, if made in this visit. */
export interface Kept {
    summary: ResultSummary;
    input: Input | undefined;
    crawl: Crawl | undefined;
}

export type State =
    /** `refused`: files that cannot be used. */
    | { name: "start"; url: string; refused?: Refused }
    | { name: "reading" }
    | { name: "choosing-file"; files: FoundFile[] }
    | { name: "choosing-page"; file: File; pages: string[] }
    /** A stored result is being loaded. */
    | { name: "opening" }
    | Crawling
    | { name: "finished"; result: Kept; other: Kept | undefined }
    | { name: "failed"; problem: ServerProblem; input: Input | undefined };

export interface Crawling {
    name: "crawling";
    input: Input;
    crawl: Crawl;
    /** Result to compare with. */
    beside: Kept | undefined;
}

export type Refused =
    | { kind: "nothing"; names: string[] }
    | { kind: "too-large"; name: string; bytes: number };
