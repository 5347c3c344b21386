// The start page: URL field and file drop.

import { announce, button, element, headingOf, number, paragraph } from "@husk/views";
import type { Flow } from "../flow";
import { chosen, dropped } from "../input/files";
import { MOST_BYTES, typedAddress } from "../input/input";
import type { Refused } from "../state";
import { text } from "../words";
import { illustration } from "./illustration";
import { optionsOf } from "./options";
import { brand, type Views } from "./view";

export const start: Views["start"] = ({ url, refused }, flow) => {
    const heading = headingOf(text("startHeading"));
    const form = new AddressForm(flow, url);
    const drop = new DropPlace(flow, (address) => form.fill(address));
    const main = element(
        "main",
        { class: "start" },
        element(
            "div",
            { class: "hero" },
            illustration(),
            heading,
            paragraph(text("startSaid"), { class: "lead" }),
        ),
        form.node,
        ...(refused ? [paragraph(refusal(refused), { class: "note", role: "alert", id: "refused" })] : []),
        drop.node,
        optionsOf(flow),
    );
    const foot = element("footer", { class: "foot quiet" }, paragraph(text("startFoot")));
    return { nodes: [brand(flow), main, foot], heading, focus: form.field, leave: () => drop.leave() };
};

class AddressForm {
    readonly field = element("input", {
        id: "url",
        name: "url",
        type: "text",
        inputmode: "url",
        autocomplete: "url",
        autocapitalize: "none",
        spellcheck: "false",
        enterkeyhint: "go",
        placeholder: "example.org/article",
        "aria-describedby": "url-wrong",
    });
    readonly #wrong = element("p", { id: "url-wrong", class: "wrong", role: "alert" });
    readonly node = element(
        "form",
        { class: "address-form", novalidate: true },
        element("label", { for: "url" }, text("urlLabel")),
        element(
            "div",
            { class: "address-bar" },
            this.field,
            element("button", { type: "submit", class: "main", id: "extract" }, text("extract")),
        ),
        this.#wrong,
    );

    constructor(flow: Flow, url: string) {
        this.field.value = url;
        this.node.addEventListener("submit", (event) => {
            event.preventDefault();
            const address = typedAddress(this.field.value);
            if (address) void flow.begin({ kind: "url", url: address });
            else this.#complain();
        });
        this.field.addEventListener("input", () => {
            this.field.removeAttribute("aria-invalid");
            this.#wrong.textContent = "";
        });
    }

    fill(address: string): void {
        this.field.value = address;
        this.field.focus();
    }

    #complain(): void {
        this.field.setAttribute("aria-invalid", "true");
        this.#wrong.textContent = text(this.field.value.trim() === "" ? "urlMissing" : "urlWrong");
        this.field.focus();
    }
}

/** Drop area; files may be dropped anywhere on the page. */
class DropPlace {
    readonly #files = element("input", { type: "file", id: "files", hidden: true, multiple: true });
    readonly #folder = element("input", { type: "file", id: "folder", hidden: true, webkitdirectory: true });
    readonly node = element(
        "section",
        { class: "drop", "aria-labelledby": "drop-heading" },
        element("h2", { id: "drop-heading" }, text("dropHeading")),
        paragraph(text("dropSaid"), { class: "quiet" }),
        element(
            "p",
            { class: "actions" },
            button(text("chooseFile"), () => this.#files.click(), { id: "choose-file" }),
            button(text("chooseFolder"), () => this.#folder.click(), { id: "choose-folder" }),
        ),
        this.#files,
        this.#folder,
    );
    readonly #listening = new AbortController();

    constructor(flow: Flow, fill: (address: string) => void) {
        this.#files.accept = ".html,.htm,.xhtml,.warc,.gz,text/html";
        for (const input of [this.#files, this.#folder]) {
            input.addEventListener("change", () => {
                const files = chosen(input.files ?? []);
                if (files.length > 0) void flow.give(Promise.resolve(files));
            });
        }
        const listen = <Name extends keyof DocumentEventMap>(
            name: Name,
            act: (event: DocumentEventMap[Name]) => void,
        ) => document.addEventListener(name, act, { signal: this.#listening.signal });
        listen("dragover", (event) => {
            event.preventDefault();
            this.node.classList.add("over");
        });
        listen("dragleave", (event) => {
            if (event.relatedTarget === null) this.node.classList.remove("over");
        });
        listen("drop", (event) => {
            event.preventDefault();
            this.node.classList.remove("over");
            const transfer = event.dataTransfer;
            if (!transfer) return;
            const link = transfer.files.length === 0 && typedAddress(transfer.getData("text/uri-list"));
            if (link) fill(link);
            else if (transfer.items.length > 0 && transfer.types.includes("Files")) {
                void flow.give(dropped(transfer));
            } else announce(text("dropNothing"));
        });
    }

    leave(): void {
        this.#listening.abort();
    }
}

function refusal(refused: Refused): string {
    if (refused.kind === "nothing") return text("refusedFiles", { names: refused.names.join(", ") });
    const megabytes = (bytes: number) => number(Math.ceil(bytes / 1024 / 1024));
    return text("refusedSize", {
        name: refused.name,
        size: megabytes(refused.bytes),
        most: megabytes(MOST_BYTES),
    });
}
