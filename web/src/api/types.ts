// What the server answers, as it comes: keys in its spelling.

import type { Visit, Why } from "@husk/views/engine";

export type Method = "husk" | "paper";

/** What is known of a result that the server keeps. */
export interface ResultSummary {
    id: string;
    created: string;
    expires: string;
    page: string;
    title: string | null;
    method: Method;
    nodes: number;
    template_nodes: number;
    compared: string[];
    /** Every page that could be read; the key page is the first. */
    loaded: string[];
    visits: Visit[];
    /** Which of the loaded pages link to which, by their places in `loaded`. */
    links: [from: number, to: number][];
    scripted: string[];
    needs_rendering: string | null;
    learned: Learned | null;
    outputs: string[];
}

/** What a page was told by, where nothing was loaded to compare it with. */
export interface Learned {
    site: string;
    layout: string;
    age_seconds: number;
    pages: number;
}

/** What went wrong, as the server says it. */
export interface ProblemAnswer {
    type: string;
    title: string;
    status: number;
    detail?: string;
    /** The pages of an archive, where one has to be chosen. */
    pages?: string[];
}

/** A step of the work, told while it is under way. */
export type ProgressEvent =
    | { name: "queued"; ahead: number }
    | { name: "started"; page: string }
    | { name: "loading"; url: string; why: Why | undefined; maxRemaining: number }
    | { name: "loaded"; url: string; foundAt: string; links: string[] }
    | { name: "accepted"; url: string }
    | { name: "rejected" | "failed"; url: string; cause: string }
    | { name: "sitemap" }
    | { name: "stylesheets" }
    | { name: "writing" };

/** How the work ended. */
export type EndEvent =
    | { name: "result"; summary: ResultSummary }
    | { name: "problem"; problem: ProblemAnswer };

export type ServerEvent = ProgressEvent | EndEvent;
