// @vitest-environment jsdom

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { problemOf } from "../src/api/problem";
import type { FoundFile } from "../src/input/files";
import { pathTo, routeOf } from "../src/route";
import type { Kept } from "../src/state";
import { MockServer } from "./mock-server.mjs";
import { TestPage } from "./page";

const INPUT = { kind: "url", url: "https://lights.example/stories/the-fog" } as const;

let server: MockServer;
let page: TestPage;

beforeEach(async () => {
    server = await MockServer.start();
    page = new TestPage(server.origin);
});
afterEach(() => server.close());

function finished(of = page): { result: Kept; other: Kept | undefined } {
    const { state } = of;
    if (state?.name !== "finished") throw new Error(`it is ${JSON.stringify(state)}`);
    return state;
}

const posts = () => server.requests.filter(({ method }) => method === "POST");

describe("an address", () => {
    it("leads to a result with an address of its own", async () => {
        await page.flow.open();
        await page.flow.begin(INPUT);
        expect(page.way).toEqual(["start", "crawling", "finished"]);
        expect(page.path).toBe("/r/r1");
        expect(finished().result.crawl?.pages.map(({ state }) => state)).toEqual([
            ...["accepted", "accepted", "accepted", "rejected", "accepted", "accepted", "failed"],
        ]);
        expect(posts()[0]?.headers).toMatchObject({
            accept: "text/event-stream",
            "content-type": "application/json",
        });
    });

    it("shows the same to who opens that address later", async () => {
        await page.flow.begin(INPUT);
        const other = new TestPage(server.origin, page.path);
        await other.flow.open();
        expect(other.way).toEqual(["opening", "finished"]);
        expect(finished(other).result.summary).toEqual(finished().result.summary);
    });

    it("goes back and forth without asking again", async () => {
        await page.flow.begin(INPUT);
        const asked = server.requests.length;
        page.path = "/";
        await page.flow.open();
        page.path = "/r/r1";
        await page.flow.open();
        expect(page.way.slice(-3)).toEqual(["start", "opening", "finished"]);
        expect(server.requests.length).toBe(asked);
    });

    it("can be given up: the server is told, and what was typed is kept", async () => {
        server.pace = 50;
        const running = page.flow.begin(INPUT);
        await expect.poll(() => page.states.length).toBeGreaterThan(3);
        page.flow.cancel(INPUT, undefined);
        await running;
        expect(page.state).toEqual({ name: "start", url: INPUT.url });
        await expect.poll(() => posts()[0]?.isCutOff).toBe(true);
        expect(page.addresses).toEqual([]);
    });

    it("takes the place of one that is under way", async () => {
        server.pace = 30;
        const first = page.flow.begin(INPUT);
        await expect.poll(() => page.states.length).toBeGreaterThan(2);
        server.pace = 0;
        await page.flow.begin({ ...INPUT, url: "https://b.example/" });
        await first;
        expect(page.addresses).toEqual(["/r/r1"]);
    });
});

describe("two methods", () => {
    it("are run on the same, and stand side by side", async () => {
        await page.flow.begin(INPUT);
        await page.flow.compare(finished().result);
        const { result, other } = finished();
        expect([result.summary.method, other?.summary.method]).toEqual(["husk", "paper"]);
        expect(page.path).toBe("/r/r1?with=r2");
        expect(posts().map(({ body }) => JSON.parse(body ?? "").options.method)).toEqual(["husk", "paper"]);

        const shared = new TestPage(server.origin, page.path);
        await shared.flow.open();
        expect(finished(shared).other?.summary.id).toBe("r2");
        shared.flow.alone(finished(shared).result);
        expect(shared.path).toBe("/r/r1");
    });

    it("are run on the files that were given, as long as the page is open", async () => {
        const given = {
            kind: "pages",
            page: { url: "https://site.invalid/a", html: "<p>" },
            siblings: [],
        } as const;
        await page.flow.begin({ ...given, siblings: [] });
        await page.flow.compare(finished().result);
        expect(JSON.parse(posts()[1]?.body ?? "").page).toEqual(given.page);
    });

    it("leave the first result when the second is given up", async () => {
        await page.flow.begin(INPUT);
        const { result } = finished();
        server.pace = 50;
        const running = page.flow.compare(result);
        await expect.poll(() => page.state?.name).toBe("crawling");
        page.flow.cancel(INPUT, result);
        await running;
        expect(finished()).toMatchObject({ result, other: undefined });
        expect(page.path).toBe("/r/r1");
    });

    it("can begin anew without what was learned", async () => {
        await page.flow.begin(INPUT);
        await page.flow.anew(finished().result);
        expect(JSON.parse(posts()[1]?.body ?? "")).toMatchObject({
            fresh: true,
            options: { method: "husk" },
        });
    });
});

describe("files", () => {
    const found = (path: string, words = "<p>"): FoundFile => ({ path, file: new File([words], path) });

    it("of one page are extracted at once", async () => {
        await page.flow.give(Promise.resolve([found("a.html", "<p>Fog")]));
        expect(page.way).toEqual(["reading", "crawling", "finished"]);
        expect(JSON.parse(posts()[0]?.body ?? "")).toMatchObject({
            page: { url: "https://site.invalid/a.html", html: "<p>Fog" },
            siblings: [],
        });
    });

    it("of several pages are offered first", async () => {
        const files = [found("s/b.html"), found("s/index.html")];
        await page.flow.give(Promise.resolve(files));
        expect(page.state).toEqual({ name: "choosing-file", files: [files[1], files[0]] });
        await page.flow.chooseFile(files[0] as FoundFile, files);
        expect(JSON.parse(posts()[0]?.body ?? "")).toMatchObject({
            page: { url: "https://site.invalid/b.html" },
            siblings: [{ url: "https://site.invalid/index.html" }],
        });
    });

    it("of an archive are sent as they are, and ask which page is meant", async () => {
        const pages = ["https://a.example/", "https://a.example/b"];
        server.fault = ({ path }) =>
            path.includes("page=")
                ? undefined
                : { status: 422, body: { type: "/problems/page-required", pages } };
        // What the test's own document has for a file is nothing that can be sent.
        const bytes = await new Response("WARC/1.1").blob();
        const file = Object.assign(bytes, { name: "a.warc" }) as File;
        await page.flow.give(Promise.resolve([{ path: "a.warc", file }]));
        expect(page.state).toEqual({ name: "choosing-page", file, pages });
        await page.flow.begin({ kind: "archive", file, page: pages[1] ?? "" });
        expect(posts()[1]).toMatchObject({
            path: "/v1/results?page=https%3A%2F%2Fa.example%2Fb&method=husk",
            body: "WARC/1.1",
        });
        expect(posts()[1]?.headers["content-type"]).toBe("application/warc");
    });

    it("that are too large are not sent", async () => {
        const file = { name: "a.warc", size: 17 * 1024 * 1024 } as File;
        await page.flow.give(Promise.resolve([{ path: "a.warc", file }]));
        expect(page.state).toMatchObject({ name: "start", refused: { kind: "too-large", name: "a.warc" } });
        expect(server.requests).toEqual([]);
    });

    it("that are no pages are refused by name", async () => {
        await page.flow.give(Promise.resolve([found("cat.pdf")]));
        expect(page.state).toMatchObject({ refused: { kind: "nothing", names: ["cat.pdf"] } });
    });
});

describe("what goes wrong", () => {
    const failure = () => (page.state?.name === "failed" ? page.state.problem : undefined);

    it("is told by its type, also in the middle of the stream", async () => {
        server.fault = () => ({
            status: 403,
            body: { type: "/problems/private-address", detail: "10.0.0.1" },
        });
        await page.flow.begin(INPUT);
        expect(failure()).toMatchObject({ kind: "private-address", detail: "10.0.0.1" });
    });

    it("is told by its status if a server in between says it", async () => {
        server.fault = () => ({ status: 504, body: undefined });
        await page.flow.begin(INPUT);
        expect(failure()?.kind).toBe("timeout");
    });

    it("knows when to try again, and does the same again", async () => {
        server.fault = () => ({
            status: 429,
            headers: { "Retry-After": "7" },
            body: { type: "/problems/queue-full" },
        });
        await page.flow.begin(INPUT);
        expect(failure()).toMatchObject({ kind: "queue-full", retryAfter: 7 });
        server.fault = () => undefined;
        await page.flow.again();
        expect(finished().result.input).toBe(INPUT);
    });

    it("is the network, where there is no answer or an end too early", async () => {
        const gone = new TestPage("http://127.0.0.1:9");
        await gone.flow.begin(INPUT);
        expect(gone.state).toMatchObject({ name: "failed", problem: { kind: "offline" } });
    });

    it("is a token that has to be given, and is sent from then on", async () => {
        server.fault = ({ headers }) =>
            headers.authorization === "Bearer open" ? undefined : { status: 401, body: {} };
        await page.flow.begin(INPUT);
        expect(failure()?.kind).toBe("unauthorized");
        await page.flow.withToken("wrong");
        expect(failure()?.kind).toBe("unauthorized");
        expect(page.flow.hasToken).toBe(false);
        await page.flow.withToken(" open ");
        expect(finished().result.summary.id).toBe("r1");
        expect(page.flow.hasToken).toBe(true);
    });

    it("is a result that has expired", async () => {
        const late = new TestPage(server.origin, "/r/gone");
        await late.flow.open();
        expect(late.state).toMatchObject({ name: "failed", problem: { kind: "not-found" } });
    });

    it("has a date for another try as well", () => {
        const later = new Date(Date.now() + 30_000).toUTCString();
        expect(problemOf({ status: 429 }, later).retryAfter).toBeGreaterThan(27);
        expect(problemOf({ status: 429 }, "soon").retryAfter).toBeUndefined();
    });
});

describe("an address of the page", () => {
    it.each([
        ["/", { name: "start" }],
        ["/r/k3", { name: "result", id: "k3", other: undefined }],
        ["/r/k3?with=a%2Fb", { name: "result", id: "k3", other: "a/b" }],
        ["/elsewhere", { name: "start" }],
    ] as const)("%s is read, and written the same", (path, route) => {
        const url = new URL(path, "https://husk.example");
        expect(routeOf(url)).toEqual(route);
        if (path !== "/elsewhere") expect(pathTo(route)).toBe(path);
    });
});
