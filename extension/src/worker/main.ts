// The engine in a worker, so that large pages do not block the browser.

import init from "@husk/core";
import wasm from "@husk/core/husk.wasm?url";
import { answer, failure, isCall, type WorkerCalls } from "../protocol";
import { Engine } from "./engine";

const ready = init({ module_or_path: wasm });
const engine: WorkerCalls = new Engine();

self.addEventListener("message", async ({ data }: MessageEvent<unknown>) => {
    if (!isCall<WorkerCalls>(data)) return;
    self.postMessage(
        await ready.then(
            () => answer(engine, data),
            (cause) => failure(data.number, cause),
        ),
    );
});
