// Parses server-sent events of a POST response: EventSource supports GET only.

export interface RawEvent {
    name: string;
    data: string;
}

/** Incremental parser; chunks may end anywhere, also within a line break. */
export class EventParser {
    #rest = "";
    #name = "";
    #data: string[] = [];
    #isFirst = true;

    /** Events completed by this chunk. */
    push(piece: string): RawEvent[] {
        const text = this.#isFirst ? piece.replace(/^\uFEFF/, "") : piece;
        if (piece !== "") this.#isFirst = false;
        const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
        this.#rest = lines.pop() ?? "";
        return lines.flatMap((line) => this.#line(line));
    }

    #line(line: string): RawEvent[] {
        if (line === "") return this.#dispatch();
        const [, field = "", value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
        if (field === "event") this.#name = value;
        if (field === "data") this.#data.push(value);
        return [];
    }

    /** Events without data are dropped. */
    #dispatch(): RawEvent[] {
        const event = { name: this.#name || "message", data: this.#data.join("\n") };
        const isEvent = this.#data.length > 0;
        this.#name = "";
        this.#data = [];
        return isEvent ? [event] : [];
    }
}

/** Yields the events of a response as they arrive. */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<RawEvent> {
    const parser = new EventParser();
    const decoder = new TextDecoder();
    const reader = body.getReader();
    try {
        for (;;) {
            const { done, value } = await reader.read();
            if (done) return;
            yield* parser.push(decoder.decode(value, { stream: true }));
        }
    } finally {
        // Closes the stream on the server.
        await reader.cancel().catch(() => undefined);
    }
}
