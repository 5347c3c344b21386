// A tab beside the results page, never shown by itself, and closed whatever happens.

import { TabPage } from "../page/client";
import { type CapturedPage, HELD_TAB, type HeldTabAsk, type HeldTabReply } from "../protocol";
import { within } from "./within";

/** What is to be seen of a page from outside. */
export type Sight =
    | "loading"
    /** Nothing can be asked there: the browser's own word on a failure, or another site. */
    | "shut"
    /** The tab was closed, by the user for instance. */
    | "gone"
    /** It is loaded and has so many nodes. */
    | number;

export class BackgroundTab {
    private constructor(
        private readonly id: number,
        private readonly port: chrome.runtime.Port,
    ) {}

    /** Opens an address; the tab is closed at once when the signal says so, also while it is being opened. */
    static async open(url: string, signal: AbortSignal): Promise<BackgroundTab> {
        signal.throwIfAborted();
        const port = chrome.runtime.connect({ name: HELD_TAB });
        signal.addEventListener("abort", () => port.disconnect(), { once: true });
        const id = await within(signal, opened(port, url));
        if (id !== undefined) return new BackgroundTab(id, port);
        port.disconnect();
        throw new Error("the browser opened no tab");
    }

    async sight(): Promise<Sight> {
        const tab = await chrome.tabs.get(this.id).catch(() => undefined);
        if (!tab) return "gone";
        if (tab.status !== "complete") return "loading";
        try {
            const target = { tabId: this.id };
            const [frame] = await chrome.scripting.executeScript({
                target,
                func: countNodes,
                injectImmediately: true,
            });
            return frame?.result ?? "shut";
        } catch {
            return "shut";
        }
    }

    /** The page as it is now, taken as the key page is. */
    capture(): Promise<CapturedPage> {
        return new TabPage(this.id).call("capture");
    }

    close(): void {
        this.port.disconnect();
    }
}

/** Has the tab opened; undefined if there is none. */
function opened(port: chrome.runtime.Port, url: string): Promise<number | undefined> {
    return new Promise((resolve) => {
        port.onMessage.addListener(({ id }: HeldTabReply) => resolve(id));
        port.onDisconnect.addListener(() => resolve(undefined));
        port.postMessage({ url } satisfies HeldTabAsk);
    });
}

/** Runs in the tab. A new tab is an empty page of no site for a moment, which has no count. */
function countNodes(): number | null {
    if (!/^https?:$/.test(location.protocol)) return null;
    return document.evaluate("count(//node())", document, null, XPathResult.NUMBER_TYPE).numberValue;
}
