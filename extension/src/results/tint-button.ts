// Button that toggles the tints in the tab.

import { button, type Written } from "@husk/views";
import { text } from "../i18n";
import type { TabPage } from "../page/client";
import { readSettings } from "../settings";

export class TintButton {
    readonly button = button(text("showOnPage"), () => void this.#toggle(), { id: "tint", class: "main" });
    #isTinted = false;

    constructor(
        private readonly tab: Pick<TabPage, "tab" | "call">,
        private readonly capture: number,
        private readonly written: Written,
        private readonly announce: (message: string) => void,
    ) {
        document.addEventListener("visibilitychange", this.#look);
    }

    /** Stops listening. */
    leave(): void {
        document.removeEventListener("visibilitychange", this.#look);
    }

    async #toggle(): Promise<void> {
        this.button.disabled = true;
        try {
            await (this.#isTinted ? this.#untint() : this.#tint());
        } catch {
            this.#show(false);
            this.announce(text("notTinted"));
        } finally {
            this.button.disabled = false;
        }
    }

    async #tint(): Promise<void> {
        const [marks, { colours }] = await Promise.all([this.written.get("inspect-marks"), readSettings()]);
        const { found, of } = await this.tab.call("tint", this.capture, marks, colours);
        if (found === 0 && of > 0) {
            await this.#untint();
            this.announce(text("notTinted"));
            return;
        }
        this.#show(true);
        await chrome.tabs.update(this.tab.tab, { active: true });
    }

    async #untint(): Promise<void> {
        await this.tab.call("untint");
        this.#show(false);
    }

    /** Tints can also be removed in the tab; update the button on return. */
    readonly #look = () => {
        if (document.hidden || !this.#isTinted) return;
        void this.tab.call("isTinted").then(
            (isTinted) => this.#show(isTinted),
            () => this.#show(false),
        );
    };

    #show(isTinted: boolean): void {
        this.#isTinted = isTinted;
        this.button.textContent = text(isTinted ? "removeTints" : "showOnPage");
    }
}
