// Safe access to the page's nodes.
//
// Form fields shadow properties of the form: with a field named `parentNode`, walking the tree would loop.
// Getters of the prototypes cannot be shadowed.

export function typeOf(node: Node): number {
    return Reflect.get(Node.prototype, "nodeType", node);
}

export function nameOf(element: Element): string {
    return Reflect.get(Element.prototype, "localName", element);
}

export function parentOf(node: Node): Node | null {
    return Reflect.get(Node.prototype, "parentNode", node);
}

export function firstChildOf(node: Node): ChildNode | null {
    return Reflect.get(Node.prototype, "firstChild", node);
}

export function nextSiblingOf(node: Node): ChildNode | null {
    return Reflect.get(Node.prototype, "nextSibling", node);
}

export function childNodesOf(node: Node): NodeListOf<ChildNode> {
    return Reflect.get(Node.prototype, "childNodes", node);
}

export function isInPage(node: Node): boolean {
    return Reflect.get(Node.prototype, "isConnected", node);
}

export function isEqual(one: Node, other: Node): boolean {
    return Node.prototype.isEqualNode.call(one, other);
}

export function attributesOf(element: Element): NamedNodeMap {
    return Reflect.get(Element.prototype, "attributes", element);
}

export function slotOf(node: Element | Text): HTMLSlotElement | null {
    return isElement(node) ? Reflect.get(Element.prototype, "assignedSlot", node) : node.assignedSlot;
}

export function offsetParentOf(element: HTMLElement): Element | null {
    return Reflect.get(HTMLElement.prototype, "offsetParent", element);
}

export function rectsOf(element: Element): DOMRectList {
    return Element.prototype.getClientRects.call(element);
}

export function boxOf(element: Element): DOMRect {
    return Element.prototype.getBoundingClientRect.call(element);
}

export function isElement(node: Node): node is Element {
    return typeOf(node) === Node.ELEMENT_NODE;
}

export function isText(node: Node): node is Text {
    return typeOf(node) === Node.TEXT_NODE;
}
