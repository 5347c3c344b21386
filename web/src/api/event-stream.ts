// Server-sent events out of the answer to a POST: browsers read such streams by themselves only for a GET.

export interface RawEvent {
    name: string;
    data: string;
}

/** Takes a stream apart; pieces may end anywhere, also inside a line's end. */
export class EventParser {
    #rest = "";
    #name = "";
    #data: string[] = [];
    #isFirst = true;

    /** The events that are whole with this piece. */
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

    /** An event without data is none. */
    #dispatch(): RawEvent[] {
        const event = { name: this.#name || "message", data: this.#data.join("\n") };
        const isEvent = this.#data.length > 0;
        this.#name = "";
        this.#data = [];
        return isEvent ? [event] : [];
    }
}

/** The events of an answer, each as soon as it is there. */
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
        // Who stops listening lets the server know.
        await reader.cancel().catch(() => undefined);
    }
}
