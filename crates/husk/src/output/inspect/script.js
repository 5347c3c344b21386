"use strict";
// Tints the page in its frame from outside, and tells what the pointer is on.
//
// The frame's document belongs to somebody else, who may have named a form or picture "body" or "getAttribute" and so hide
// what scripts expect there. Everything is therefore called by the report's own prototypes.
(() => {
  const getter = (kind, name) => Function.prototype.call.bind(Object.getOwnPropertyDescriptor(kind.prototype, name).get);
  const method = (kind, name) => Function.prototype.call.bind(kind.prototype[name]);
  const rootOf = getter(Document, "documentElement");
  const findAll = method(Document, "querySelectorAll");
  const fromPoint = method(Document, "elementFromPoint");
  const attribute = method(Element, "getAttribute");
  const closest = method(Element, "closest");
  const rectsOf = method(Element, "getClientRects");
  const childrenOf = getter(Element, "children");
  const parentOf = getter(Node, "parentElement");
  const previousOf = getter(Element, "previousElementSibling");
  const nameOf = getter(Element, "localName");
  const scrollHeight = getter(Element, "scrollHeight");
  const scrollWidth = getter(Element, "scrollWidth");

  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("data").textContent);
  const [stage, board, frame, tints, pane, what] = ["stage", "board", "page", "tints", "pane", "what"].map(byId);
  const MARK = "data-husk";
  const TALLEST = 100000;
  const MOST_BOXES = 6000;
  const OURS = "husk-text";
  const CLASSES = { t: "template", m: "menu", c: "content", o: "of this page, but not content", x: "several of these" };

  /** What is known of an element of the frame: class, support, pagelet. */
  const markOf = (element) => {
    const text = element && attribute(element, MARK);
    const entry = text && data.marks[text.slice(1)];
    return entry && { class: text[0], structural: entry[0], verbatim: entry[1], pagelet: entry[2] };
  };
  const marked = (element) => element && closest(element, "[" + MARK + "]");
  const around = (element) => marked(parentOf(element));

  let budget = 0;
  /** Draws a box over an element; over what is in it, if it has no room of its own. Tells whether there was something. */
  const draw = (element, className, label, pagelet) => {
    let drawn = false;
    for (const rect of rectsOf(element)) {
      const isOutside = rect.right <= 0 || rect.bottom <= 0;
      if (isOutside || rect.width < 2 || rect.height < 2 || budget <= 0) continue;
      budget -= 1;
      const box = document.createElement("i");
      box.className = className;
      box.style.cssText = `left:${rect.left}px;top:${rect.top}px;width:${rect.width}px;height:${rect.height}px`;
      if (pagelet >= 0) box.dataset.pagelet = pagelet;
      if (rect.top < 18) box.classList.add("top");
      if (label && !drawn) box.append(Object.assign(document.createElement("b"), { textContent: label }));
      tints.append(box);
      drawn = true;
    }
    if (!drawn && budget > 0) {
      for (const child of childrenOf(element)) {
        budget -= 0.1;
        drawn = draw(child, className, drawn ? "" : label, pagelet) || drawn;
      }
    }
    return drawn;
  };

  const paint = () => {
    const page = frame.contentDocument;
    const root = page && rootOf(page);
    if (!root) return;
    frame.style.height = "";
    const width = board.clientWidth;
    board.style.setProperty("--width", width + "px");
    frame.style.height = Math.min(TALLEST, Math.max(scrollHeight(root), 200)) + "px";
    tints.replaceChildren();
    budget = MOST_BOXES;
    const named = new Set();
    const pagelets = [];
    for (const element of findAll(page, "[" + MARK + "]")) {
      const mark = markOf(element);
      if (!mark) continue;
      const above = markOf(around(element));
      const isRegion = mark.class !== "x" && mark.class !== "o" && (!above || above.class !== mark.class);
      // A menu is template, too: where it does not stand in a tinted part of that, it has a tint of both.
      if (isRegion && mark.class === "m" && (!above || above.class !== "t")) draw(element, "tint t", "", -1);
      if (isRegion) draw(element, "tint " + mark.class, "", -1);
      if (mark.pagelet >= 0 && (!above || above.pagelet !== mark.pagelet)) pagelets.push([element, mark.pagelet]);
    }
    budget = MOST_BOXES;
    for (const [element, pagelet] of pagelets) {
      const name = data.pagelets[pagelet][0];
      const label = named.has(pagelet) ? "" : name.replace("-", " ");
      if (draw(element, "box f-" + name, label, pagelet)) named.add(pagelet);
    }
  };

  /** The way to an element by names and places; what we put around texts does not count. */
  const xpathOf = (element) => {
    const steps = [];
    for (let node = element; node; node = parentOf(node)) {
      const name = nameOf(node);
      if (name === OURS) continue;
      let place = 1;
      for (let other = previousOf(node); other; other = previousOf(other)) if (nameOf(other) === name) place += 1;
      steps.unshift(`/${name}[${place}]`);
    }
    return steps.join("");
  };

  const light = (pagelet) => {
    for (const box of tints.querySelectorAll(".lit")) box.classList.remove("lit");
    if (pagelet < 0) return null;
    const boxes = tints.querySelectorAll(`.box[data-pagelet="${pagelet}"]`);
    for (const box of boxes) box.classList.add("lit");
    return boxes[0] || null;
  };

  const describe = (element) => {
    const mark = markOf(marked(element));
    const lines = [];
    light(mark ? mark.pagelet : -1);
    if (mark) {
      const names = [];
      for (let number = mark.pagelet; number >= 0; number = data.pagelets[number][1]) names.unshift(data.pagelets[number][0].replace("-", " "));
      lines.push([names.join(" › ") || "no pagelet", "strong"]);
      lines.push([CLASSES[mark.class], "span"]);
      if (data.compared) lines.push([`support ${mark.structural} of ${data.compared} pages, ${mark.verbatim} verbatim`, "span"]);
    }
    lines.push([xpathOf(element), "code"]);
    what.replaceChildren(...lines.map(([text, kind]) => Object.assign(document.createElement(kind), { textContent: text })));
  };

  let last = null;
  const point = (event) => {
    const page = frame.contentDocument;
    if (!page) return;
    const place = frame.getBoundingClientRect();
    const element = fromPoint(page, event.clientX - place.left, event.clientY - place.top);
    if (element && element !== last) describe((last = element));
  };
  pane.addEventListener("pointermove", point);
  pane.addEventListener("pointerdown", point);
  pane.addEventListener("pointerleave", () => light(-1));

  for (const button of document.querySelectorAll("button.find")) {
    button.addEventListener("click", () => {
      const box = light(Number(button.dataset.pagelet));
      if (!box) return;
      stage.scrollTo({ top: Math.max(0, box.offsetTop - 60) });
      stage.scrollIntoView({ block: "center" });
    });
  }

  let waiting = 0;
  const later = () => {
    clearTimeout(waiting);
    waiting = setTimeout(paint, 120);
  };
  frame.addEventListener("load", later);
  let width = 0;
  new ResizeObserver(() => {
    if (stage.clientWidth !== width) {
      width = stage.clientWidth;
      later();
    }
  }).observe(stage);
  paint();
  // Pictures and fonts that come late move things about.
  for (const delay of [600, 2500]) setTimeout(paint, delay);
})();
