// The page in a tab as the results page sees it: calls that are waited for.

import { isReply, type TabCalls } from "../protocol";

export class TabPage {
    #number = 0;

    constructor(readonly tab: number) {}

    /** Asks the page in the tab; fails if the browser keeps extensions away from it. */
    async call<Name extends keyof TabCalls>(
        name: Name,
        ...parameters: Parameters<TabCalls[Name]>
    ): Promise<ReturnType<TabCalls[Name]>> {
        await chrome.scripting.executeScript({ target: { tabId: this.tab }, files: ["page.js"] });
        this.#number += 1;
        const call = { husk: "call", number: this.#number, name, arguments: parameters };
        const reply: unknown = await chrome.tabs.sendMessage(this.tab, call, { frameId: 0 });
        if (!isReply(reply)) throw new Error("the page does not answer");
        if ("cause" in reply) throw new Error(reply.cause);
        return reply.value as ReturnType<TabCalls[Name]>;
    }
}
