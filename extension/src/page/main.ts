// Put into a tab on demand: answers what the results page asks about the page there.

import { answer, isCall, type TabCalls } from "../protocol";
import { capture } from "./capture";
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
    const tints = new Tints();
    const calls: TabCalls = {
        capture: () => capture(document, location.href),
        tint: (marks, colours) => tints.show(marks, colours),
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
