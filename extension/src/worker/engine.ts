// Runs the engine's session step by step.

import { type Extraction, type Format, Listing, type Options, type Part, Session } from "@husk/core";
import type { CapturedPage, EngineOutputName, EngineOutputs, Loaded, Step, WorkerCalls } from "../protocol";

type State =
    | { kind: "idle" }
    | { kind: "pages"; session: Session }
    | { kind: "robots"; session: Session }
    | { kind: "files"; session: Session; listing: Listing }
    | { kind: "finished"; extraction: Extraction };

export class Engine implements WorkerCalls {
    #state: State = { kind: "idle" };
    #url = "";
    #charset = "";

    begin(page: CapturedPage, options: Partial<Options>): Step {
        this.#url = page.url;
        this.#charset = page.charset;
        this.#state = { kind: "pages", session: new Session(page.url, page.html, options) };
        return this.#next();
    }

    give(loaded: Loaded): Step {
        switch (this.#state.kind) {
            case "pages":
                givePage(this.#state.session, loaded, this.#charset);
                break;
            case "robots":
                this.#list(this.#state.session, loaded);
                break;
            case "files":
                giveFile(this.#state.listing, loaded);
                break;
            default:
                throw new Error("nothing was asked for");
        }
        return this.#next();
    }

    write<Name extends EngineOutputName>(name: Name): EngineOutputs[Name] {
        if (this.#state.kind !== "finished") throw new Error("nothing is extracted yet");
        return writeOutput(this.#state.extraction, name) as EngineOutputs[Name];
    }

    #next(): Step {
        for (;;) {
            const step = this.#step();
            if (step) return step;
        }
    }

    /** The next request; undefined if only the state changed. */
    #step(): Step | undefined {
        const state = this.#state;
        switch (state.kind) {
            case "idle":
                throw new Error("no page was given");
            case "pages":
                return this.#wantPage(state.session);
            case "robots":
                return { kind: "file", url: new URL("/robots.txt", this.#url).href };
            case "files":
                return this.#wantFile(state.session, state.listing);
            case "finished":
                return { kind: "finished", summary: summary(state.extraction) };
        }
    }

    #wantPage(session: Session): Step | undefined {
        const url = session.nextWanted();
        const why = session.whyWanted();
        if (url !== undefined && why !== undefined) {
            return { kind: "page", url, why, atMost: session.wantedAtMost(), ahead: session.wantedAhead() };
        }
        this.#state = session.wantsAddresses()
            ? { kind: "robots", session }
            : { kind: "finished", extraction: session.finish() };
        return undefined;
    }

    /** Starts to read robots.txt and sitemaps. */
    #list(session: Session, robots: Loaded): void {
        const body = bodyOf(robots);
        const text = body && new TextDecoder().decode(body);
        this.#state = { kind: "files", session, listing: new Listing(this.#url, text) };
    }

    #wantFile(session: Session, listing: Listing): Step | undefined {
        const url = listing.nextWanted();
        if (url !== undefined) return { kind: "file", url };
        session.offer(listing.finish());
        this.#state = { kind: "pages", session };
        return undefined;
    }
}

function givePage(session: Session, loaded: Loaded, fallbackCharset: string): void {
    if (loaded.kind === "answer") session.giveAnswer({ ...loaded.answer, fallbackCharset });
    else session.giveUp(loaded.cause);
}

function giveFile(listing: Listing, loaded: Loaded): void {
    const body = bodyOf(loaded);
    if (body) listing.give(body);
    else listing.giveUp();
}

/** The loaded response, if any. */
function bodyOf(loaded: Loaded): Uint8Array | undefined {
    if (loaded.kind === "missing") return undefined;
    const { status = 200, body } = loaded.answer;
    return status >= 200 && status < 300 ? body : undefined;
}

function summary(extraction: Extraction) {
    return {
        url: extraction.keyPage,
        nodes: extraction.nodeCount,
        templateNodes: extraction.templateNodeCount,
        templateSupport: extraction.support,
        compared: extraction.compared,
        visits: extraction.visits,
        // Without the key page.
        loaded: extraction.loaded.slice(1),
        scripted: extraction.scriptedPages,
        needsRendering: extraction.needsRendering(),
    };
}

/** Outputs that are objects. */
const objects: Partial<{ [Name in EngineOutputName]: (extraction: Extraction) => EngineOutputs[Name] }> = {
    "template-json": (extraction) => extraction.templateJson(),
    "menu-json": (extraction) => extraction.menuJson(true),
    "content-json": (extraction) => extraction.contentJson(),
    "pagelets-json": (extraction) => extraction.pageletsJson(),
    "inspect-marks": (extraction) => extraction.marksJson(),
};

function writeOutput(extraction: Extraction, name: EngineOutputName): unknown {
    // No style sheets here: the page is displayed in its tab.
    if (name === "template-page") return extraction.write("template", "html");
    const [part, format] = name.split(/-(.*)/) as [Part, Format];
    return objects[name]?.(extraction) ?? extraction.write(part, format, { document: true });
}
