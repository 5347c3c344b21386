// Abortable waiting.

/** Awaits a promise, unless aborted first. */
export function within<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
        const giveUp = () => reject(signal.reason);
        if (signal.aborted) giveUp();
        signal.addEventListener("abort", giveUp, { once: true });
        void promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", giveUp));
    });
}
