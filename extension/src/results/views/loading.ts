// While pages are loaded: which, why, and what came of each.

import { element } from "../../element";
import { counted, text } from "../../i18n";
import { explain } from "../cause";
import type { Loading, LoadingItem } from "../model";
import { cancelButton, card, headingOf, onEscape, paragraph, type View, type Views } from "../view";
import { reason } from "../why";
import { pathOf } from "./address";

export const loading: Views["loading"] = (state, flow) => {
    const bar = element("progress", { max: "1", "aria-label": text("progress") });
    const count = paragraph("", { class: "quiet", "aria-live": "polite" });
    const list = element("ol", { class: "pages", "aria-label": text("pagesAsked") });

    const host = new URL(state.page.url).hostname;
    const heading = headingOf(host ? text("loadingHeading", { host }) : text("reading"));
    const told = paragraph(text("loadingInTabs"), { class: "quiet" });
    const view = card(heading, [told, bar, count, list], [cancelButton(flow)]);
    const show = ({ way, items, done }: Loading) => {
        told.hidden = way !== "tabs";
        bar.value = done;
        const taken = items.filter((item) => item.state === "taken" && item.why !== undefined).length;
        count.textContent = counted("pagesLoaded", taken);
        // All but the last two are as they were.
        const kept = Math.max(0, Math.min(list.children.length - 2, items.length));
        while (list.children.length > kept) list.lastElementChild?.remove();
        list.append(...items.slice(kept).map(entry));
        list.lastElementChild?.scrollIntoView?.({ block: "nearest" });
    };
    show(state);
    return {
        ...view,
        update: (next) => next.name === "loading" && show(next),
        leave: onEscape(() => flow.cancel()),
    } satisfies View;
};

function entry(item: LoadingItem): HTMLElement {
    return element(
        "li",
        { class: `page ${item.state}` },
        element("span", { class: "address", title: item.url }, pathOf(item.url)),
        element("span", { class: "reason" }, reason(item.why)),
        element("span", { class: "outcome" }, outcome(item)),
    );
}

function outcome(item: LoadingItem): string {
    if (item.state === "loading") return text("itemLoading");
    return item.cause === undefined ? text("itemTaken") : explain(item.cause).text;
}
