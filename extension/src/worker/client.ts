// Calls to the worker.

import { isReply, type Reply, type WorkerCalls } from "../protocol";

type Waiting = { resolve: (value: unknown) => void; reject: (cause: Error) => void };

export class EngineWorker {
    readonly #worker = new Worker(new URL("./main.ts", import.meta.url), { type: "module" });
    readonly #waiting = new Map<number, Waiting>();
    #number = 0;

    constructor() {
        this.#worker.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
            if (isReply(data)) this.#settle(data);
        });
        this.#worker.addEventListener("error", (event) => {
            // A script that fails to load has no message.
            this.#fail(event.message || "the engine could not be started");
        });
    }

    /** Calls the engine; `transferred` buffers are moved, not copied. */
    call<Name extends keyof WorkerCalls>(
        name: Name,
        parameters: Parameters<WorkerCalls[Name]>,
        transferred: Transferable[] = [],
    ): Promise<ReturnType<WorkerCalls[Name]>> {
        this.#number += 1;
        const number = this.#number;
        this.#worker.postMessage({ husk: "call", number, name, arguments: parameters }, transferred);
        return new Promise((resolve, reject) => {
            this.#waiting.set(number, { resolve: resolve as Waiting["resolve"], reject });
        });
    }

    /** Terminates the engine. */
    stop(): void {
        this.#worker.terminate();
        this.#fail("stopped");
    }

    #settle(reply: Reply): void {
        const waiting = this.#waiting.get(reply.number);
        this.#waiting.delete(reply.number);
        if ("cause" in reply) waiting?.reject(new Error(reply.cause));
        else waiting?.resolve(reply.value);
    }

    #fail(cause: string): void {
        for (const { reject } of this.#waiting.values()) reject(new Error(cause));
        this.#waiting.clear();
    }
}
