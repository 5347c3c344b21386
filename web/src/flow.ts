// The application's states, from input to result.

import { problemOfError, type ServerProblem } from "./api/problem";
import type { Server } from "./api/server";
import type { Token } from "./api/token";
import type { Method, ProgressEvent, ResultSummary } from "./api/types";
import { advance, type Crawl, NO_CRAWL } from "./crawl/crawl";
import { type FoundFile, sortOut } from "./input/files";
import { inOrder, siteAround } from "./input/folder";
import { askOf, type Choices, type Input, MOST_BYTES, USUAL } from "./input/input";
import { pathTo, type Route, routeOf } from "./route";
import type { Kept, State } from "./state";

/** The browser's location and history. */
export interface Place {
    readonly location: Pick<Location, "pathname" | "search">;
    readonly history: Pick<History, "pushState" | "replaceState">;
}

export class Flow {
    #stop = new AbortController();
    #again: () => Promise<void> = async () => this.toStart();
    #choices: Choices = USUAL;
    /** Results of this visit by id. */
    readonly #kept = new Map<string, Kept>();

    constructor(
        readonly server: Server,
        private readonly token: Token,
        private readonly place: Place,
        private readonly show: (state: State) => void,
    ) {}

    get hasToken(): boolean {
        return this.token.isKnown;
    }

    get choices(): Choices {
        return this.#choices;
    }

    choose(choices: Choices): void {
        this.#choices = choices;
    }

    /** Shows the state of the current URL. */
    async open(): Promise<void> {
        const route = routeOf(this.place.location);
        if (route.name === "start") {
            this.#renew();
            this.show({ name: "start", url: "" });
            return;
        }
        await this.#trying(undefined, async (signal) => {
            this.show({ name: "opening" });
            const wanted = [route.id, route.other].filter((id) => id !== undefined);
            const [result, other] = await Promise.all(wanted.map((id) => this.#result(id, signal)));
            if (!result || signal.aborted) return;
            this.show({ name: "finished", result, other });
        });
    }

    toStart(url = ""): void {
        this.#renew();
        this.#go({ name: "start" });
        this.show({ name: "start", url });
    }

    /** Starts an extraction; cancels the current one. */
    async begin(input: Input, choices: Choices = this.#choices, beside?: Kept): Promise<void> {
        const size = input.kind === "archive" ? input.file.size : 0;
        if (input.kind === "archive" && size > MOST_BYTES) {
            this.show({ name: "start", url: "", refused: tooLarge(input.file) });
            return;
        }
        await this.#trying(input, async (signal) => {
            let crawl: Crawl = NO_CRAWL;
            this.show({ name: "crawling", input, crawl, beside });
            const onProgress = (event: ProgressEvent) => {
                if (signal.aborted) return;
                crawl = advance(crawl, event);
                this.show({ name: "crawling", input, crawl, beside });
            };
            const summary = await this.server.extract(askOf(input, choices), onProgress, signal);
            if (signal.aborted) return;
            this.#finish({ summary, input, crawl }, beside);
        });
    }

    /** Handles dropped or chosen files. */
    async give(reading: Promise<FoundFile[]>): Promise<void> {
        await this.#trying(undefined, async (signal) => {
            this.show({ name: "reading" });
            const found = sortOut(await reading);
            if (signal.aborted) return;
            if (found.kind === "nothing") this.show({ name: "start", url: "", refused: found });
            else if (found.kind === "archive") await this.begin({ kind: "archive", file: found.file });
            else await this.#offer(inOrder(found.pages));
        });
    }

    async #offer(files: FoundFile[]): Promise<void> {
        const [only, ...others] = files;
        if (only && others.length === 0) await this.chooseFile(only, files);
        else this.show({ name: "choosing-file", files });
    }

    /** Uses a file as the key page. */
    async chooseFile(key: FoundFile, files: FoundFile[]): Promise<void> {
        if (key.file.size > MOST_BYTES) {
            this.show({ name: "start", url: "", refused: tooLarge(key.file) });
            return;
        }
        await this.#trying(undefined, async (signal) => {
            this.show({ name: "reading" });
            const site = await siteAround(key, files, MOST_BYTES);
            if (!signal.aborted) await this.begin({ kind: "pages", ...site });
        });
    }

    /** Runs the other method and shows both results. */
    async compare(result: Kept): Promise<void> {
        const input = inputOf(result);
        if (input) await this.begin(input, { ...this.#choices, method: otherMethod(result.summary) }, result);
    }

    /** Extracts again without the learned template. */
    async anew(result: Kept): Promise<void> {
        const input = inputOf(result);
        const { method } = result.summary;
        if (input) await this.begin(input, { ...this.#choices, method, fresh: true });
    }

    /** Shows one of two results. */
    alone(result: Kept): void {
        this.#go({ name: "result", id: result.summary.id, other: undefined });
        this.show({ name: "finished", result, other: undefined });
    }

    cancel(input: Input | undefined, beside: Kept | undefined): void {
        this.#renew();
        if (beside) this.show({ name: "finished", result: beside, other: undefined });
        else this.show({ name: "start", url: input?.kind === "url" ? input.url : "" });
    }

    /** Retries the last action. */
    async again(): Promise<void> {
        await this.#again();
    }

    async withToken(word: string): Promise<void> {
        this.token.keep(word);
        await this.#again();
    }

    /** Runs an action; cancels the current one and shows errors. */
    async #trying(input: Input | undefined, act: (signal: AbortSignal) => Promise<void>): Promise<void> {
        const signal = this.#renew();
        this.#again = () => this.#trying(input, act.bind(this));
        try {
            await act(signal);
        } catch (error) {
            if (!signal.aborted) this.#fail(problemOfError(error), input);
        }
    }

    #fail(problem: ServerProblem, input: Input | undefined): void {
        if (problem.kind === "unauthorized") this.token.forget();
        if (problem.kind === "page-required" && input?.kind === "archive" && problem.pages.length > 0) {
            this.show({ name: "choosing-page", pages: problem.pages, file: input.file });
        } else {
            this.show({ name: "failed", problem, input });
        }
    }

    #finish(kept: Kept, beside: Kept | undefined): void {
        this.#kept.set(kept.summary.id, kept);
        const first = beside ?? kept;
        const other = beside && kept;
        this.#go({ name: "result", id: first.summary.id, other: other?.summary.id });
        this.show({ name: "finished", result: first, other });
    }

    async #result(id: string, signal: AbortSignal): Promise<Kept> {
        const known = this.#kept.get(id);
        const summary = known?.summary ?? (await this.server.summary(id, signal));
        return known ?? { summary, input: undefined, crawl: undefined };
    }

    #go(route: Route): void {
        const path = pathTo(route);
        const { pathname, search } = this.place.location;
        if (path !== pathname + search) this.place.history.pushState(null, "", path);
    }

    /** Cancels the current action. */
    #renew(): AbortSignal {
        this.#stop.abort();
        this.#stop = new AbortController();
        return this.#stop.signal;
    }
}

export function otherMethod({ method }: Pick<ResultSummary, "method">): Method {
    return method === "paper" ? "husk" : "paper";
}

/** The input to repeat a result, if known. */
export function inputOf({ summary, input }: Kept): Input | undefined {
    if (input) return input;
    const isOfWeb = /^https?:/.test(summary.page) && !new URL(summary.page).hostname.endsWith(".invalid");
    return isOfWeb ? { kind: "url", url: summary.page } : undefined;
}

function tooLarge(file: File) {
    return { kind: "too-large", name: file.name, bytes: file.size } as const;
}
