// Waiting for something that a browser or a server does in its own time.

/** Long enough for a machine that is busy with other things. */
const TIMEOUT = 60_000;

/** Asks again and again until there is an answer that is not undefined, null or false. */
export async function until(what, ask, timeout = TIMEOUT) {
    const end = Date.now() + timeout;
    for (;;) {
        const answer = await ask();
        if (answer !== undefined && answer !== null && answer !== false) return answer;
        if (Date.now() > end) throw new Error(`waited ${timeout / 1000} seconds for ${what}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
}
