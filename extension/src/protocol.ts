// Every message that one part of the extension sends to another, and what is answered to it.
//
//   results page  -> worker          WorkerCalls    the engine, off the page's thread
//   results page  -> tab             TabCalls       the page in the tab: its HTML, its tints
//   results page  -> background      HeldTabAsk     a tab that is open as long as the port it was asked for by

import type { Answer, MarksJson, Options, SelectionReason } from "@husk/core";
import type { Outputs, Summary } from "@husk/views";

/** The key page as the tab shows it now. */
export interface CapturedPage {
    url: string;
    html: string;
    /** What the tab's title says, for people. */
    title: string;
    /** The charset that the browser read it by, which likely is that of the other pages. */
    charset: string;
    /** Which capture of the tab's document it is: tints belong to one. */
    capture: number;
}

/** What the engine needs next. */
export type Step =
    /** A page, which is the next of `ahead`. */
    | { kind: "page"; url: string; why: SelectionReason; atMost: number; ahead: string[] }
    /** A file that may list the site's pages: robots.txt or a sitemap. */
    | { kind: "file"; url: string }
    | { kind: "finished"; summary: Summary };

/** What came of an attempt to load something. */
export type Loaded = { kind: "answer"; answer: Answer } | { kind: "missing"; cause: string };

/** The forms that the engine writes here: all that are shown of a page, but the page itself, which is in its tab. */
export type EngineOutputs = Omit<Outputs, "page">;

export type EngineOutputName = keyof EngineOutputs;

/** What the worker can be asked for. */
export interface WorkerCalls {
    begin(page: CapturedPage, options: Partial<Options>): Step;
    /** Gives the engine what the last step asked for. */
    give(loaded: Loaded): Step;
    /** Only after the last step was `finished`. */
    write<Name extends EngineOutputName>(name: Name): EngineOutputs[Name];
}

/** The colours of the tints, as `#rrggbb`. */
export interface Colours {
    template: string;
    menu: string;
    content: string;
}

/** Why the page in a tab cannot be had, as the cause of a failed call: people are told in their own words. */
export type Fault =
    /** The browser keeps extensions away from it, or the user has not let this one in. */
    | "no-access"
    /** It shows something else than a page: a picture, a PDF, a text. */
    | "not-html"
    /** It is longer than the browser passes on. */
    | "too-large"
    /** It was loaded anew since its capture, or nothing of what was captured is left. */
    | "page-changed";

const FAULTS: readonly string[] = ["no-access", "not-html", "too-large", "page-changed"] satisfies Fault[];

export function fault(cause: Fault): Error {
    return new Error(cause);
}

/** Which fault an error stands for; undefined if for none. */
export function faultOf(error: unknown): Fault | undefined {
    const cause = error instanceof Error ? error.message : undefined;
    return FAULTS.includes(cause ?? "") ? (cause as Fault) : undefined;
}

/** What the script in the tab can be asked for. */
export interface TabCalls {
    /** The page as it is now. Tints that are asked for later are put where the nodes of this moment are. */
    capture(): CapturedPage;
    /** Tints the page in place; answers how many of the marks were found on it. */
    tint(capture: number, marks: MarksJson, colours: Colours): { found: number; of: number };
    /** Leaves the page as it was. */
    untint(): null;
    isTinted(): boolean;
}

/** The name of a port by which the background is asked for a tab, once. */
export const HELD_TAB = "held-tab";

export interface HeldTabAsk {
    url: string;
}

export interface HeldTabReply {
    /** Undefined if there is none. */
    id: number | undefined;
}

/** A call on its way, in any of these directions. */
export interface Call<Calls, Name extends keyof Calls = keyof Calls> {
    husk: "call";
    number: number;
    name: Name;
    arguments: unknown[];
}

/** The answer to a call. */
export type Reply =
    | { husk: "reply"; number: number; value: unknown }
    | { husk: "reply"; number: number; cause: string };

export function isReply(message: unknown): message is Reply {
    return typeof message === "object" && message !== null && "husk" in message && message.husk === "reply";
}

export function isCall<Calls>(message: unknown): message is Call<Calls> {
    return typeof message === "object" && message !== null && "husk" in message && message.husk === "call";
}

/** Answers a call by the function of its name. */
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

/** The reply to a call that failed. */
export function failure(number: number, cause: unknown): Reply {
    return { husk: "reply", number, cause: cause instanceof Error ? cause.message : String(cause) };
}
