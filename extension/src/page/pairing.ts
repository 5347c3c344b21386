// Which child of a live node is which child of the same node as parsed from the page's HTML.
//
// A live tree may hold what HTML cannot say: texts in pieces, a paragraph in a paragraph, a row right in its
// table. Such children are left without a partner rather than given a wrong one.

import { attributesOf, firstChildOf, nameOf, nextSiblingOf, typeOf } from "./nodes";

/** An element or a text of the live page, be it in pieces. */
export type Live = Element | Text | Text[];

/** A child, with what is asked about it again and again: asking a page's node takes long in some browsers. */
export type Child =
    | { is: "element"; live: Element; name: string }
    /** Adjacent texts are one, as they will be when they are parsed. */
    | { is: "text"; live: Text | Text[]; length: number }
    /** A comment, or what is parsed as one. */
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

/** For each parsed child its live partner, or nothing. */
export function partners(parsed: Child[], live: Child[]): (Child | undefined)[] {
    const isSame = parsed.length === live.length && parsed.every((child, at) => isAlike(child, live[at]));
    return isSame ? live : partnersAtEnds(parsed, live);
}

/** Partners as far as the children agree from the first on, and from the last back. */
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

/** Whether two children may be the same, where those around them are. */
function isAlike(parsed: Child | undefined, live: Child | undefined): boolean {
    if (parsed?.is === "element") return live?.is === "element" && parsed.name === live.name;
    if (parsed?.is !== "text") return parsed?.is === live?.is;
    return live?.is === "text" && (parsed.length === live.length || saysTheSame(parsed.live, live.live));
}

/** Whether two children are most likely the same, although others around them are not. */
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

/** What parsers make of line ends and of the characters that they leave out; `<pre>` loses its first line end. */
function asParsed(words: string): string {
    return words.replaceAll("\0", "").replace(/\r\n?/g, "\n").replace(/^\n/, "");
}
