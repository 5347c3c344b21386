// What there is to show of a result: its summary, and the forms in which it can be written.

import type { ContentJson, MarksJson, MenuJson, PageletsJson, TemplateJson, Visit } from "./engine";

/** What was found, in numbers. */
export interface Summary {
    url: string;
    nodes: number;
    templateNodes: number;
    compared: string[];
    /** Every page that was asked for, and what came of it. */
    visits: Visit[];
    /** The other pages that could be read, compared or not. */
    loaded: string[];
    /** Those of them that, as they came, seem to need their scripts. */
    scripted: string[];
    /** Why the page itself seems to need its scripts, if it does. */
    needsRendering: string | undefined;
}

/** The key page, harmless, with what each of its nodes is. */
export interface PageJson {
    /** Nodes where something begins have `data-husk`: the letter of a class, and the number of an entry in `marks`. */
    html: string;
    /** Structural support, verbatim support, number of the pagelet or -1. */
    marks: [structural: number, verbatim: number, pagelet: number][];
    /** Function, number of the pagelet around it or -1. */
    pagelets: [name: string, parent: number][];
    /** With how many pages it was compared. */
    compared: number;
}

/** The forms in which the results can be written. */
export interface Outputs {
    "template-html": string;
    /** To be looked at: with the style sheets in it that are at hand. */
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
    marks: MarksJson;
    page: PageJson;
}

export type OutputName = keyof Outputs;

/** Who writes the results: a worker in the browser, or a server. */
export interface Writer {
    write<Name extends OutputName>(name: Name): Promise<Outputs[Name]>;
}
