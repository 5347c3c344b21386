// Choosing one of several pages.

import { button, element, headingOf, number, paragraph, pathOf } from "@husk/views";
import type { Flow } from "../flow";
import { counted, text } from "../words";
import { card, type PageView, type Views } from "./view";

/** Longer lists are searched. */
const MOST_SHOWN = 200;

interface Offer {
    label: string;
    small: string;
    take(): void;
}

export const choosingFile: Views["choosing-file"] = ({ files }, flow) => {
    const offers = files.map((file) => ({
        label: file.path,
        small: text("kilobytes", { count: number(Math.max(1, Math.round(file.file.size / 1024))) }),
        take: () => void flow.chooseFile(file, files),
    }));
    return choosing(flow, offers, text("chooseFileSaid"));
};

export const choosingPage: Views["choosing-page"] = ({ file, pages }, flow) => {
    const offers = pages.map((page) => ({
        label: pathOf(page),
        small: URL.canParse(page) ? new URL(page).host : "",
        take: () => void flow.begin({ kind: "archive", file, page }),
    }));
    return choosing(flow, offers, text("choosePageSaid", { name: file.name }));
};

function choosing(flow: Flow, offers: Offer[], said: string): PageView {
    const heading = headingOf(counted("chooseHeading", offers.length));
    const search = element("input", {
        id: "search",
        type: "search",
        "aria-label": text("searchPages"),
        placeholder: text("searchPages"),
        autocomplete: "off",
    });
    const list = element("ul", { class: "offers", id: "offers" });
    const more = paragraph("", { class: "quiet", role: "status" });
    const show = () => {
        const wanted = search.value.trim().toLowerCase();
        const found = offers.filter(({ label }) => label.toLowerCase().includes(wanted));
        list.replaceChildren(...found.slice(0, MOST_SHOWN).map(offerEntry));
        more.textContent = found.length > MOST_SHOWN ? counted("morePages", found.length - MOST_SHOWN) : "";
    };
    search.addEventListener("input", show);
    show();
    const back = button(text("newPage"), () => flow.toStart(), { id: "new" });
    return card(flow, heading, [paragraph(said), search, list, more], [back]);
}

function offerEntry({ label, small, take }: Offer): HTMLElement {
    const choose = button(label, take);
    choose.append(element("small", { class: "quiet" }, small));
    return element("li", {}, choose);
}
