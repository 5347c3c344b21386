import { describe, expect, it } from "vitest";
import { EventParser, eventsOf } from "../src/api/event-stream";
import { serverEvent } from "../src/api/server-event";

const STREAM =
    ': here\n\nevent: queued\ndata: {"ahead": 3}\n\nevent: loaded\ndata: {"url":\ndata:  "https://é.example/"}\n\n';
const EVENTS = [
    { name: "queued", data: '{"ahead": 3}' },
    { name: "loaded", data: '{"url":\n "https://é.example/"}' },
];

describe("a stream of events", () => {
    it("is taken apart", () => {
        expect(new EventParser().push(STREAM)).toEqual(EVENTS);
    });

    it("may come in any pieces, and with any line ends", () => {
        for (const end of ["\n", "\r\n", "\r"]) {
            const parser = new EventParser();
            const text = STREAM.replaceAll("\n", end);
            const letters = [...text, end === "\r" ? ":" : ""];
            expect(letters.flatMap((letter) => parser.push(letter))).toEqual(EVENTS);
        }
    });

    it("may begin with a mark of its bytes' order", () => {
        expect(new EventParser().push("\uFEFFdata: a\n\n")).toEqual([{ name: "message", data: "a" }]);
    });

    it("has no event without data, and none that is not ended", () => {
        expect(new EventParser().push("event: writing\n\ndata: {}\n")).toEqual([]);
    });

    it("takes one space after the colon, and fields without one", () => {
        expect(new EventParser().push("data:  a\ndata\n\n")).toEqual([{ name: "message", data: " a\n" }]);
    });

    it("is read from bytes that end inside a letter", async () => {
        const bytes = new TextEncoder().encode(STREAM);
        const body = new ReadableStream<Uint8Array>({
            start(controller) {
                for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
                controller.close();
            },
        });
        const read = [];
        for await (const event of eventsOf(body)) read.push(event);
        expect(read).toEqual(EVENTS);
    });

    it("is given up by who stops listening", async () => {
        let isCancelled = false;
        const body = new ReadableStream<Uint8Array>({
            start: (controller) => controller.enqueue(new TextEncoder().encode(STREAM)),
            cancel: () => {
                isCancelled = true;
            },
        });
        for await (const _ of eventsOf(body)) break;
        expect(isCancelled).toBe(true);
    });
});

describe("an event", () => {
    it("is read from its data", () => {
        const data = '{"url": "https://a.example/", "why": "linked", "max_remaining": 7}';
        expect(serverEvent({ name: "loading", data })).toEqual({
            name: "loading",
            url: "https://a.example/",
            why: "linked",
            maxRemaining: 7,
        });
    });

    it("is none if nobody knows it, or if it cannot be read", () => {
        expect(serverEvent({ name: "painted", data: "{}" })).toBeUndefined();
        expect(serverEvent({ name: "loaded", data: "{" })).toBeUndefined();
        expect(serverEvent({ name: "loaded", data: "null" })).toBeUndefined();
    });

    it("of a page without links has none", () => {
        expect(serverEvent({ name: "loaded", data: '{"url": "https://a.example/"}' })).toEqual({
            name: "loaded",
            url: "https://a.example/",
            foundAt: "https://a.example/",
            links: [],
        });
    });
});
