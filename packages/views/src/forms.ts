// The formats of results to show, copy and save.

import type { PlainKey } from "./i18n";
import type { OutputName } from "./outputs";

export interface Form {
    name: Exclude<OutputName, "inspect-marks" | "inspect-page">;
    label: PlainKey;
    /** File extension. */
    ending: string;
    type: string;
}

export interface FormGroup {
    label: PlainKey;
    forms: Form[];
}

export const FORM_GROUPS: FormGroup[] = [
    {
        label: "tabTemplate",
        forms: [
            { name: "template-html", label: "formHtml", ending: "template.html", type: "text/html" },
            { name: "template-jinja", label: "formJinja", ending: "template.jinja", type: "text/plain" },
            { name: "template-liquid", label: "formLiquid", ending: "template.liquid", type: "text/plain" },
            {
                name: "template-handlebars",
                label: "formHandlebars",
                ending: "template.hbs",
                type: "text/plain",
            },
            {
                name: "template-html-slots",
                label: "formSlots",
                ending: "template.slots.html",
                type: "text/html",
            },
            { name: "template-json", label: "formJson", ending: "template.json", type: "application/json" },
            { name: "template-xpath", label: "formXpath", ending: "template.xpath.txt", type: "text/plain" },
            {
                name: "template-selectors",
                label: "formSelectors",
                ending: "template.css.txt",
                type: "text/plain",
            },
        ],
    },
    {
        label: "tabContent",
        forms: [
            { name: "content-markdown", label: "formMarkdown", ending: "content.md", type: "text/markdown" },
            { name: "content-html", label: "formHtml", ending: "content.html", type: "text/html" },
            { name: "content-json", label: "formJson", ending: "content.json", type: "application/json" },
        ],
    },
    {
        label: "tabMenu",
        forms: [
            { name: "menu-markdown", label: "formMarkdown", ending: "menu.md", type: "text/markdown" },
            { name: "menu-json", label: "formJson", ending: "menu.json", type: "application/json" },
        ],
    },
    {
        label: "tabPagelets",
        forms: [
            { name: "pagelets-json", label: "formJson", ending: "pagelets.json", type: "application/json" },
        ],
    },
];

const FORMS = FORM_GROUPS.flatMap((group) => group.forms);

/** The form of that name, or the first. */
export function formOf(name: string): Form {
    const form = FORMS.find((form) => form.name === name) ?? FORMS[0];
    if (!form) throw new Error("there are no forms");
    return form;
}

const LONGEST_NAME = 80;

/** File name from the page's URL: `example.org-docs-intro.template.html`. */
export function fileName(url: string, ending: string): string {
    const { hostname, pathname } = new URL(url);
    const plain = `${hostname}-${decoded(pathname)}`
        // Letters and digits are valid in file names everywhere.
        .replace(/\.(?:html?|php|aspx?|jsp)$/i, "")
        .replace(/[^\p{L}\p{N}.]+/gu, "-")
        .replace(/[-.]{2,}/g, "-");
    const short = [...plain].slice(0, LONGEST_NAME).join("");
    const trimmed = short.replace(/^[-.]+|[-.]+$/g, "");
    return `${trimmed || "page"}.${ending}`;
}

function decoded(path: string): string {
    try {
        return decodeURIComponent(path);
    } catch {
        return path;
    }
}
