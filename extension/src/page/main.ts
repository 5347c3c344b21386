// Injected on demand; handles calls of the results page.

import { answer, fault, isCall, type TabCalls } from "../protocol";
import { capture } from "./capture";
import type { Snapshot } from "./snapshot";
import { Tints } from "./tints";

/** Marks the isolated world, so that a second injection does nothing. */
declare global {
    var huskIsHere: boolean | undefined;
}

if (!globalThis.huskIsHere) {
    globalThis.huskIsHere = true;
    listen();
}

function listen(): void {
    const tints = new Tints(document);
    let snapshot: Snapshot | undefined;
    let captures = 0;
    const calls: TabCalls = {
        capture() {
            // Remove tints before the capture.
            tints.hide();
            const captured = capture(document, location.href);
            snapshot = captured.snapshot;
            captures += 1;
            return { ...captured.page, capture: captures };
        },
        tint(number, marks, colours) {
            // The tab may have been captured again.
            if (!snapshot || number !== captures) throw fault("page-changed");
            return tints.show(snapshot, marks, colours);
        },
        untint: () => tints.hide(),
        isTinted: () => tints.areShown,
    };
    chrome.runtime.onMessage.addListener((message: unknown, _sender, reply) => {
        if (!isCall<TabCalls>(message)) return false;
        void answer(calls, message).then(reply);
        // Asynchronous reply.
        return true;
    });
}
