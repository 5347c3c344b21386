// Creates elements; strings become text, never HTML.

export type Child = Node | string;

/** Attributes; `true` means no value, `false` means absent. */
export type Attributes = Record<string, string | boolean>;

export function element<Name extends keyof HTMLElementTagNameMap>(
    name: Name,
    attributes: Attributes = {},
    ...children: Child[]
): HTMLElementTagNameMap[Name] {
    const made = document.createElement(name);
    for (const [attribute, value] of Object.entries(attributes)) {
        if (value === true) made.setAttribute(attribute, "");
        else if (value !== false) made.setAttribute(attribute, value);
    }
    made.append(...children);
    return made;
}

export function button(label: string, act: () => void, attributes: Attributes = {}): HTMLButtonElement {
    const made = element("button", { type: "button", ...attributes }, label);
    made.addEventListener("click", act);
    return made;
}

/** A link to an http(s) URL that opens in a new tab. */
export function link(label: string, url: string, attributes: Attributes = {}): HTMLElement {
    if (!isOfWeb(url)) return element("span", attributes, label);
    return element("a", { href: url, target: "_blank", rel: "noreferrer", ...attributes }, label);
}

function isOfWeb(url: string): boolean {
    return URL.canParse(url) && ["http:", "https:"].includes(new URL(url).protocol);
}
