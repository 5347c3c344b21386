// A background tab that is always closed again.

import { TabPage } from "../page/client";
import { type CapturedPage, HELD_TAB, type HeldTabAsk, type HeldTabReply } from "../protocol";
import { within } from "./within";

/** State of the page in the tab. */
export type Sight =
    | "loading"
    /** No access: an error page or another site. */
    | "shut"
    /** The tab was closed. */
    | "gone"
    /** Loaded, with its number of nodes. */
    | number;

export class BackgroundTab {
    private constructor(
        private readonly id: number,
        private readonly port: chrome.runtime.Port,
    ) {}

    /** Opens a URL; the signal closes the tab, also while it is opening. */
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

    /** Captures the page. */
    capture(): Promise<CapturedPage> {
        return new TabPage(this.id).call("capture");
    }

    close(): void {
        this.port.disconnect();
    }
}

/** Opens the tab; undefined on failure. */
function opened(port: chrome.runtime.Port, url: string): Promise<number | undefined> {
    return new Promise((resolve) => {
        port.onMessage.addListener(({ id }: HeldTabReply) => resolve(id));
        port.onDisconnect.addListener(() => resolve(undefined));
        port.postMessage({ url } satisfies HeldTabAsk);
    });
}

/** Runs in the tab. A new tab is briefly about:blank, which is not counted. */
function countNodes(): number | null {
    if (!/^https?:$/.test(location.protocol)) return null;
    return document.evaluate("count(//node())", document, null, XPathResult.NUMBER_TYPE).numberValue;
}
