// Client of the HTTP API.

import { eventsOf } from "./event-stream";
import { problemOf, ServerProblem } from "./problem";
import { serverEvent } from "./server-event";
import type { Token } from "./token";
import type { ProblemAnswer, ProgressEvent, ResultSummary } from "./types";

/** A request: JSON or an archive. */
export interface Ask {
    body: BodyInit;
    type: "application/json" | "application/warc";
    /** Query parameters, for archives. */
    query?: Record<string, string>;
}

export class Server {
    constructor(
        private readonly token: Token,
        /** Base URL, for tests. */
        private readonly root = "",
    ) {}

    /** Creates a result; reports progress meanwhile. */
    async extract(
        ask: Ask,
        onProgress: (event: ProgressEvent) => void,
        signal: AbortSignal,
    ): Promise<ResultSummary> {
        const query = new URLSearchParams(ask.query).toString();
        const answer = await this.#fetch(`/v1/results${query && `?${query}`}`, {
            method: "POST",
            body: ask.body,
            headers: { "Content-Type": ask.type, Accept: "text/event-stream" },
            signal,
        });
        if (answer.body === null) throw new ServerProblem("broken");
        for await (const raw of eventsOf(answer.body)) {
            const event = serverEvent(raw);
            if (event?.name === "result") return event.summary;
            if (event?.name === "problem") throw problemOf(event.problem);
            if (event) onProgress(event);
        }
        // The stream ended early: the connection was lost.
        throw new ServerProblem("offline");
    }

    async summary(id: string, signal?: AbortSignal): Promise<ResultSummary> {
        const answer = await this.#fetch(this.#result(id), signal ? { signal } : {});
        return answer.json();
    }

    /** An output of a result: text, or an object for JSON. */
    async output(id: string, name: string): Promise<unknown> {
        const answer = await this.#fetch(`${this.#result(id)}/${name}`, {});
        const isJson = /^application\/json\b/.test(answer.headers.get("Content-Type") ?? "");
        return isJson ? answer.json() : answer.text();
    }

    /** URL of all outputs as a ZIP file. */
    archiveAddress(id: string): string {
        return `${this.root}${this.#result(id)}/husk.zip`;
    }

    /** The ZIP file itself, for servers with a token, which a link cannot send. */
    async archive(id: string): Promise<Blob> {
        return (await this.#fetch(`${this.#result(id)}/husk.zip`, {})).blob();
    }

    #result(id: string): string {
        return `/v1/results/${encodeURIComponent(id)}`;
    }

    async #fetch(path: string, init: RequestInit): Promise<Response> {
        const answer = await fetch(this.root + path, {
            ...init,
            headers: { ...init.headers, ...this.token.header() },
            cache: "no-store",
        });
        if (!answer.ok) throw await problemOfAnswer(answer);
        return answer;
    }
}

async function problemOfAnswer(answer: Response): Promise<ServerProblem> {
    const said = (await answer.json().catch(() => ({}))) as Partial<ProblemAnswer>;
    return problemOf({ ...said, status: answer.status }, answer.headers.get("Retry-After"));
}
