// How pages are compared.

import { element } from "@husk/views";
import { number, type PlainKey, text } from "../i18n";
import { EQUALITIES, METHODS, MOST_PAGES_TO_COMPARE, pageCount, type Settings } from "../settings";
import { type Change, group, input, labelled, oneOf } from "./field";

const METHOD_WORDS: Record<Settings["method"], { label: PlainKey; hint: PlainKey }> = {
    husk: { label: "methodHusk", hint: "methodHuskHint" },
    paper: { label: "methodPaper", hint: "methodPaperHint" },
};

const EQUALITY_WORDS: Record<Settings["equality"], PlainKey> = {
    label: "equalityLabel",
    "label-attributes": "equalityAttributes",
    weighted: "equalityWeighted",
};

export function comparing(settings: Settings, change: Change): HTMLElement {
    const equality = equalityChoice(settings, change);
    const methods = METHODS.map((method) => ({
        value: method,
        label: text(METHOD_WORDS[method].label),
        hint: text(METHOD_WORDS[method].hint),
    }));
    const choose = (method: Settings["method"]) => {
        equality.disabled = method !== "paper";
        change({ method });
    };
    return group(
        text("optionsComparing"),
        pagesField(settings, change),
        oneOf("method", text("method"), methods, settings.method, choose),
        labelled(text("equality"), equality, text("equalityHint")),
    );
}

function pagesField(settings: Settings, change: Change): HTMLElement {
    const most = String(MOST_PAGES_TO_COMPARE);
    const control = input("pages-to-compare", "number", { min: "1", max: most, step: "1", required: true });
    control.value = String(settings.pagesToCompare);
    const wrong = element("p", { class: "wrong", role: "alert", id: "pages-to-compare-wrong" });
    control.addEventListener("input", () => {
        const pagesToCompare = pageCount(control.valueAsNumber);
        control.setAttribute("aria-invalid", String(pagesToCompare === undefined));
        wrong.textContent =
            pagesToCompare === undefined ? text("pagesWrong", { most: number(MOST_PAGES_TO_COMPARE) }) : "";
        if (pagesToCompare !== undefined) change({ pagesToCompare });
    });
    const field = labelled(text("pagesToCompare"), control, text("pagesToCompareHint"));
    field.append(wrong);
    return field;
}

function equalityChoice(settings: Settings, change: Change): HTMLSelectElement {
    const choice = element("select", { id: "equality" });
    choice.append(
        ...EQUALITIES.map((name) => element("option", { value: name }, text(EQUALITY_WORDS[name]))),
    );
    choice.value = settings.equality;
    choice.disabled = settings.method !== "paper";
    choice.addEventListener("change", () => {
        const equality = EQUALITIES.find((name) => name === choice.value);
        if (equality) change({ equality });
    });
    return choice;
}
