// Safe access to an untrusted document.
//
// Elements named "body" or "querySelectorAll" can shadow DOM properties (DOM clobbering). All access goes
// through our own prototypes, which work for nodes of other windows too.

/** A DOM class; looked up lazily, since workers have no DOM. */
type Kind<Of> = () => { prototype: Of };

function getter<Of extends object, Name extends keyof Of & string>(
    kind: Kind<Of>,
    name: Name,
): (of: Of) => Of[Name] {
    let get: (() => unknown) | undefined;
    return (of) => {
        get ??= Object.getOwnPropertyDescriptor(kind().prototype, name)?.get;
        if (!get) throw new Error(`there is no ${name}`);
        return Reflect.apply(get, of, []) as Of[Name];
    };
}

const ofElement = () => Element;

const ofDocument = () => Document;

export const rootOf = getter(ofDocument, "documentElement");
export const headOf = getter(ofDocument, "head");
export const bodyOf = getter(ofDocument, "body");
export const modeOf = getter(ofDocument, "compatMode");
export const parentOf = getter(() => Node, "parentElement");
export const firstOf = getter(ofElement, "firstElementChild");
export const nextOf = getter(ofElement, "nextElementSibling");
export const previousOf = getter(ofElement, "previousElementSibling");
export const nameOf = getter(ofElement, "localName");
export const htmlOf = getter(ofElement, "outerHTML");
export const heightOf = getter(ofElement, "scrollHeight");
export const widthOf = getter(ofElement, "scrollWidth");

export function findAll(page: Document, selector: string): NodeListOf<Element> {
    return Document.prototype.querySelectorAll.call(page, selector);
}

export function elementAt(page: Document, x: number, y: number): Element | null {
    return Document.prototype.elementFromPoint.call(page, x, y);
}

export function attributeOf(of: Element, name: string): string | null {
    return Element.prototype.getAttribute.call(of, name);
}

export function setAttribute(of: Element, name: string, value: string): void {
    Element.prototype.setAttribute.call(of, name, value);
}

export function removeAttribute(of: Element, name: string): void {
    Element.prototype.removeAttribute.call(of, name);
}

export function append(to: Element, child: Node): void {
    Element.prototype.append.call(to, child);
}

export function prepend(to: Element, child: Node): void {
    Element.prototype.prepend.call(to, child);
}

export function closest(of: Element, selector: string): Element | null {
    return Element.prototype.closest.call(of, selector);
}

export function rectsOf(of: Element): Iterable<DOMRect> {
    return Element.prototype.getClientRects.call(of);
}
