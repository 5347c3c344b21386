// Errors of the server and the connection.

import type { ProblemAnswer } from "./types";

export type ProblemKind =
    | "offline"
    | "unauthorized"
    | "private-address"
    | "not-found"
    | "bad-request"
    | "too-large"
    | "page-required"
    | "no-sibling"
    | "page-not-loaded"
    | "queue-full"
    | "timeout"
    | "shutting-down"
    | "broken";

export class ServerProblem extends Error {
    constructor(
        readonly kind: ProblemKind,
        /** The server's message. */
        readonly detail = "",
        /** Seconds to wait before a retry. */
        readonly retryAfter: number | undefined = undefined,
        /** URLs to choose from. */
        readonly pages: string[] = [],
    ) {
        super(detail || kind);
    }
}

const KINDS: Record<string, ProblemKind> = {
    "bad-request": "bad-request",
    "unsupported-media-type": "bad-request",
    unauthorized: "unauthorized",
    "private-address": "private-address",
    "not-found": "not-found",
    "body-too-large": "too-large",
    "page-required": "page-required",
    "no-sibling": "no-sibling",
    "page-not-loaded": "page-not-loaded",
    "queue-full": "queue-full",
    timeout: "timeout",
    "shutting-down": "shutting-down",
};

/** For proxies, which send a status only. */
const OF_STATUS: Record<number, ProblemKind> = {
    400: "bad-request",
    401: "unauthorized",
    403: "private-address",
    404: "not-found",
    413: "too-large",
    429: "queue-full",
    502: "page-not-loaded",
    503: "shutting-down",
    504: "timeout",
};

export function problemOf(answer: Partial<ProblemAnswer>, retryAfter?: string | null): ServerProblem {
    const name = /\/problems\/([\w-]+)$/.exec(answer.type ?? "")?.[1] ?? "";
    const kind = KINDS[name] ?? OF_STATUS[answer.status ?? 0] ?? "broken";
    return new ServerProblem(
        kind,
        answer.detail ?? answer.title ?? "",
        secondsOf(retryAfter),
        answer.pages ?? [],
    );
}

/** Parses `Retry-After`: seconds or a date. */
function secondsOf(value: string | null | undefined): number | undefined {
    if (!value) return undefined;
    const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
    return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined;
}

/** Converts any error; `fetch` throws TypeError for network errors. */
export function problemOfError(error: unknown): ServerProblem {
    if (error instanceof ServerProblem) return error;
    if (error instanceof TypeError) return new ServerProblem("offline");
    return new ServerProblem("broken", error instanceof Error ? error.message : String(error));
}
