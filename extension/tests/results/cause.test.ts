import type { Visit } from "@husk/core";
import { Session } from "@husk/core";
import { allWantLogin, explain, NOT_WANTED } from "@husk/views";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Loader } from "../../src/loading/loader";
import { speaking } from "../speaking";

beforeEach(() => vi.stubGlobal("chrome", { i18n: speaking("es") }));

function visit(cause: string | null, found_at: string | null = null): Visit {
    const outcome = cause === null ? "compared" : found_at === null ? "unavailable" : "refused";
    return { url: "https://example.org/a", found_at, why: "linked", outcome, cause };
}

describe("a cause", () => {
    it.each([
        ["https://example.org/a answers 404 (not found): check the address", "no encontrada (404)"],
        ["https://example.org/a answers 503: try again later", "error del servidor (503)"],
        ["https://example.org/a answers 429", "demasiadas peticiones (429)"],
        ["is a copy of the key page", "una copia de esta página"],
        ["is in another language", "está en otro idioma"],
        ["has another layout; it asks for a password", "pide iniciar sesión"],
        ["has another layout", "tiene otro diseño"],
        ["leads to https://example.org/b again", "redirige a una página ya cargada"],
        ["leads to another site, https://example.com/", "redirige a otro sitio"],
        [NOT_WANTED, "no se ha cargado, como has elegido"],
    ])("is said in the user's words: %s", (cause, words) => {
        expect(explain(cause)).toEqual({ text: words, detail: undefined });
    });

    it("that is not known is shown as it came", () => {
        expect(explain("the moon was full")).toEqual({
            text: "no se ha podido usar",
            detail: "the moon was full",
        });
    });

    it("of the loader is known", async () => {
        const loader = new Loader({
            keyPage: "https://example.org/",
            sendsCookies: true,
            signal: new AbortController().signal,
        });
        const causeOf = async (url: string) => {
            const loaded = await loader.load(url);
            return loaded.kind === "missing" ? explain(loaded.cause) : undefined;
        };
        expect((await causeOf("https://example.org/logout"))?.text).toMatch(/cerrar tu sesión/);
        vi.stubGlobal("fetch", async () => Promise.reject(new TypeError("NetworkError")));
        expect((await causeOf("https://example.org/a"))?.detail).toBeUndefined();
        vi.stubGlobal("fetch", async () => Promise.reject(new DOMException("", "TimeoutError")));
        expect((await causeOf("https://example.org/b"))?.text).toBe("se agotó el tiempo");
    });

    it("of the engine is known", () => {
        const cause = (body: string, contentType: string) => {
            const session = new Session("https://example.org/", "<a href=/a>a</a><a href=/b>b</a>");
            const url = session.nextWanted() ?? "";
            const why = session.giveAnswer({ url, contentType, body: new TextEncoder().encode(body) });
            return explain(why ?? session.finish().templateJson().failed[0]?.cause ?? "");
        };
        expect(cause("%PDF-1.7", "application/pdf")).toEqual({
            text: "no es una página HTML",
            detail: undefined,
        });
        const login = "<title>Log in</title><form><input type=password></form>";
        expect(cause(login, "text/html").text).toBe("pide iniciar sesión");
    });
});

describe("a site that wants its readers to log in", () => {
    const gate = "https://example.org/login";
    const login = visit("has another layout; it asks for a password", gate);

    it("shows the login instead of every page", () => {
        expect(allWantLogin([login, visit(`leads to ${gate} again`, gate)])).toBe(true);
        expect(allWantLogin([visit("https://example.org/a answers 401: no")])).toBe(true);
    });

    it("is not one that shows some pages, or none for other reasons", () => {
        expect(allWantLogin([login, visit("has another layout", "https://example.org/b")])).toBe(false);
        expect(allWantLogin([visit("https://example.org/a answers 404: no")])).toBe(false);
        expect(allWantLogin([])).toBe(false);
    });
});
