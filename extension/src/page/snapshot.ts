// Maps XPaths of the captured tree to live nodes.
//
// The engine identifies nodes by XPath in its parsed tree. A snapshot is that tree in compact form, with the
// live node of each.

import { attributesOf, firstChildOf, isEqual, isInPage, nameOf } from "./nodes";
import { type Child, childrenOf, type Live, nodesOf, partners, wordsOf } from "./pairing";

export interface Place {
    /** Index of its path. */
    path: number;
    live: Live;
    /** The innermost marked ancestor. */
    above: Place | undefined;
    /** Length of its text outside nested marked nodes. */
    letters: number;
}

/** Elements whose text is not visible. */
const NEVER_SHOWN = new Set(["script", "style", "noscript", "template", "head"]);

const TEXT = "text()";

export class Snapshot {
    /** Element names; `text()` for texts. */
    readonly #names: string[] = [];
    /** End of each node's subtree. */
    readonly #ends: number[] = [];
    readonly #live: (Live | undefined)[] = [];

    add(name: string, live: Live | undefined): number {
        this.#ends.push(this.#names.length + 1);
        this.#live.push(live);
        return this.#names.push(name) - 1;
    }

    /** Closes a node's subtree. */
    end(node: number): void {
        this.#ends[node] = this.#names.length;
    }

    /** Nodes at these paths that still exist, in document order. */
    find(paths: readonly string[]): Place[] {
        const looked = this.#look(stepsOf(paths));
        const places: Place[] = [];
        const open: { place: Place; end: number }[] = [];
        for (let node = 0; node < this.#names.length; node += 1) {
            const end = this.#end(node);
            if (NEVER_SHOWN.has(this.#names[node] ?? "")) {
                node = end - 1;
                continue;
            }
            while ((open.at(-1)?.end ?? Number.POSITIVE_INFINITY) <= node) open.pop();
            const [path, live] = [looked[node], this.#live[node]];
            if (path !== undefined && live && nodesOf(live).some(isInPage)) {
                const place = { path, live, above: open.at(-1)?.place, letters: 0 };
                places.push(place);
                open.push({ place, end });
            }
            const innermost = open.at(-1)?.place;
            if (innermost && live && this.#names[node] === TEXT) innermost.letters += lettersOf(live);
        }
        return places;
    }

    /** Index of the path of each node, if any. */
    #look(first: Step): (number | undefined)[] {
        const steps = new Array<Step | undefined>(this.#names.length);
        steps[0] = first.below?.get(`${this.#names[0]}[1]`);
        for (let node = 0; node < steps.length; node += 1) {
            const below = steps[node]?.below;
            if (!below) continue;
            const counts = new Map<string, number>();
            for (let child = node + 1; child < this.#end(node); child = this.#end(child)) {
                const name = this.#names[child] ?? "";
                const count = (counts.get(name) ?? 0) + 1;
                counts.set(name, count);
                steps[child] = below.get(`${name}[${count}]`);
            }
        }
        return steps.map((step) => step?.path);
    }

    #end(node: number): number {
        return this.#ends[node] ?? node + 1;
    }
}

/** A prefix tree of the paths. */
interface Step {
    path: number | undefined;
    below: Map<string, Step> | undefined;
}

function stepsOf(paths: readonly string[]): Step {
    const root: Step = { path: undefined, below: undefined };
    paths.forEach((path, number) => {
        let step = root;
        for (const name of path.split("/").slice(1)) {
            step.below ??= new Map();
            const next = step.below.get(name) ?? { path: undefined, below: undefined };
            step.below.set(name, next);
            step = next;
        }
        step.path = number;
    });
    return root;
}

function lettersOf(live: Live): number {
    return wordsOf(live as Text | Text[]).replace(/\s+/g, "").length;
}

/** An element being traversed. */
interface Opened {
    node: number;
    live: Element;
    children: Child[];
    partners: (Child | undefined)[];
    /** Whether both subtrees are equal, so that only the live one is read. */
    isSame: boolean;
    next: number;
}

/** Depth limit for comparing whole subtrees, to avoid quadratic time. */
const MOST_COMPARED_DEPTH = 64;

/** Traverses the parsed tree alongside the live tree. */
export function snapshotOf(parsed: Element, live: Element): Snapshot {
    const snapshot = new Snapshot();
    const open = [opened(snapshot.add(nameOf(parsed), live), parsed, live, isEqual(parsed, live))];
    // No recursion: it could overflow the stack.
    for (let last = open.at(-1); last; last = open.at(-1)) {
        const child = last.children[last.next];
        const partner = last.partners[last.next];
        last.next += 1;
        if (!child) {
            snapshot.end(last.node);
            open.pop();
        } else if (child.is === "text") {
            snapshot.add(TEXT, partner?.is === "text" ? partner.live : undefined);
        } else if (child.is === "element") {
            const same = partner?.is === "element" ? partner.live : undefined;
            const node = snapshot.add(child.name, same);
            const below = same ?? implied(child.live, last.live);
            if (below && firstChildOf(child.live)) {
                const isCompared = same && !last.isSame && open.length < MOST_COMPARED_DEPTH;
                const isSame = last.isSame || (isCompared && isEqual(child.live, below)) || false;
                open.push(opened(node, child.live, below, isSame));
            }
        }
    }
    return snapshot;
}

function opened(node: number, parsed: Element, live: Element, isSame: boolean): Opened {
    const others = childrenOf(live);
    if (isSame) return { node, live, children: others, partners: others, isSame, next: 0 };
    const children = childrenOf(parsed);
    const isRoot = live === live.ownerDocument.documentElement;
    return { node, live, children, partners: (isRoot ? parts : partners)(children, others), isSame, next: 0 };
}

/** Head and body are paired by name. */
function parts(parsed: Child[], live: Child[]): (Child | undefined)[] {
    const name = (child: Child) => (child.is === "element" ? child.name : undefined);
    return parsed.map((part) => live.find((other) => name(other) && name(other) === name(part)));
}

/** Children of an implied `<tbody>` are in the live table itself. */
function implied(parsed: Element, table: Element): Element | undefined {
    const isOne = nameOf(parsed) === "tbody" && attributesOf(parsed).length === 0;
    if (!isOne || nameOf(table) !== "table") return undefined;
    const hasBody = childrenOf(table).some((child) => child.is === "element" && child.name === "tbody");
    return hasBody ? undefined : table;
}
