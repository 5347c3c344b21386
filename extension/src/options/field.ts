// Form controls with labels and hints.

import { type Attributes, type Child, element } from "@husk/views";
import type { Settings } from "../settings";

/** Saves a setting. */
export type Change = (changed: Partial<Settings>) => void;

export function group(legend: string, ...children: Child[]): HTMLElement {
    return element("fieldset", { class: "card" }, element("legend", {}, legend), ...children);
}

export function labelled(label: string, control: HTMLElement, hint: string): HTMLElement {
    const hintText = hintFor(control, hint);
    return element(
        "div",
        { class: "field" },
        element("label", { for: control.id }, label),
        control,
        hintText,
    );
}

/** A checkbox or radio button with its label. */
export function ticked(label: string, control: HTMLInputElement, hint: string): HTMLElement {
    const hintText = hintFor(control, hint);
    const row = element("div", { class: "tick" }, control, element("label", { for: control.id }, label));
    return element("div", { class: "field" }, row, hintText);
}

/** A group of radio buttons. */
export function oneOf<Value extends string>(
    id: string,
    label: string,
    choices: { value: Value; label: string; hint: string }[],
    chosen: Value,
    choose: (value: Value) => void,
): HTMLElement {
    const rows = choices.map(({ value, label, hint }) => {
        const control = input(`${id}-${value}`, "radio", { name: id, value });
        control.checked = value === chosen;
        control.addEventListener("change", () => choose(value));
        return ticked(label, control, hint);
    });
    return element(
        "div",
        { class: "field", role: "radiogroup", "aria-labelledby": id },
        element("span", { id }, label),
        ...rows,
    );
}

export function input(id: string, type: string, attributes: Attributes = {}): HTMLInputElement {
    return element("input", { id, type, ...attributes });
}

function hintFor(control: HTMLElement, hint: string): HTMLElement {
    const id = `${control.id}-hint`;
    control.setAttribute("aria-describedby", id);
    return element("p", { class: "quiet", id }, hint);
}
