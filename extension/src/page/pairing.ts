// Which child of a live node is which child of the same node as parsed from the page's HTML.
//
// A live tree may hold what HTML cannot say: texts in pieces, a paragraph in a paragraph, a row right in its
// table. Such children are left without a partner rather than given a wrong one.

/** A child: adjacent texts are one, as they will be when they are parsed. */
export type Item = Node | readonly Text[];

/** An element or a text of the live page. */
export type Live = Element | Text | readonly Text[];

export function isElement(item: Item): item is Element {
    return "nodeType" in item && item.nodeType === Node.ELEMENT_NODE;
}

export function isText(item: Item): item is Text | readonly Text[] {
    return !("nodeType" in item) || isTextNode(item);
}

function isTextNode(node: Node): node is Text {
    return node.nodeType === Node.TEXT_NODE || node.nodeType === Node.CDATA_SECTION_NODE;
}

export function itemsOf(parent: Node): Item[] {
    const items: Item[] = [];
    for (let node = parent.firstChild; node; node = node.nextSibling) {
        if (!isTextNode(node)) {
            items.push(node);
        } else if (node.length > 0) {
            const last = items.at(-1);
            if (last && isText(last)) items[items.length - 1] = [...textsOf(last), node];
            else items.push(node);
        }
    }
    return items;
}

export function textsOf(text: Text | readonly Text[]): readonly Text[] {
    return "nodeType" in text ? [text] : text;
}

/** For each parsed child its live partner, or nothing. */
export function partners(parsed: readonly Item[], live: readonly Item[]): readonly (Item | undefined)[] {
    const isSame = parsed.length === live.length && parsed.every((item, at) => isAlike(item, live[at]));
    return isSame ? live : partnersAtEnds(parsed, live);
}

/** Partners as far as the children agree from the first on, and from the last back. */
function partnersAtEnds(parsed: readonly Item[], live: readonly Item[]): (Item | undefined)[] {
    const found = new Array<Item | undefined>(parsed.length);
    const most = Math.min(parsed.length, live.length);
    let first = 0;
    while (first < most && resembles(parsed[first], live[first])) {
        found[first] = live[first];
        first += 1;
    }
    for (let back = 1; back <= most - first; back += 1) {
        const [item, other] = [parsed.at(-back), live.at(-back)];
        if (!resembles(item, other)) break;
        found[parsed.length - back] = other;
    }
    return found;
}

/** Whether two children may be the same, where those around them are. */
function isAlike(parsed: Item | undefined, live: Item | undefined): boolean {
    if (!parsed || !live) return false;
    if (isElement(parsed)) {
        return (
            isElement(live) &&
            parsed.localName === live.localName &&
            parsed.attributes.length === live.attributes.length
        );
    }
    if (isText(parsed)) return isText(live) && saysTheSame(parsed, live);
    return !isElement(live) && !isText(live);
}

/** Whether two children are most likely the same, although others around them are not. */
function resembles(parsed: Item | undefined, live: Item | undefined): boolean {
    if (!parsed || !live || !isAlike(parsed, live)) return false;
    if (!isElement(parsed) || !isElement(live)) return true;
    for (const { name, value } of parsed.attributes) {
        if (live.getAttribute(name) !== value) return false;
    }
    const [below, others] = [itemsOf(parsed), itemsOf(live)];
    const [first, other] = [below[0], others[0]];
    if (below.length !== others.length || !first) return below.length === others.length;
    return isAlike(first, other);
}

function saysTheSame(parsed: Text | readonly Text[], live: Text | readonly Text[]): boolean {
    const [one, other] = [wordsOf(parsed), wordsOf(live)];
    return one === other || asParsed(one) === asParsed(other);
}

function wordsOf(text: Text | readonly Text[]): string {
    return "nodeType" in text ? text.data : text.map(({ data }) => data).join("");
}

/** What parsers make of line ends and of the characters that they leave out; `<pre>` loses its first line end. */
function asParsed(words: string): string {
    return words.replaceAll("\0", "").replace(/\r\n?/g, "\n").replace(/^\n/, "");
}
