// All messages between parts of the extension.
//
//   results page  -> worker          WorkerCalls    the engine, off the page's thread
//   results page  -> tab             TabCalls       the page in the tab: its HTML, its tints
//   results page  -> background      HeldTabAsk     a tab that is open as long as the port it was asked for by

import type { Answer, MarksJson, Options, SelectionReason } from "@husk/core";
import type { Outputs, Summary } from "@husk/views";

/** The captured key page. */
export interface CapturedPage {
    url: string;
    html: string;
    /** Title for display. */
    title: string;
    /** Charset of the page, likely that of its siblings. */
    charset: string;
    /** Id of the capture; tints belong to one. */
    capture: number;
}

export type Step =
    /** A page to load. */
    | { kind: "page"; url: string; why: SelectionReason; atMost: number; ahead: string[] }
    /** robots.txt or a sitemap. */
    | { kind: "file"; url: string }
    | { kind: "finished"; summary: Summary };

/** Result of loading. */
export type Loaded = { kind: "answer"; answer: Answer } | { kind: "missing"; cause: string };

/** Outputs that the worker writes; the page itself is in its tab. */
export type EngineOutputs = Omit<Outputs, "inspect-page">;

export type EngineOutputName = keyof EngineOutputs;

/** Calls to the worker. */
export interface WorkerCalls {
    begin(page: CapturedPage, options: Partial<Options>): Step;
    /** Passes the result of the last step. */
    give(loaded: Loaded): Step;
    /** Only after the last step was `finished`. */
    write<Name extends EngineOutputName>(name: Name): EngineOutputs[Name];
}

/** Highlight colours as `#rrggbb`. */
export interface Colours {
    template: string;
    menu: string;
    content: string;
}

/** Why the page in a tab cannot be read. */
export type Fault =
    /** The browser or the user denies access. */
    | "no-access"
    /** Not an HTML page. */
    | "not-html"
    /** Larger than a message may be. */
    | "too-large"
    /** Reloaded or changed since the capture. */
    | "page-changed";

const FAULTS: readonly string[] = ["no-access", "not-html", "too-large", "page-changed"] satisfies Fault[];

export function fault(cause: Fault): Error {
    return new Error(cause);
}

/** The fault of an error, if any. */
export function faultOf(error: unknown): Fault | undefined {
    const cause = error instanceof Error ? error.message : undefined;
    return FAULTS.includes(cause ?? "") ? (cause as Fault) : undefined;
}

/** Calls to the script in the tab. */
export interface TabCalls {
    /** Captures the page; later tints refer to this capture. */
    capture(): CapturedPage;
    /** Highlights the page; returns the number of marks found. */
    tint(capture: number, marks: MarksJson, colours: Colours): { found: number; of: number };
    /** Removes the tints. */
    untint(): null;
    isTinted(): boolean;
}

/** Name of the port to request a tab. */
export const HELD_TAB = "held-tab";

export interface HeldTabAsk {
    url: string;
}

export interface HeldTabReply {
    /** Undefined on failure. */
    id: number | undefined;
}

/** A call message. */
export interface Call<Calls, Name extends keyof Calls = keyof Calls> {
    husk: "call";
    number: number;
    name: Name;
    arguments: unknown[];
}

/** A reply message. */
export type Reply =
    | { husk: "reply"; number: number; value: unknown }
    | { husk: "reply"; number: number; cause: string };

export function isReply(message: unknown): message is Reply {
    return typeof message === "object" && message !== null && "husk" in message && message.husk === "reply";
}

export function isCall<Calls>(message: unknown): message is Call<Calls> {
    return typeof message === "object" && message !== null && "husk" in message && message.husk === "call";
}

/** Dispatches a call. */
export async function answer<Calls extends object>(calls: Calls, call: Call<Calls>): Promise<Reply> {
    const { number, name } = call;
    try {
        const called = calls[name];
        if (typeof called !== "function") throw new Error(`there is no call named ${String(name)}`);
        return { husk: "reply", number, value: await called.apply(calls, call.arguments) };
    } catch (error) {
        return failure(number, error);
    }
}

/** Reply to a failed call. */
export function failure(number: number, cause: unknown): Reply {
    return { husk: "reply", number, cause: cause instanceof Error ? cause.message : String(cause) };
}
