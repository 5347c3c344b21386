// What a press on the button opens.

import { beforeEach, expect, it, vi } from "vitest";
import { wasPressed } from "../../src/pressed";

type Created = Record<string, unknown>;

let created: Created[];
let kept: Created;
let entries: number;
let press: (tab: unknown) => void;

/** Starts the script in a browser that does as it is told. */
async function start({ takesTabs = true, isPrivate = false } = {}): Promise<void> {
    vi.resetModules();
    const listen = { addListener: () => undefined };
    vi.stubGlobal("chrome", {
        action: { onClicked: { addListener: (act: typeof press) => (press = act) } },
        commands: { onCommand: listen },
        contextMenus: {
            onClicked: listen,
            removeAll: (then: () => void) => then(),
            create: () => (entries += 1),
        },
        extension: { inIncognitoContext: isPrivate },
        i18n: { getMessage: () => "Extract template" },
        runtime: {
            onInstalled: listen,
            onConnect: listen,
            getURL: (path: string) => `chrome-extension://husk/${path}`,
        },
        storage: {
            session: {
                set: async (added: Created) => Object.assign(kept, added),
                get: async (key: string) => (key in kept ? { [key]: kept[key] } : {}),
            },
        },
        tabs: {
            create: async (asked: Created) => {
                if (!takesTabs && asked.windowId === 3) throw new Error("no further tabs here");
                created.push(asked);
            },
        },
    });
    await import("../../src/background/main");
}

beforeEach(() => {
    created = [];
    kept = {};
    entries = 0;
});

const url = "chrome-extension://husk/results.html?tab=7";
const tab = { id: 7, index: 4, windowId: 3 };

it("opens the results beside the tab, in its window", async () => {
    await start();
    press(tab);
    await vi.waitFor(() => expect(created).toEqual([{ url, openerTabId: 7, index: 5, windowId: 3 }]));
});

it("opens them anywhere if that window takes no further tab", async () => {
    await start({ takesTabs: false });
    press(tab);
    await vi.waitFor(() => expect(created).toEqual([{ url }]));
});

it("lets the results know for which tabs it was pressed", async () => {
    await start();
    press(tab);
    await vi.waitFor(() => expect(created.length).toBe(1));
    expect(await Promise.all([7, 8, Number.NaN].map(wasPressed))).toEqual([true, false, false]);
});

it("opens nothing for what is no tab", async () => {
    await start();
    press({ index: 0 });
    expect(created).toEqual([]);
});

it("makes the menu's entry in private windows whenever it starts there", async () => {
    await start();
    expect(entries).toBe(0);
    await start({ isPrivate: true });
    expect(entries).toBe(1);
});
