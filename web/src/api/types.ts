// Types of the server's JSON.

import type { SelectionReason, Visit } from "@husk/views/engine";

export type Method = "husk" | "paper";

/** Summary of a result. */
export interface ResultSummary {
    id: string;
    created: string;
    expires: string;
    page: string;
    title: string | null;
    method: Method;
    nodes: number;
    template_nodes: number;
    /** Number of pages the template is based on: those compared, or those it was learned from. */
    template_support: number;
    compared: string[];
    /** All loaded pages, the key page first. */
    loaded: string[];
    visits: Visit[];
    /** Links between loaded pages, as indexes into `loaded`. */
    links: [from: number, to: number][];
    scripted: string[];
    needs_rendering: string | null;
    learned: Learned | null;
    outputs: string[];
}

/** The stored template that was used. */
export interface Learned {
    site: string;
    layout: string;
    age_seconds: number;
    pages: number;
}

/** Error response. */
export interface ProblemAnswer {
    type: string;
    title: string;
    status: number;
    detail?: string;
    /** Pages of the archive to choose from. */
    pages?: string[];
}

/** Progress event. */
export type ProgressEvent =
    | { name: "queued"; ahead: number }
    | { name: "started"; page: string }
    | { name: "loading"; url: string; why: SelectionReason | undefined; maxRemaining: number }
    | { name: "loaded"; url: string; foundAt: string; links: string[] }
    | { name: "accepted"; url: string }
    | { name: "rejected" | "failed"; url: string; cause: string }
    | { name: "sitemap" }
    | { name: "stylesheets" }
    | { name: "writing" };

/** Last event. */
export type EndEvent =
    | { name: "result"; summary: ResultSummary }
    | { name: "problem"; problem: ProblemAnswer };

export type ServerEvent = ProgressEvent | EndEvent;
