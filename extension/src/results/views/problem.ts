// Error messages and actions.

import {
    againButton,
    announce,
    button,
    type Child,
    copyText,
    details,
    element,
    headingOf,
    paragraph,
    visitList,
} from "@husk/views";
import { counted, text } from "../../i18n";
import type { CapturedPage } from "../../protocol";
import type { Flow } from "../flow";
import type { Problem } from "../problem";
import { card, optionsButton, type Views } from "../view";
import { allowButton, aloneButton } from "./permission";

interface Said {
    heading: string;
    said: Child[];
    actions: HTMLElement[];
}

export const problem: Views["failed"] = ({ problem }, flow) => {
    const { heading, said, actions } = saidOf(problem, flow);
    const view = card(headingOf(heading), said, actions, "problem");
    view.heading.closest("section")?.setAttribute("data-problem", problem.kind);
    return view;
};

function saidOf(problem: Problem, flow: Flow): Said {
    const again = againButton(() => void flow.start());
    switch (problem.kind) {
        case "tab-gone":
            return {
                heading: text("tabGoneHeading"),
                said: [paragraph(text("tabGoneSaid"))],
                actions: [button(text("closeThis"), () => void closeThis())],
            };
        case "kept-away":
            return {
                heading: text("keptAwayHeading"),
                said: [paragraph(text("keptAwaySaid"))],
                actions: [again],
            };
        case "out-of-reach":
            return {
                heading: text("outOfReachHeading"),
                said: [paragraph(text("outOfReachSaid"))],
                actions: [goToTab(flow), again],
            };
        case "not-html":
            return {
                heading: text("notHtmlHeading"),
                said: [paragraph(text("notHtmlSaid"))],
                actions: [goToTab(flow), again],
            };
        case "too-large":
            return {
                heading: text("tooLargeHeading"),
                said: [
                    paragraph(text("tooLargeSaid")),
                    element("pre", {}, "husk template --render https://…"),
                ],
                actions: [goToTab(flow), again],
            };
        case "no-site":
            return {
                heading: text("noSiteHeading"),
                said: [paragraph(text("noSiteSaid")), element("pre", {}, "husk template index.html")],
                actions: [aloneButton(problem.page, flow), again],
            };
        case "refused":
            return {
                heading: text("refusedHeading", { host: hostOf(problem) }),
                said: [paragraph(text("refusedSaid"))],
                actions: [allowButton(problem.page, flow), aloneButton(problem.page, flow)],
            };
        case "no-links":
            return {
                heading: text("noLinksHeading", { host: hostOf(problem) }),
                said: [paragraph(text("noLinksSaid"))],
                actions: [again, aloneButton(problem.page, flow, problem.summary)],
            };
        case "none-usable":
            return {
                heading: counted("noneUsable", problem.summary.visits.length),
                said: [
                    paragraph(text("noneUsableSaid")),
                    ...(problem.loading === "fetch" ? [paragraph(text("noneUsableTabs"))] : []),
                    visitList(problem.summary.visits),
                ],
                actions: [
                    again,
                    ...(problem.loading === "fetch" ? [inTabsButton(problem.page, flow)] : []),
                    aloneButton(problem.page, flow, problem.summary),
                    optionsButton(),
                ],
            };
        case "login":
            return {
                heading: text("loginHeading", { host: hostOf(problem) }),
                said: [paragraph(text("loginSaid")), visitList(problem.summary.visits)],
                actions: [again, aloneButton(problem.page, flow, problem.summary), optionsButton()],
            };
        case "scripts":
            return {
                heading: text("scriptsHeading", { host: hostOf(problem) }),
                said: [paragraph(text("scriptsSaid")), paragraph(text("scriptsTabs"))],
                actions: [
                    inTabsButton(problem.page, flow, { class: "main" }),
                    // Do not offer results from comparing with empty pages.
                    aloneButton(problem.page, flow),
                    optionsButton(),
                ],
            };
        case "not-rendered":
            return {
                heading: text("notRenderedHeading"),
                said: [paragraph(text("notRenderedSaid"))],
                actions: [goToTab(flow), again, aloneButton(problem.page, flow, problem.summary)],
            };
        case "broken":
            return {
                heading: text("brokenHeading"),
                said: [paragraph(text("brokenSaid")), details(problem.details)],
                actions: [
                    again,
                    optionsButton(),
                    button(text("copyDetails"), () => void copyText(problem.details, announce), {
                        id: "copy",
                    }),
                ],
            };
    }
}

function hostOf({ page }: { page: { url: string } }): string {
    return new URL(page.url).hostname;
}

function inTabsButton(page: CapturedPage, flow: Flow, attributes = {}): HTMLButtonElement {
    return button(text("inTabs"), () => void flow.inTabs(page), { id: "in-tabs", ...attributes });
}

function goToTab(flow: Flow): HTMLButtonElement {
    return button(text("goToTab"), () => void chrome.tabs.update(flow.tab.tab, { active: true }), {
        id: "go-to-tab",
    });
}

async function closeThis(): Promise<void> {
    const tab = await chrome.tabs.getCurrent();
    if (tab?.id !== undefined) await chrome.tabs.remove(tab.id);
}
