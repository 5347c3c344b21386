// @vitest-environment jsdom
// What the script in the tab answers.

import { beforeEach, expect, test, vi } from "vitest";
import type { Reply } from "../../src/protocol";

type Listener = (message: unknown, sender: unknown, reply: (reply: Reply) => void) => boolean;

let ask: (name: string, ...parameters: unknown[]) => Promise<Reply>;

beforeEach(async () => {
    vi.resetModules();
    globalThis.huskIsHere = undefined;
    const listeners: Listener[] = [];
    const onMessage = { addListener: (listener: Listener) => listeners.push(listener) };
    vi.stubGlobal("chrome", { runtime: { onMessage }, i18n: { getMessage: (key: string) => key } });
    document.body.innerHTML = "<nav>Menu</nav>";
    await import("../../src/page/main");
    ask = (name, ...parameters) =>
        new Promise((resolve) => {
            listeners[0]?.({ husk: "call", number: 1, name, arguments: parameters }, {}, resolve);
        });
});

const marks = { compared: 1, marks: [] };
const colours = { template: "#000000", menu: "#000000", content: "#000000" };

test("tints are put on the capture they were made for, and on no other", async () => {
    expect(await ask("tint", 1, marks, colours)).toMatchObject({ cause: "page-changed" });
    expect(await ask("capture")).toMatchObject({ value: { capture: 1 } });
    expect(await ask("capture")).toMatchObject({ value: { capture: 2 } });
    expect(await ask("tint", 1, marks, colours)).toMatchObject({ cause: "page-changed" });
});

test("a call that is not known is told so", async () => {
    expect(await ask("reveal")).toMatchObject({ cause: expect.stringContaining("reveal") });
});
