// Put into a tab on demand: answers what the results page asks about the page there.

import { answer, fault, isCall, type TabCalls } from "../protocol";
import { capture } from "./capture";
import type { Snapshot } from "./snapshot";
import { Tints } from "./tints";

/** Set in the world of this script, which the page does not see: a second one in the same tab does nothing. */
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
            // The tints are no part of the page, and belong to the snapshot before.
            tints.hide();
            const captured = capture(document, location.href);
            snapshot = captured.snapshot;
            captures += 1;
            return { ...captured.page, capture: captures };
        },
        tint(number, marks, colours) {
            // Another results page may have read the tab since.
            if (!snapshot || number !== captures) throw fault("page-changed");
            return tints.show(snapshot, marks, colours);
        },
        untint: () => tints.hide(),
        isTinted: () => tints.areShown,
    };
    chrome.runtime.onMessage.addListener((message: unknown, _sender, reply) => {
        if (!isCall<TabCalls>(message)) return false;
        void answer(calls, message).then(reply);
        // The reply comes later.
        return true;
    });
}
