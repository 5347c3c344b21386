// The result in one line.

import { counted, number, share, text } from "./i18n";
import type { Summary } from "./outputs";

export function facts({ nodes, templateNodes, templateSupport, compared }: Summary): string {
    if (templateSupport === 0) return text("factsAlone", { nodes: number(nodes) });
    const template = text("factsTemplate", {
        share: share(templateNodes / Math.max(1, nodes)),
        nodes: number(nodes),
    });
    // A template that was learned before is not compared with any page now.
    if (compared.length === 0) return template;
    return `${template} ${counted("factsCompared", compared.length)}`;
}
