// Creates SVG elements.

export type SvgAttributes = Record<string, string | number>;

export function svg<Name extends keyof SVGElementTagNameMap>(
    name: Name,
    attributes: SvgAttributes = {},
    ...children: (Node | string)[]
): SVGElementTagNameMap[Name] {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, String(value));
    made.append(...children);
    return made;
}
