// The results: what is known about the page, and a tab for each way to look at it.

import { announce } from "../../announce";
import { element, link } from "../../element";
import { text } from "../../i18n";
import { facts } from "../facts";
import type { PanelContext } from "../panel";
import { contentPanel } from "../panels/content";
import { menuPanel } from "../panels/menu";
import { pagesPanel } from "../panels/pages";
import { sourcePanel } from "../panels/source";
import { templatePanel } from "../panels/template";
import { tabs } from "../tabs";
import { TintButton } from "../tint-button";
import { againButton, headingOf, optionsButton, type View, type Views } from "../view";
import { addressOf } from "./address";

export const finished: Views["finished"] = ({ page, summary }, flow): View => {
    const { written } = flow;
    if (!written) throw new Error("there is no result");
    const tint = new TintButton(flow.tab, page.capture, written, announce);
    const heading = headingOf(page.title.trim() || addressOf(page.url));
    const header = element(
        "header",
        { class: "top" },
        element(
            "div",
            { class: "about" },
            heading,
            element("p", { class: "host" }, link(addressOf(page.url), page.url)),
            element("p", { id: "facts" }, facts(summary)),
        ),
        element(
            "div",
            { class: "actions" },
            tint.button,
            againButton(flow, text("extractAgain")),
            optionsButton(),
        ),
    );
    const context: PanelContext = { page, summary, written, announce, url: page.url };
    const panels = [templatePanel, contentPanel, menuPanel, sourcePanel, pagesPanel];
    const main = element(
        "main",
        { class: "results" },
        ...tabs(
            text("results"),
            panels.map((panel) => panel(context)),
        ),
    );
    return { nodes: [header, main], heading, leave: () => tint.leave() };
};
