// Which sites Husk may load pages of, and as whom.

import { announce } from "../announce";
import { button, element } from "../element";
import { text } from "../i18n";
import type { Settings } from "../settings";
import { type Change, group, input, ticked } from "./field";

export function sites(settings: Settings, change: Change): HTMLElement {
    const cookies = input("sends-cookies", "checkbox");
    cookies.checked = settings.sendsCookies;
    cookies.addEventListener("change", () => change({ sendsCookies: cookies.checked }));
    return group(
        text("optionsLoading"),
        ticked(text("cookies"), cookies, text("cookiesHint")),
        allowedSites(),
    );
}

/** The list keeps up with what is allowed and taken back elsewhere. */
function allowedSites(): HTMLElement {
    const heading = element("h2", { id: "allowed", tabindex: "-1" }, text("allowedSites"));
    const place = element("div", { class: "field" });
    const show = async () => {
        const { origins = [] } = await chrome.permissions.getAll();
        place.replaceChildren(list(origins));
    };
    chrome.permissions.onAdded.addListener(() => void show());
    chrome.permissions.onRemoved.addListener(() => void show());
    void show();
    return element("div", { class: "field" }, heading, place);
}

function list(origins: string[]): HTMLElement {
    if (origins.length === 0) return element("p", { class: "quiet" }, text("noAllowedSites"));
    return element("ul", { class: "sites", "aria-labelledby": "allowed" }, ...origins.toSorted().map(entry));
}

function entry(origin: string): HTMLElement {
    const site = siteOf(origin);
    const remove = async () => {
        await chrome.permissions.remove({ origins: [origin] });
        announce(text("siteRemoved", { site }));
        // The button that had the focus is gone.
        document.getElementById("allowed")?.focus();
    };
    const label = text("removeSite", { site });
    return element(
        "li",
        {},
        element("span", {}, site),
        button(text("remove"), () => void remove(), { "aria-label": label }),
    );
}

/** A pattern of addresses as people say it. */
export function siteOf(origin: string): string {
    return origin.replace(/^https:\/\//, "").replace(/\/\*$/, "");
}
