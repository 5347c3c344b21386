// The highlighted key page with checkboxes for its layers.

import { element } from "../element";
import { shownIfLight } from "../heavy";
import { text } from "../i18n";
import { layerBoxes } from "../page/layers";
import { TintedPage } from "../page/tinted-page";
import { fillWhenReady, type MakePanel, type PanelContext } from "../panel";

export const pagePanel: MakePanel = (context) => ({
    name: "page",
    label: text("tabPage"),
    fill: (panel) => fillWhenReady(panel, shown(context)),
});

async function shown({ written, spotlight }: PanelContext): Promise<Node[]> {
    const output = await written.get("inspect-page");
    return shownIfLight(output.html, () => {
        const page = new TintedPage(output);
        spotlight.watch((pagelet) => page.show(pagelet));
        const about = element("div", { class: "about-part" }, page.hint, page.description);
        return [layerBoxes([page]), about, page.spoken, page.stage];
    });
}
