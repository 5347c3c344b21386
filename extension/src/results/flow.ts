// The states from click to results: reads the tab, asks for permission, loads pages.

import { NOT_WANTED, type Summary, type Writer, Written } from "@husk/views";
import { extract, type Loaders } from "../loading/extract";
import { Loader } from "../loading/loader";
import { TabLoader } from "../loading/tab-loader";
import type { TabPage } from "../page/client";
import type { CapturedPage, EngineOutputName, Loaded } from "../protocol";
import { engineOptions, type LoadingWay, readSettings, type Settings } from "../settings";
import type { EngineWorker } from "../worker/client";
import { advance, beginLoading, type State } from "./model";
import { ask, isAllowed } from "./permission";
import { isOfWeb, messageOf, type Problem, problemOf, problemOfTab } from "./problem";

export type Engine = Pick<EngineWorker, "call" | "stop">;

/** Loads nothing. */
const nothing = { load: async (): Promise<Loaded> => ({ kind: "missing", cause: NOT_WANTED }) };
const noLoaders: Loaders = { pages: nothing, files: nothing };

function loadersOf(way: LoadingWay, settings: Settings, keyPage: string, signal: AbortSignal): Loaders {
    const files = new Loader({ keyPage, sendsCookies: settings.sendsCookies, signal });
    return { pages: way === "tabs" ? new TabLoader(keyPage, signal) : files, files };
}

function writerOf(engine: Engine): Writer {
    return { write: (name) => engine.call("write", [name as EngineOutputName]) as never };
}

export class Flow {
    #stop = new AbortController();
    #engine: Engine | undefined;
    /** Overrides of the settings. */
    #way: LoadingWay | undefined;
    /** Outputs of the last result. */
    written: Written | undefined;

    constructor(
        readonly tab: Pick<TabPage, "tab" | "call">,
        private readonly newEngine: () => Engine,
        private readonly show: (state: State) => void,
    ) {}

    /** Starts or restarts; cancels the current extraction. */
    async start(): Promise<void> {
        const signal = this.#renew();
        this.show({ name: "reading" });
        const read = await this.#read();
        const isAsked = "url" in read && isOfWeb(read.url) && !(await isAllowed(read.url));
        if (signal.aborted) return;
        if (!("url" in read)) this.#fail(read);
        else if (!isOfWeb(read.url)) this.#fail({ kind: "no-site", page: read });
        else if (isAsked) this.show({ name: "asking-permission", page: read });
        else await this.#extract(read, "with-others");
    }

    /** Call it directly in a click handler. */
    async allow(page: CapturedPage): Promise<void> {
        const answer = ask(page.url);
        const signal = this.#renew();
        try {
            const isGranted = await answer;
            if (signal.aborted) return;
            if (isGranted) await this.#extract(page, "with-others");
            else this.#fail({ kind: "refused", page });
        } catch (error) {
            if (!signal.aborted) this.#fail({ kind: "broken", details: messageOf(error) });
        }
    }

    /** Uses the page alone; keeps the result if it was alone already. */
    async alone(page: CapturedPage, summary?: Summary): Promise<void> {
        if (summary && this.written) {
            this.show({ name: "finished", page, summary });
            return;
        }
        this.#renew();
        await this.#extract(page, "alone");
    }

    /** Loads other pages in tabs from now on. */
    async inTabs(page: CapturedPage): Promise<void> {
        this.#way = "tabs";
        this.#renew();
        await this.#extract(page, "with-others");
    }

    cancel(): void {
        this.#renew();
        this.show({ name: "cancelled" });
    }

    async #read(): Promise<CapturedPage | Problem> {
        try {
            return await this.tab.call("capture");
        } catch (error) {
            const tab = await chrome.tabs.get(this.tab.tab).catch(() => undefined);
            return problemOfTab(tab !== undefined, tab?.url, error);
        }
    }

    async #extract(page: CapturedPage, how: "with-others" | "alone"): Promise<void> {
        const { signal } = this.#stop;
        // Show the new state at once.
        let loading = beginLoading(page, "fetch");
        this.show(loading);
        try {
            const settings = await readSettings();
            if (signal.aborted) return;
            const way = how === "alone" ? "fetch" : (this.#way ?? settings.loading);
            loading = { ...loading, way };
            this.show(loading);
            const loaders = how === "alone" ? noLoaders : loadersOf(way, settings, page.url, signal);
            const engine = this.newEngine();
            this.#engine = engine;
            const summary = await extract(page, engineOptions(settings), engine, loaders, (progress) => {
                if (signal.aborted) return;
                loading = advance(loading, progress);
                this.show(loading);
            });
            if (signal.aborted) return;
            this.written = new Written(writerOf(engine));
            const problem = how === "alone" ? undefined : problemOf(page, summary, way);
            if (problem) this.#fail(problem);
            else this.show({ name: "finished", page, summary });
        } catch (error) {
            if (!signal.aborted) this.#fail({ kind: "broken", details: messageOf(error) });
        }
    }

    #fail(problem: Problem): void {
        this.show({ name: "failed", problem });
    }

    /** Cancels the current extraction. */
    #renew(): AbortSignal {
        this.#stop.abort();
        this.#engine?.stop();
        this.#engine = undefined;
        this.written = undefined;
        this.#stop = new AbortController();
        return this.#stop.signal;
    }
}
