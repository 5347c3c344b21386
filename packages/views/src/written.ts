// Outputs, each requested once.

import type { OutputName, Outputs, Writer } from "./outputs";

export class Written {
    readonly #done = new Map<OutputName, Promise<unknown>>();

    constructor(private readonly writer: Writer) {}

    get<Name extends OutputName>(name: Name): Promise<Outputs[Name]> {
        const begun = this.#done.get(name) ?? this.writer.write(name);
        this.#done.set(name, begun);
        return begun as Promise<Outputs[Name]>;
    }

    /** As text; objects as the command prints them. */
    async text(name: OutputName): Promise<string> {
        const value = await this.get(name);
        return typeof value === "string" ? value : `${JSON.stringify(value, null, 2)}\n`;
    }
}
