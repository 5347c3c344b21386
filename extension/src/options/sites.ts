// Loading options and allowed sites.

import { announce, button, element } from "@husk/views";
import { type PlainKey, text } from "../i18n";
import { LOADING_WAYS, type LoadingWay, type Settings } from "../settings";
import { type Change, group, input, oneOf, ticked } from "./field";

const WAY_WORDS: Record<LoadingWay, { label: PlainKey; hint: PlainKey }> = {
    fetch: { label: "wayFetch", hint: "wayFetchHint" },
    tabs: { label: "wayTabs", hint: "wayTabsHint" },
};

export function sites(settings: Settings, change: Change): HTMLElement {
    const cookies = input("sends-cookies", "checkbox");
    cookies.checked = settings.sendsCookies;
    cookies.disabled = settings.loading === "tabs";
    cookies.addEventListener("change", () => change({ sendsCookies: cookies.checked }));
    const ways = LOADING_WAYS.map((way) => ({
        value: way,
        label: text(WAY_WORDS[way].label),
        hint: text(WAY_WORDS[way].hint),
    }));
    const choose = (loading: LoadingWay) => {
        // Tabs always send cookies.
        cookies.disabled = loading === "tabs";
        change({ loading });
    };
    return group(
        text("optionsLoading"),
        oneOf("loading", text("way"), ways, settings.loading, choose),
        ticked(text("cookies"), cookies, text("cookiesHint")),
        allowedSites(),
    );
}

/** Keep the list in sync with changes elsewhere. */
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

/** Readable form of a match pattern. */
export function siteOf(origin: string): string {
    return origin.replace(/^https:\/\//, "").replace(/\/\*$/, "");
}
