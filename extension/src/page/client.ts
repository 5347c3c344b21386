// Calls to the page in the tab.

import { fault, isReply, type TabCalls } from "../protocol";

export class TabPage {
    #number = 0;

    constructor(readonly tab: number) {}

    /** Calls the page in the tab; the error's message is the name of a fault, if known. */
    async call<Name extends keyof TabCalls>(
        name: Name,
        ...parameters: Parameters<TabCalls[Name]>
    ): Promise<ReturnType<TabCalls[Name]>> {
        this.#number += 1;
        const call = { husk: "call", number: this.#number, name, arguments: parameters };
        const reply = await this.#send(call);
        if (!isReply(reply)) throw fault("no-access");
        if ("cause" in reply) throw new Error(reply.cause);
        return reply.value as ReturnType<TabCalls[Name]>;
    }

    async #send(call: object): Promise<unknown> {
        try {
            // No-op if already injected.
            await chrome.scripting.executeScript({ target: { tabId: this.tab }, files: ["page.js"] });
            return await chrome.tabs.sendMessage(this.tab, call, { frameId: 0 });
        } catch (error) {
            console.info("the tab cannot be asked:", error);
            throw fault("no-access");
        }
    }
}
