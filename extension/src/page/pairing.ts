// Pairs live child nodes with parsed ones.
//
// A live tree may have what HTML cannot express: split texts, nested paragraphs, rows without tbody. Such nodes
// are left unpaired rather than paired wrongly.

import { attributesOf, firstChildOf, nameOf, nextSiblingOf, typeOf } from "./nodes";

/** A live element, or adjacent text nodes. */
export type Live = Element | Text | Text[];

/** A child with cached properties: DOM access is slow in some browsers. */
export type Child =
    | { is: "element"; live: Element; name: string }
    /** Merges adjacent texts, as parsing does. */
    | { is: "text"; live: Text | Text[]; length: number }
    | { is: "other" };

export function childrenOf(parent: Node): Child[] {
    const children: Child[] = [];
    for (let node = firstChildOf(parent); node; node = nextSiblingOf(node)) {
        switch (typeOf(node)) {
            case Node.ELEMENT_NODE:
                children.push({ is: "element", live: node as Element, name: nameOf(node as Element) });
                break;
            case Node.TEXT_NODE:
            case Node.CDATA_SECTION_NODE:
                addText(children, node as Text);
                break;
            default:
                children.push({ is: "other" });
        }
    }
    return children;
}

function addText(children: Child[], text: Text): void {
    const { length } = text;
    if (length === 0) return;
    const last = children.at(-1);
    if (last?.is === "text") {
        last.live = [...nodesOf(last.live), text] as Text[];
        last.length += length;
    } else {
        children.push({ is: "text", live: text, length });
    }
}

export function nodesOf(live: Live): (Element | Text)[] {
    return Array.isArray(live) ? live : [live];
}

/** The live partner of each parsed child, if any. */
export function partners(parsed: Child[], live: Child[]): (Child | undefined)[] {
    const isSame = parsed.length === live.length && parsed.every((child, at) => isAlike(child, live[at]));
    return isSame ? live : partnersAtEnds(parsed, live);
}

/** Pairs from the start and from the end. */
function partnersAtEnds(parsed: Child[], live: Child[]): (Child | undefined)[] {
    const found = new Array<Child | undefined>(parsed.length);
    const most = Math.min(parsed.length, live.length);
    let first = 0;
    while (first < most && resembles(parsed[first], live[first])) {
        found[first] = live[first];
        first += 1;
    }
    for (let back = 1; back <= most - first; back += 1) {
        const [child, other] = [parsed.at(-back), live.at(-back)];
        if (!resembles(child, other)) break;
        found[parsed.length - back] = other;
    }
    return found;
}

/** Whether two children match, given that their neighbours do. */
function isAlike(parsed: Child | undefined, live: Child | undefined): boolean {
    if (parsed?.is === "element") return live?.is === "element" && parsed.name === live.name;
    if (parsed?.is !== "text") return parsed?.is === live?.is;
    return live?.is === "text" && (parsed.length === live.length || saysTheSame(parsed.live, live.live));
}

/** Whether two children match although their neighbours do not. */
function resembles(parsed: Child | undefined, live: Child | undefined): boolean {
    if (!isAlike(parsed, live)) return false;
    if (parsed?.is === "text") return live?.is === "text" && saysTheSame(parsed.live, live.live);
    if (parsed?.is !== "element" || live?.is !== "element") return true;
    return hasSameAttributes(parsed.live, live.live) && beginsTheSame(parsed.live, live.live);
}

function hasSameAttributes(parsed: Element, live: Element): boolean {
    const [attributes, others] = [[...attributesOf(parsed)], attributesOf(live)];
    const isSame = attributes.every(({ name, value }) => others.getNamedItem(name)?.value === value);
    return isSame && attributes.length === others.length;
}

function beginsTheSame(parsed: Element, live: Element): boolean {
    const [children, others] = [childrenOf(parsed), childrenOf(live)];
    const [first, other] = [children[0], others[0]];
    if (children.length !== others.length || !isAlike(first, other)) return false;
    return first?.is !== "text" || other?.is !== "text" || saysTheSame(first.live, other.live);
}

function saysTheSame(parsed: Text | Text[], live: Text | Text[]): boolean {
    const [one, other] = [wordsOf(parsed), wordsOf(live)];
    return one === other || asParsed(one) === asParsed(other);
}

export function wordsOf(text: Text | Text[]): string {
    return Array.isArray(text) ? text.map(({ data }) => data).join("") : text.data;
}

/** Normalises text as parsers do; `<pre>` loses its first line break. */
function asParsed(words: string): string {
    return words.replaceAll("\0", "").replace(/\r\n?/g, "\n").replace(/^\n/, "");
}
