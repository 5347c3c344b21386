// Runs beside the scripts of the page, in a world of its own: it sees the same document, and they cannot touch it.
// What it asks of a document it asks by the prototype: elements with a name hide the properties of that name.
Object.hasOwn(globalThis, "husk") || Object.defineProperty(globalThis, "husk", { value: (() => {
  const getter = name => {
    const { get } = Object.getOwnPropertyDescriptor(Document.prototype, name);
    return of => get.call(of);
  };
  const rootOf = getter("documentElement");
  const bodyOf = getter("body");
  const addressOf = getter("URL");
  const contentTypeOf = getter("contentType");
  const doctypeOf = getter("doctype");
  const implementationOf = getter("implementation");
  const setAttribute = Element.prototype.setAttribute;
  const hasAttribute = Element.prototype.hasAttribute;

  let changed = performance.now();
  // What animations do all the time changes nothing that is looked for.
  const counts = change => change.attributeName !== "style" && change.attributeName !== "class";
  const observer = new MutationObserver(changes => {
    if (changes.some(counts)) changed = performance.now();
  });
  observer.observe(document, { attributes: true, characterData: true, childList: true, subtree: true });

  const doctype = type => {
    if (!type) return "";
    const system = type.systemId ? ` "${type.systemId}"` : "";
    const identifier = type.publicId ? ` PUBLIC "${type.publicId}"${system}` : system && ` SYSTEM${system}`;
    return `<!DOCTYPE ${type.name}${identifier}>`;
  };

  // Relative addresses in a frame are not relative to the page.
  const resolve = (element, copy) => {
    for (const [attribute, names] of [["href", "a, area"], ["src", "img, script, iframe, frame"], ["action", "form"]]) {
      const found = [...element.querySelectorAll(names)];
      [...copy.querySelectorAll(names)].forEach((link, index) => {
        const address = found[index][attribute];
        if (hasAttribute.call(link, attribute) && typeof address === "string") setAttribute.call(link, attribute, address);
      });
    }
  };

  // A copy of an element in a document that loads and runs nothing, frames of the same origin unfolded in it.
  const unfolded = (element, inert) => {
    const copy = inert.importNode(element, true);
    if (element.ownerDocument !== document) resolve(element, copy);
    const frames = [...element.querySelectorAll("iframe, frame")];
    [...copy.querySelectorAll("iframe, frame")].forEach((place, index) => {
      // Null for a frame of another origin.
      const inside = frames[index].contentDocument;
      const body = inside && bodyOf(inside);
      if (!body) return;
      const division = inert.createElement("div");
      division.setAttribute("data-husk-frame", addressOf(inside));
      division.append(...unfolded(body, inert).childNodes);
      place.replaceWith(division);
    });
    return copy;
  };

  // The parser lets nothing into a frameset but frames.
  const asBody = (copy, inert) => {
    for (const frameset of copy.querySelectorAll("frameset")) {
      const body = inert.createElement(frameset.parentNode === copy ? "body" : "div");
      body.append(...frameset.childNodes);
      frameset.replaceWith(body);
    }
    return copy;
  };

  const html = unfoldsFrames => {
    const root = rootOf(document);
    if (!root || !unfoldsFrames) return root?.outerHTML ?? "";
    const inert = implementationOf(document).createHTMLDocument("");
    return asBody(unfolded(root, inert), inert).outerHTML;
  };

  return {
    quietFor: () => performance.now() - changed,
    kind: () => ({ contentType: contentTypeOf(document), doctype: doctype(doctypeOf(document)) }),
    // Nothing if it is longer than so many letters.
    html: (maxLength, unfoldsFrames) => {
      const found = html(unfoldsFrames);
      return found.length <= maxLength ? found : null;
    },
  };
})() });
