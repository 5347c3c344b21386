// Loads the pages that the engine requests.

import type { Options } from "@husk/core";
import type { Summary } from "@husk/views";
import type { CapturedPage, Loaded, Step } from "../protocol";
import type { EngineWorker } from "../worker/client";
import type { Loader } from "./loader";

/** Progress events. */
export type Progress =
    | { kind: "loading"; step: Exclude<Step, { kind: "finished" }> }
    | { kind: "loaded"; url: string; cause: string | undefined };

/** Loads pages and files. */
export interface Loaders {
    pages: Pick<Loader, "load">;
    /** robots.txt and sitemaps. */
    files: Pick<Loader, "load">;
}

/** Runs an extraction; rejects with an `AbortError` when aborted. */
export async function extract(
    page: CapturedPage,
    options: Partial<Options>,
    worker: Pick<EngineWorker, "call">,
    loaders: Loaders,
    watch: (progress: Progress) => void,
): Promise<Summary> {
    let step = await worker.call("begin", [page, options]);
    while (step.kind !== "finished") {
        watch({ kind: "loading", step });
        const loaded = await (step.kind === "page"
            ? loaders.pages.load(step.url, step.ahead)
            : loaders.files.load(step.url));
        watch({ kind: "loaded", url: step.url, cause: excuse(loaded) });
        step = await worker.call("give", [loaded], transferable(loaded));
    }
    return step.summary;
}

function excuse(loaded: Loaded): string | undefined {
    if (loaded.kind === "missing") return loaded.cause;
    const { status = 200, url } = loaded.answer;
    return status >= 200 && status < 300 ? undefined : `${url} answers ${status}`;
}

function transferable(loaded: Loaded): Transferable[] {
    return loaded.kind === "answer" ? [loaded.answer.body.buffer] : [];
}
