// Extraction options, collapsed.

import { element } from "@husk/views";
import type { Method } from "../api/types";
import type { Flow } from "../flow";
import { text } from "../words";

const METHODS: Method[] = ["husk", "paper"];

export function optionsOf(flow: Flow): HTMLElement {
    const methods = METHODS.map((method) => methodChoice(flow, method));
    const fields = element(
        "div",
        { class: "fields" },
        element("fieldset", {}, element("legend", {}, text("method")), ...methods),
        pagesField(flow),
        freshField(flow),
    );
    return element("details", { class: "options" }, element("summary", {}, text("options")), fields);
}

function methodChoice(flow: Flow, method: Method): HTMLElement {
    const id = `method-${method}`;
    const choice = element("input", { type: "radio", name: "method", value: method, id });
    choice.checked = flow.choices.method === method;
    choice.addEventListener("change", () => flow.choose({ ...flow.choices, method }));
    const [name, said] = method === "husk" ? METHOD_HUSK : METHOD_PAPER;
    return element(
        "p",
        { class: "choice" },
        choice,
        element("label", { for: id }, text(name), element("small", { class: "quiet" }, text(said))),
    );
}

const METHOD_HUSK = ["methodHusk", "methodHuskSaid"] as const;
const METHOD_PAPER = ["methodPaper", "methodPaperSaid"] as const;

function pagesField(flow: Flow): HTMLElement {
    const field = element("input", { type: "number", id: "pages", min: "1", max: "30", placeholder: "–" });
    if (flow.choices.pagesToCompare !== undefined) field.value = String(flow.choices.pagesToCompare);
    field.addEventListener("change", () => {
        const count =
            field.validity.valid && field.value !== "" ? Math.round(Number(field.value)) : undefined;
        flow.choose({ ...flow.choices, pagesToCompare: count });
    });
    const label = element("label", { for: "pages" }, text("pagesToCompare"));
    return element("p", {}, label, field, remark(text("pagesToCompareSaid")));
}

function freshField(flow: Flow): HTMLElement {
    const field = element("input", { type: "checkbox", id: "fresh" });
    field.checked = flow.choices.fresh;
    field.addEventListener("change", () => flow.choose({ ...flow.choices, fresh: field.checked }));
    const said = element("small", { class: "quiet" }, text("freshSaid"));
    return element("p", { class: "choice" }, field, element("label", { for: "fresh" }, text("fresh"), said));
}

function remark(words: string): HTMLElement {
    return element("small", { class: "quiet" }, words);
}
