// Types of a result: its summary and its outputs.

import type { ContentJson, MarksJson, MenuJson, PageletsJson, TemplateJson, Visit } from "./engine";

/** Summary of a result. */
export interface Summary {
    url: string;
    nodes: number;
    templateNodes: number;
    /** How many pages the template is based on: those compared, or those it was learned from. 0: there is none. */
    templateSupport: number;
    compared: string[];
    /** Every requested page and what happened. */
    visits: Visit[];
    /** Other loaded pages, compared or not. */
    loaded: string[];
    /** Loaded pages that seem to need JavaScript. */
    scripted: string[];
    /** Why the page itself seems to need JavaScript, if so. */
    needsRendering: string | undefined;
}

/** The sanitised key page with its marks. */
export interface PageJson {
    /** Marked nodes have `data-husk`: letter of the class and index into `marks`. */
    html: string;
    /** Structural support, verbatim support, index of the pagelet or -1. */
    marks: [structural: number, verbatim: number, pagelet: number][];
    /** Function, index of the parent pagelet or -1. */
    pagelets: [name: string, parent: number][];
    /** Number of compared pages. */
    compared: number;
}

/** All outputs. */
export interface Outputs {
    "template-html": string;
    /** For display: includes available style sheets. */
    "template-page": string;
    "template-json": TemplateJson;
    "template-jinja": string;
    "template-liquid": string;
    "template-handlebars": string;
    "template-html-slots": string;
    "template-xpath": string;
    "template-selectors": string;
    "menu-json": MenuJson;
    "menu-markdown": string;
    "content-html": string;
    "content-markdown": string;
    "content-json": ContentJson;
    "pagelets-json": PageletsJson;
    "inspect-marks": MarksJson;
    "inspect-page": PageJson;
}

export type OutputName = keyof Outputs;

/** Provides outputs: a worker or a server. */
export interface Writer {
    write<Name extends OutputName>(name: Name): Promise<Outputs[Name]>;
}
