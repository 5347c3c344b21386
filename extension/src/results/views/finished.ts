// The results with the extension's actions.

import {
    againButton,
    announce,
    contentPanel,
    menuPanel,
    pageletsPanel,
    pagesPanel,
    resultsView,
    sourcePanel,
    templatePanel,
} from "@husk/views";
import { text } from "../../i18n";
import { TintButton } from "../tint-button";
import { optionsButton, type View, type Views } from "../view";

export const finished: Views["finished"] = ({ page, summary }, flow): View => {
    const { written } = flow;
    if (!written) throw new Error("there is no result");
    const tint = new TintButton(flow.tab, page.capture, written, announce);
    const again = againButton(() => void flow.start(), text("extractAgain"));
    const view = resultsView({
        title: page.title,
        summary,
        written,
        actions: [tint.button, again, optionsButton()],
        panels: [templatePanel, contentPanel, menuPanel, pageletsPanel, sourcePanel, pagesPanel],
    });
    return { ...view, leave: () => tint.leave() };
};
