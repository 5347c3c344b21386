// The requested pages: why each was selected and what happened.

import { element } from "../element";
import { counted, text } from "../i18n";
import { type MakePanel, note } from "../panel";
import { visitList } from "../visits";

export const pagesPanel: MakePanel = ({ summary }) => ({
    name: "pages",
    label: text("tabPages"),
    fill: (panel) => {
        const { visits, compared } = summary;
        const shown = visits.length === 0 ? note(text("noVisits")) : visitList(visits);
        const said = element("p", {}, counted("factsCompared", compared.length));
        panel.append(element("div", { class: "scrolled" }, said, shown));
    },
});
