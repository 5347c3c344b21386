// Adapts the server's results to the shared components.

import { language, type OutputName, type Outputs, type Summary, Written } from "@husk/views";
import type { Server } from "./api/server";
import type { ResultSummary } from "./api/types";

export function summaryOf(result: ResultSummary): Summary {
    return {
        url: result.page,
        nodes: result.nodes,
        templateNodes: result.template_nodes,
        templateSupport: result.template_support,
        compared: result.compared,
        visits: result.visits,
        // Without the key page.
        loaded: result.loaded.slice(1),
        scripted: result.scripted,
        needsRendering: result.needs_rendering ?? undefined,
    };
}

export function writtenBy(server: Pick<Server, "output">, id: string): Written {
    return new Written({
        write: <Name extends OutputName>(name: Name) => server.output(id, name) as Promise<Outputs[Name]>,
    });
}

const UNITS = [
    ["day", 86_400],
    ["hour", 3600],
    ["minute", 60],
    ["second", 1],
] as const;

/** Formats an age in the largest unit: "3 minutes ago". */
export function ageOf(seconds: number): string {
    const [unit, length] = UNITS.find(([, length]) => seconds >= length) ?? UNITS[3];
    const format = new Intl.RelativeTimeFormat(language(), { numeric: "auto" });
    return format.format(-Math.round(seconds / length), unit);
}
