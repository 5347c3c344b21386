// What is loaded, how often, and what is said of it; the site is made of answers.

import { beforeEach, describe, expect, it, vi } from "vitest";
import { Loader } from "../../src/loading/loader";
import { atOriginOf } from "../../src/loading/own-origin";
import type { Loaded } from "../../src/protocol";

let asked: { url: string; credentials: RequestCredentials | undefined }[];
let answers: (url: string) => Response | Promise<Response>;

beforeEach(() => {
    asked = [];
    answers = (url) => new Response(`<p>${url}`);
    vi.stubGlobal("fetch", async (url: string, { credentials }: RequestInit) => {
        asked.push({ url, credentials });
        return answers(url);
    });
});

const site = "https://example.org";
const urls = () => asked.map(({ url }) => url);

function loader(sendsCookies = true, signal = new AbortController().signal): Loader {
    return new Loader({ keyPage: `${site}/`, sendsCookies, signal });
}

function bodyOf(loaded: Loaded): Uint8Array {
    if (loaded.kind === "missing") throw new Error(loaded.cause);
    return loaded.answer.body;
}

describe("pages", () => {
    it("are begun ahead, a few at once, and each only once", async () => {
        const ahead = ["/a", "/b", "/c", "/d"].map((path) => site + path);
        const pages = loader();
        await pages.load(`${site}/a`, ahead);
        expect(urls()).toEqual(ahead.slice(0, 3));
        await pages.load(`${site}/b`, ahead.slice(1));
        expect(urls()).toEqual(ahead);
    });

    it("are whole when they are asked for again, whatever became of the bytes", async () => {
        const pages = loader();
        const first = bodyOf(await pages.load(`${site}/a`, [`${site}/a`]));
        structuredClone(first, { transfer: [first.buffer] });
        expect(first.length).toBe(0);
        expect(new TextDecoder().decode(bodyOf(await pages.load(`${site}/a`)))).toBe(`<p>${site}/a`);
    });

    it("are asked for with the user's cookies or without", async () => {
        await loader(true).load(`${site}/a`);
        await loader(false).load(`${site}/a`);
        expect(asked.map(({ credentials }) => credentials)).toEqual(["include", "omit"]);
    });

    it("that would log the user out are not loaded in the user's name", async () => {
        const loaded = await loader(true).load(`${site}/logout`);
        expect(loaded).toMatchObject({
            kind: "missing",
            cause: expect.stringContaining("ends your session"),
        });
        expect(asked).toEqual([]);
        await loader(false).load(`${site}/logout`);
        expect(urls()).toEqual([`${site}/logout`]);
    });
});

describe("addresses of the same site", () => {
    it("are asked for at the origin that there is permission for", async () => {
        await loader().load("http://www.example.org/a?b=1#c", ["http://www.example.org/a?b=1#c"]);
        expect(urls()).toEqual([`${site}/a?b=1`]);
    });

    const check = (keyPage: string, url: string, expected: string) => {
        it(`${url} from ${keyPage} is ${expected}`, () => expect(atOriginOf(keyPage, url)).toBe(expected));
    };
    check("https://www.example.org/", "https://example.org/a", "https://www.example.org/a");
    check("http://example.org/", "https://example.org/a", "http://example.org/a");
    check("https://example.org/", "http://example.org:443/a", "https://example.org/a");
    check("http://[::1]:81/", "https://[::1]:81/a", "http://[::1]:81/a");
    // No browser asks for an address with a password in it.
    check("https://u:p@example.org/", "https://u:p@example.org/a", "https://example.org/a");
    // These are other sites.
    check("https://example.org/", "https://a.example.org/a", "https://a.example.org/a");
    check("http://example.org/", "http://example.org:81/a", "http://example.org:81/a");
    check("https://org/", "https://www.org/a", "https://www.org/a");
});

describe("addresses of other sites", () => {
    it.each(["https://elsewhere.example/map.xml", "http://192.168.1.1/", "https://example.org:81/"])(
        "%s is not asked for",
        async (url) => {
            const loaded = await loader().load(url);
            expect(loaded).toMatchObject({
                kind: "missing",
                cause: expect.stringContaining("another site, "),
            });
            expect(asked).toEqual([]);
        },
    );
});

describe("what cannot be had", () => {
    it("is said of the page alone", async () => {
        answers = () => Promise.reject(new TypeError("Failed to fetch"));
        const loaded = await loader().load(`${site}/a`);
        expect(loaded).toEqual({
            kind: "missing",
            cause: `${site}/a could not be loaded, or leads to another site`,
        });
    });

    it("ends it all once the user has cancelled", async () => {
        const stop = new AbortController();
        answers = () => {
            stop.abort();
            return Promise.reject(stop.signal.reason);
        };
        await expect(loader(true, stop.signal).load(`${site}/a`)).rejects.toThrow(/abort/i);
    });
});
