// Converts events of the stream. Unknown ones are ignored, for compatibility with newer servers.

import type { SelectionReason } from "@husk/views/engine";
import type { RawEvent } from "./event-stream";
import type { ProblemAnswer, ResultSummary, ServerEvent } from "./types";

export function serverEvent({ name, data }: RawEvent): ServerEvent | undefined {
    const said = objectOf(data);
    if (said === undefined) return undefined;
    switch (name) {
        case "queued":
            return { name, ahead: Number(said.ahead ?? 0) };
        case "started":
            return { name, page: textOf(said.page) };
        case "loading":
            return {
                name,
                url: textOf(said.url),
                why: said.why as SelectionReason | undefined,
                maxRemaining: Number(said.max_remaining ?? 0),
            };
        case "loaded": {
            const url = textOf(said.url);
            const links = Array.isArray(said.links) ? said.links.map(textOf) : [];
            return { name, url, foundAt: textOf(said.found_at) || url, links };
        }
        case "accepted":
            return { name, url: textOf(said.url) };
        case "rejected":
        case "failed":
            return { name, url: textOf(said.url), cause: textOf(said.cause) };
        case "sitemap":
        case "stylesheets":
        case "writing":
            return { name };
        case "result":
            return { name, summary: said as unknown as ResultSummary };
        case "problem":
            return { name, problem: said as unknown as ProblemAnswer };
        default:
            return undefined;
    }
}

function objectOf(data: string): Record<string, unknown> | undefined {
    try {
        const value: unknown = JSON.parse(data);
        return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
    } catch {
        return undefined;
    }
}

function textOf(value: unknown): string {
    return typeof value === "string" ? value : "";
}
