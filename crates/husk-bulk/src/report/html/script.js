"use strict";
// Sorts and filters the list of sites. Without it, the largest site comes first.
(() => {
  const byId = (id) => document.getElementById(id);
  const [list, search, shown, find, columns] = ["sites", "search", "shown", "find", "columns"].map(byId);
  const names = new Intl.Collator("en", { numeric: true });
  const rows = [...list.children].map((element, place) => ({
    element,
    place,
    name: element.dataset.site.toLowerCase(),
    value: (key) => (key in element.dataset ? Number(element.dataset[key]) : undefined),
  }));
  const buttons = [...columns.children];
  let sorted = { key: "pages", isDown: true };

  /** Rows without a value come last in both directions; equal rows keep their order. */
  const compare = (one, other) => {
    const { key, isDown } = sorted;
    const sign = isDown ? -1 : 1;
    if (key === "site") return sign * names.compare(one.name, other.name) || one.place - other.place;
    const [a, b] = [one.value(key), other.value(key)];
    if (a === undefined || b === undefined) return (a === undefined) - (b === undefined) || one.place - other.place;
    return sign * (a - b) || one.place - other.place;
  };

  const mark = () => {
    for (const button of buttons) {
      const isKey = button.dataset.key === sorted.key;
      button.setAttribute("aria-pressed", isKey);
      button.dataset.order = isKey ? (sorted.isDown ? "down" : "up") : "";
      button.title = isKey ? (sorted.isDown ? "Sorted, highest first" : "Sorted, lowest first") : "Sort by this column";
    }
  };

  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const { element, name } of rows) {
      const isFound = words.every((word) => name.includes(word));
      element.hidden = !isFound;
      count += isFound;
    }
    shown.textContent = words.length ? (count ? count + " of " + rows.length : "No matching site.") : "";
  };

  for (const button of buttons) {
    button.disabled = false;
    button.addEventListener("click", () => {
      const key = button.dataset.key;
      sorted = { key, isDown: key === sorted.key ? !sorted.isDown : key !== "site" };
      list.append(...rows.toSorted(compare).map((row) => row.element));
      mark();
    });
  }
  search.addEventListener("input", filter);
  find.hidden = rows.length === 0;
  mark();
  // Browsers restore the field when going back.
  filter();
})();
