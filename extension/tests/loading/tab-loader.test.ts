// Pages in tabs, with a browser that does as it is told.

import { explain } from "@husk/views";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { holdTab } from "../../src/background/held-tab";
import { type Pace, TabLoader } from "../../src/loading/tab-loader";
import { fault, HELD_TAB } from "../../src/protocol";
import { speaking } from "../speaking";

const URL_A = "https://example.org/a";

/** Fast, and with limits that nothing here reaches unless it hangs. */
const pace: Pace = { look: 2, quiet: 10, shut: 20, making: 60_000, all: 60_000 };

/** What looks at the tab show, one after the other; the last one stays. */
let sights: ("loading" | "shut" | "hanging" | number)[];
let open: Set<number>;
let created: chrome.tabs.CreateProperties[];
let muted: number[];
let looks: number;
let capture: () => Promise<{ url: string; html: string }>;
let heads: Record<string, string>;
let stop: AbortController;
let ports: chrome.runtime.Port[];

type Listener = (message: unknown) => void;

beforeEach(() => {
    sights = [5];
    open = new Set();
    created = [];
    muted = [];
    looks = 0;
    capture = async () => ({ url: URL_A, html: "<p>ä" });
    heads = { "Content-Type": "text/html" };
    stop = new AbortController();
    ports = [];
    vi.stubGlobal("fetch", async () => new Response(null, { headers: heads }));
    vi.stubGlobal("chrome", { i18n: speaking("en"), runtime: { connect }, tabs, scripting });
});

const sight = () => sights[Math.min(looks, sights.length) - 1];

/** A port to the background, whose other end is that of the extension. */
function connect({ name }: { name: string }): chrome.runtime.Port {
    expect(name).toBe(HELD_TAB);
    const sender = { tab: { id: 1, windowId: 3 } };
    const ends = [0, 1].map(() => ({ heard: [] as Listener[], cut: [] as Listener[], isCut: false }));
    const end = (mine: number) => {
        const [own, other] = [ends[mine], ends[1 - mine]];
        return {
            sender,
            onMessage: { addListener: (listener: Listener) => own?.heard.push(listener) },
            onDisconnect: { addListener: (listener: Listener) => own?.cut.push(listener) },
            postMessage: (message: unknown) => {
                if (own?.isCut) throw new Error("the port is closed");
                for (const listener of other?.heard ?? []) listener(message);
            },
            disconnect: () => {
                if (own?.isCut) return;
                for (const both of ends) both.isCut = true;
                for (const listener of other?.cut ?? []) listener(undefined);
            },
        } as unknown as chrome.runtime.Port;
    };
    const port = end(0);
    ports.push(port);
    holdTab(end(1));
    return port;
}

const tabs = {
    create: async (properties: chrome.tabs.CreateProperties) => {
        created.push(properties);
        open.add(100 + created.length);
        return { id: 100 + created.length };
    },
    update: async (id: number) => {
        muted.push(id);
        throw new Error("there is no sound here");
    },
    get: async (id: number) => {
        if (!open.has(id)) throw new Error("no such tab");
        looks += 1;
        return { status: sight() === "loading" ? "loading" : "complete" };
    },
    remove: async (id: number) => {
        if (!open.delete(id)) throw new Error("no such tab");
    },
    sendMessage: async (_: number, { number }: { number: number }) => {
        try {
            return { husk: "reply", number, value: await capture() };
        } catch (error) {
            return { husk: "reply", number, cause: (error as Error).message };
        }
    },
};

const scripting = {
    executeScript: async ({ func }: { func?: () => void }) => {
        const seen = sight();
        if (!func) return [];
        if (seen === "hanging") return new Promise(() => undefined);
        if (seen === "shut") throw new Error("showing error page");
        return [{ result: seen }];
    },
};

const isClosed = () => vi.waitFor(() => expect(open.size).toBe(0));
const load = (url = URL_A, chosen = pace) => new TabLoader(URL_A, stop.signal, chosen).load(url);

async function wordsOfMissing(url?: string, chosen?: Pace): Promise<string | undefined> {
    const loaded = await load(url, chosen);
    return loaded.kind === "missing" ? explain(loaded.cause).text : undefined;
}

describe("a page in a tab", () => {
    it("is read as it is, from a tab that is not shown, not heard, and closed", async () => {
        const loaded = await load();
        expect(loaded).toEqual({
            kind: "answer",
            answer: {
                url: URL_A,
                status: 200,
                contentType: "text/html; charset=utf-8",
                body: new TextEncoder().encode("<p>ä"),
            },
        });
        expect(created).toEqual([{ url: URL_A, active: false, openerTabId: 1, windowId: 3 }]);
        expect(muted).toEqual([101]);
        await isClosed();
    });

    it("is waited for until nothing is added any more", async () => {
        sights = ["loading", "loading", 5, 6, 7, 8, 9];
        await load();
        expect(looks).toBeGreaterThan(sights.length);
    });

    it("may be empty and shut at first", async () => {
        sights = ["shut", "shut", "loading", 5];
        expect((await load(URL_A, { ...pace, shut: 60_000 })).kind).toBe("answer");
    });

    it("is where it led to, but for the place in it", async () => {
        capture = async () => ({ url: "https://example.org/b?c#d", html: "" });
        expect(await load()).toMatchObject({ answer: { url: "https://example.org/b?c" } });
    });

    it("that is never quiet is read all the same", async () => {
        const ever = vi.spyOn(tabs, "get").mockImplementation(async () => {
            sights = [looks];
            looks += 1;
            return { status: "complete" };
        });
        expect((await load(URL_A, { ...pace, making: 50 })).kind).toBe("answer");
        ever.mockRestore();
        await isClosed();
    });
});

describe("a page that cannot be had in a tab", () => {
    it("because the browser shows an error, or another site", async () => {
        sights = ["loading", "shut"];
        expect(await wordsOfMissing()).toBe("could not be loaded, or redirects to another site");
        await isClosed();
    });

    it("because it never answers", async () => {
        sights = ["hanging"];
        expect(await wordsOfMissing(URL_A, { ...pace, all: 50 })).toBe("timed out");
        sights = ["loading"];
        capture = () => new Promise(() => undefined);
        expect(await wordsOfMissing(URL_A, { ...pace, making: 20, all: 50 })).toBe("timed out");
        await isClosed();
    });

    it("because its tab was closed", async () => {
        sights = ["loading"];
        const words = wordsOfMissing();
        await vi.waitFor(() => expect(looks).toBeGreaterThan(0));
        open.clear();
        expect(await words).toBe("its tab was closed");
    });

    it.each([
        ["not-html" as const, "not an HTML page"],
        ["too-large" as const, "too large"],
        ["no-access" as const, "could not be loaded, or redirects to another site"],
    ])("because it is read in vain: %s", async (kind, words) => {
        capture = () => Promise.reject(fault(kind));
        expect(await wordsOfMissing()).toBe(words);
        await isClosed();
    });

    it("because the browser opens none", async () => {
        const none = vi.spyOn(tabs, "create").mockRejectedValue(new Error("no window"));
        expect(await wordsOfMissing()).toBe("could not be loaded, or redirects to another site");
        none.mockRestore();
    });
});

describe("no tab is opened", () => {
    it("for what would end the session", async () => {
        expect(await wordsOfMissing("https://example.org/logout")).toMatch(/could log you out/);
        expect(created).toEqual([]);
    });

    it("for another site; of this one where the user is", async () => {
        expect(await wordsOfMissing("https://example.com/a")).toBe("redirects to another site");
        expect(created).toEqual([]);
        await load("http://www.example.org/a");
        expect(created).toMatchObject([{ url: URL_A }]);
    });

    it.each([{ "Content-Type": "application/zip" }, { "Content-Disposition": 'attachment; filename="a"' }])(
        "for a file, which would be saved: %j",
        async (said) => {
            heads = said;
            expect(await wordsOfMissing()).toBe("not an HTML page");
            expect(created).toEqual([]);
        },
    );

    it("unless the server does not say what it is", async () => {
        heads = {};
        expect((await load()).kind).toBe("answer");
        vi.stubGlobal("fetch", async () => Promise.reject(new TypeError("not for you")));
        expect((await load()).kind).toBe("answer");
        const refusal = { status: 405, headers: { "Content-Type": "text/plain" } };
        vi.stubGlobal("fetch", async () => new Response(null, refusal));
        expect((await load()).kind).toBe("answer");
    });
});

describe("the tab is closed at once", () => {
    it("when it is cancelled, whatever the page does", async () => {
        sights = ["hanging"];
        const loading = load();
        await vi.waitFor(() => expect(looks).toBeGreaterThan(0));
        stop.abort();
        await expect(loading).rejects.toThrow();
        await isClosed();
    });

    it("when it is cancelled while it is being opened", async () => {
        const { create } = tabs;
        const late = vi.spyOn(tabs, "create").mockImplementation(async (properties) => {
            stop.abort();
            return create(properties);
        });
        await expect(load()).rejects.toThrow();
        await isClosed();
        late.mockRestore();
        expect(created.length).toBe(1);
    });

    it("when the results page goes", async () => {
        sights = ["hanging"];
        void load().catch(() => undefined);
        await vi.waitFor(() => expect(looks).toBeGreaterThan(0));
        // So browsers do.
        ports[0]?.disconnect();
        await isClosed();
    });
});
