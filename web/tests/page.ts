// The page in a test: its flow and its screen, with a server that answers what the test wants.

import { Server } from "../src/api/server";
import { Token } from "../src/api/token";
import { Flow, type Place } from "../src/flow";
import type { Screen } from "../src/screen";
import type { State } from "../src/state";

export class TestPage {
    readonly states: State[] = [];
    readonly addresses: string[] = [];
    readonly flow: Flow;
    readonly token: Token;
    path: string;

    /** With a screen if there is a document to show it in. */
    constructor(origin: string, path = "/", screen?: Screen) {
        this.path = path;
        const kept = new Map<string, string>();
        this.token = new Token({
            getItem: (key) => kept.get(key) ?? null,
            setItem: (key, value) => void kept.set(key, value),
            removeItem: (key) => void kept.delete(key),
        });
        this.flow = new Flow(new Server(this.token, origin), this.token, this.#place(), (state) => {
            this.states.push(state);
            screen?.show(state, this.flow);
        });
    }

    get state(): State | undefined {
        return this.states.at(-1);
    }

    /** The names of the states it was in, each once in a row. */
    get way(): string[] {
        const names = this.states.map(({ name }) => name);
        return names.filter((name, at) => name !== names[at - 1]);
    }

    #place(): Place {
        const go = (_: unknown, __: string, path?: string | URL | null) => {
            this.path = String(path);
            this.addresses.push(this.path);
        };
        const here = () => new URL(this.path, "https://husk.example");
        return {
            get location() {
                return here();
            },
            history: { pushState: go, replaceState: go },
        };
    }
}
