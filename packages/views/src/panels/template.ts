import { button } from "../element";
import { formOf } from "../forms";
import { frame } from "../frame";
import { shownIfLight } from "../heavy";
import { text } from "../i18n";
import { fillWhenReady, type MakePanel, note, type PanelContext, toolbar } from "../panel";
import { copyButton, downloadButton } from "../saving";

export const templatePanel: MakePanel = (context) => ({
    name: "template",
    label: text("tabTemplate"),
    fill: (panel) => {
        if (context.summary.templateSupport === 0) panel.append(note(text("noTemplate")));
        else fillWhenReady(panel, shown(context, panel));
    },
});

async function shown(context: PanelContext, panel: HTMLElement): Promise<Node[]> {
    const page = await context.written.get("template-page");
    const form = () => formOf("template-html");
    const bar = toolbar(
        fullWindowButton(panel),
        copyButton(context, form, text("copyHtml")),
        downloadButton(context, form, text("downloadHtml")),
    );
    return [bar, ...shownIfLight(page, () => [frame(text("templateFrame"), page)])];
}

/** Toggles full window. */
function fullWindowButton(panel: HTMLElement): HTMLButtonElement {
    const set = (isFull: boolean) => {
        panel.classList.toggle("full", isFull);
        toggle.textContent = text(isFull ? "leaveFullWindow" : "fullWindow");
        toggle.setAttribute("aria-pressed", String(isFull));
    };
    const toggle = button(text("fullWindow"), () => set(!panel.classList.contains("full")), {
        id: "full-window",
        "aria-pressed": "false",
    });
    panel.addEventListener("keydown", ({ key }) => {
        if (key === "Escape") set(false);
    });
    return toggle;
}
