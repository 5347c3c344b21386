// From the click to the results, with a tab and an engine that do as they are told.

import type { Summary } from "@husk/views";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TabLoader } from "../../src/loading/tab-loader";
import type { Step } from "../../src/protocol";
import { fault } from "../../src/protocol";
import { type Engine, Flow } from "../../src/results/flow";
import type { State } from "../../src/results/model";

const page = { url: "https://example.org:8080/a", html: "<p>a", title: "A", charset: "UTF-8", capture: 1 };
const summary: Summary = {
    url: page.url,
    nodes: 10,
    templateNodes: 5,
    templateSupport: 1,
    compared: ["https://example.org:8080/b"],
    visits: [],
    loaded: [],
    scripted: [],
    needsRendering: undefined,
};
const wanted: Step = {
    kind: "page",
    url: "https://example.org:8080/b",
    why: "linked",
    atMost: 1,
    ahead: ["https://example.org:8080/b", "https://example.org:8080/c"],
};

let isAllowed: boolean;
let steps: (Step | Error)[];
let requested: unknown[];
let engines: { stopped: boolean; given: unknown[] }[];
let states: State[];

afterEach(() => vi.restoreAllMocks());

beforeEach(() => {
    isAllowed = true;
    steps = [wanted, { kind: "finished", summary }];
    requested = [];
    engines = [];
    states = [];
    vi.stubGlobal("chrome", {
        permissions: {
            contains: async () => isAllowed,
            request: async (asked: unknown) => {
                requested.push(asked);
                return isAllowed;
            },
        },
        storage: { local: { get: async () => ({}) } },
        tabs: { get: async () => ({ url: "chrome://settings/" }) },
    });
    vi.stubGlobal("fetch", async () => new Response("<p>b"));
});

function newEngine(): Engine {
    const engine = { stopped: false, given: [] as unknown[] };
    engines.push(engine);
    const left = [...steps];
    const call = async (name: string, parameters: unknown[]) => {
        if (name === "give") engine.given.push(parameters[0]);
        const step = left.shift();
        if (step instanceof Error) throw step;
        return step;
    };
    const stop = () => {
        engine.stopped = true;
    };
    return { call, stop } as unknown as Engine;
}

function flowFrom(capture: () => Promise<unknown>): Flow {
    const tab = { tab: 7, call: capture } as ConstructorParameters<typeof Flow>[0];
    return new Flow(tab, newEngine, (state) => states.push(state));
}

const flow = () => flowFrom(async () => page);
const names = () => [...new Set(states.map((state) => state.name))];
const last = () => states.at(-1);
const problem = () => {
    const state = last();
    return state?.name === "failed" ? state.problem.kind : undefined;
};

describe("the flow", () => {
    it("goes through to the results where the site is allowed", async () => {
        await flow().start();
        expect(names()).toEqual(["reading", "loading", "finished"]);
        expect(engines[0]?.given).toMatchObject([{ kind: "answer", answer: { status: 200 } }]);
    });

    it("asks first where it is not, and loads nothing before", async () => {
        isAllowed = false;
        const fetched = vi.fn();
        vi.stubGlobal("fetch", fetched);
        await flow().start();
        expect(names()).toEqual(["reading", "asking-permission"]);
        expect(fetched).not.toHaveBeenCalled();
        expect(engines).toEqual([]);
    });

    it("asks for the site alone, within the click", () => {
        const begun = flow();
        void begun.allow(page);
        expect(requested).toEqual([{ origins: ["https://example.org/*"] }]);
    });

    it("goes on at once when it is allowed", async () => {
        await flow().allow(page);
        expect(last()?.name).toBe("finished");
    });

    it("says so when it is refused", async () => {
        isAllowed = false;
        await flow().allow(page);
        expect(problem()).toBe("refused");
    });

    it("says so when the browser knows no such site", async () => {
        const refuse = () => {
            throw new TypeError("invalid pattern");
        };
        vi.stubGlobal("chrome", { permissions: { contains: refuse, request: refuse } });
        const begun = flow();
        await begun.start();
        expect(last()?.name).toBe("asking-permission");
        await begun.allow(page);
        expect(problem()).toBe("broken");
    });

    it("cares for no answer of the browser once the user did something else", async () => {
        let fail: (cause: Error) => void = () => undefined;
        const request = () => new Promise((_, reject) => (fail = reject));
        vi.stubGlobal("chrome", { permissions: { request } });
        const begun = flow();
        const asking = begun.allow(page);
        begun.cancel();
        fail(new Error("asked twice"));
        await asking;
        expect(last()?.name).toBe("cancelled");
    });

    it("is cancelled while the tab does not answer", async () => {
        let tell: (read: unknown) => void = () => undefined;
        const begun = flowFrom(() => new Promise((resolve) => (tell = resolve)));
        const running = begun.start();
        begun.cancel();
        tell(page);
        await running;
        expect(last()?.name).toBe("cancelled");
        expect(engines).toEqual([]);
    });

    it("shows that it is under way as soon as a button is pressed", () => {
        const begun = flow();
        for (const press of [() => begun.alone(page), () => begun.inTabs(page)]) {
            states = [];
            void press();
            expect(names()).toEqual(["loading"]);
            begun.cancel();
        }
    });

    it("does with the page alone, loading nothing", async () => {
        const fetched = vi.fn();
        vi.stubGlobal("fetch", fetched);
        steps = [wanted, { kind: "finished", summary: { ...summary, compared: [] } }];
        await flow().alone(page);
        expect(last()?.name).toBe("finished");
        expect(fetched).not.toHaveBeenCalled();
        expect(engines[0]?.given).toMatchObject([{ kind: "missing" }]);
    });

    it("says what is wrong when nothing could be compared, and can show the rest", async () => {
        steps = [{ kind: "finished", summary: { ...summary, compared: [] } }];
        const begun = flow();
        await begun.start();
        expect(problem()).toBe("no-links");
        await begun.alone(page, summary);
        expect(last()?.name).toBe("finished");
        expect(engines.length).toBe(1);
    });

    it("loads pages in tabs when that is chosen, and files as ever", async () => {
        const opened: string[] = [];
        const shut = { load: async (url: string) => ({ kind: "missing", cause: `${opened.push(url)}` }) };
        vi.spyOn(TabLoader.prototype, "load").mockImplementation(shut.load as TabLoader["load"]);
        const fetched: string[] = [];
        vi.stubGlobal("fetch", async (url: string) => {
            fetched.push(url);
            return new Response("User-agent: *");
        });
        const robots = "https://example.org:8080/robots.txt";
        const frames = { ...summary, scripted: summary.compared };
        steps = [wanted, { kind: "file", url: robots }, { kind: "finished", summary: frames }];
        const begun = flow();
        await begun.start();
        expect(problem()).toBe("scripts");
        expect(opened).toEqual([]);
        fetched.length = 0;
        // What is chosen once holds when it is done again.
        for (const act of [() => begun.inTabs(page), () => begun.start()]) {
            await act();
            expect(last()?.name).toBe("finished");
            expect(opened.splice(0)).toEqual([wanted.url]);
            expect(fetched.splice(0)).toEqual([robots]);
        }
    });

    it("is cancelled while a page is loaded: the request ends, the engine too, and nothing comes after", async () => {
        let ended = false;
        vi.stubGlobal("fetch", (_: string, { signal }: { signal: AbortSignal }) => {
            return new Promise((_, reject) => {
                signal.addEventListener("abort", () => {
                    ended = true;
                    reject(signal.reason);
                });
            });
        });
        const begun = flow();
        const running = begun.start();
        await vi.waitFor(() => expect(states.length).toBeGreaterThan(2));
        begun.cancel();
        await running;
        expect(ended).toBe(true);
        expect(engines[0]?.stopped).toBe(true);
        expect(last()?.name).toBe("cancelled");
    });

    it("begins anew after that", async () => {
        const begun = flow();
        begun.cancel();
        await begun.start();
        expect(last()?.name).toBe("finished");
    });

    it("tells when the engine breaks", async () => {
        steps = [new Error("unreachable")];
        await flow().start();
        expect(last()).toEqual({ name: "failed", problem: { kind: "broken", details: "unreachable" } });
    });

    it("tells when the tab cannot be read", async () => {
        await flowFrom(() => Promise.reject(fault("no-access"))).start();
        expect(problem()).toBe("kept-away");
    });

    it("tells of pages that have no site", async () => {
        await flowFrom(async () => ({ ...page, url: "file:///home/a.html" })).start();
        expect(problem()).toBe("no-site");
    });
});
