// The result in one line.

import { counted, number, share, text } from "./i18n";
import type { Summary } from "./outputs";

export function facts({ nodes, templateNodes, compared }: Summary): string {
    if (compared.length === 0) return text("factsAlone", { nodes: number(nodes) });
    const template = text("factsTemplate", {
        share: share(templateNodes / Math.max(1, nodes)),
        nodes: number(nodes),
    });
    return `${template} ${counted("factsCompared", compared.length)}`;
}
