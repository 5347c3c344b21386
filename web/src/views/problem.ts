// Error messages and actions.

import { againButton, button, details, element, headingOf, paragraph } from "@husk/views";
import type { ProblemKind, ServerProblem } from "../api/problem";
import type { Flow } from "../flow";
import type { Input } from "../input/input";
import { type PlainKey, text } from "../words";
import { retryButton } from "./retry";
import { card, type PageView, type Views } from "./view";

/** Heading and advice. */
const SAID: Record<ProblemKind, [PlainKey, PlainKey]> = {
    offline: ["offlineHeading", "offlineSaid"],
    unauthorized: ["unauthorizedHeading", "unauthorizedSaid"],
    "private-address": ["privateHeading", "privateSaid"],
    "not-found": ["goneHeading", "goneSaid"],
    "bad-request": ["badRequestHeading", "badRequestSaid"],
    "too-large": ["tooLargeHeading", "tooLargeSaid"],
    "page-required": ["whichPageHeading", "whichPageSaid"],
    "no-sibling": ["noSiblingHeading", "noSiblingSaid"],
    "page-not-loaded": ["notLoadedHeading", "notLoadedSaid"],
    "queue-full": ["busyHeading", "busySaid"],
    timeout: ["timedOutHeading", "timedOutSaid"],
    "shutting-down": ["shuttingDownHeading", "shuttingDownSaid"],
    broken: ["brokenHeading", "brokenSaid"],
};

/** Errors where a retry may help. */
const WORTH_ANOTHER_TRY: ProblemKind[] = ["offline", "page-not-loaded", "timeout", "shutting-down", "broken"];

export const problem: Views["failed"] = ({ problem, input }, flow) => {
    const [heading, said] = SAID[problem.kind];
    const shown = [paragraph(text(said)), ...detailsOf(problem)];
    if (problem.kind === "unauthorized") return tokenView(headingOf(text(heading)), shown, flow);
    const retry = problem.kind === "queue-full" ? retryButton(flow, problem.retryAfter ?? 5) : undefined;
    const view = card(flow, headingOf(text(heading)), shown, [
        ...(retry ? [retry.button] : []),
        ...(WORTH_ANOTHER_TRY.includes(problem.kind)
            ? [againButton(() => void flow.again(), undefined, { class: "main" })]
            : []),
        ...instead(problem, input, flow),
        button(text("newPage"), () => flow.toStart(input?.kind === "url" ? input.url : ""), { id: "new" }),
    ]);
    return { ...view, leave: () => retry?.leave() };
};

/** The server's message, in English. */
function detailsOf({ kind, detail }: ServerProblem): HTMLElement[] {
    if (detail === "") return [];
    return kind === "broken" ? [details(detail)] : [paragraph(detail, { class: "detail", lang: "en" })];
}

/** A single saved page can be loaded from the web instead. */
function instead({ kind }: ServerProblem, input: Input | undefined, flow: Flow): HTMLElement[] {
    if (kind !== "no-sibling" || input?.kind !== "pages") return [];
    const { url } = input.page;
    if (new URL(url).hostname.endsWith(".invalid")) return [];
    const load = () => void flow.begin({ kind: "url", url });
    return [
        button(text("loadInstead", { host: new URL(url).host }), load, { class: "main", id: "load-instead" }),
    ];
}

function tokenView(heading: HTMLElement, said: Node[], flow: Flow): PageView {
    const field = element("input", {
        id: "token",
        type: "password",
        autocomplete: "current-password",
        required: true,
    });
    const form = element(
        "form",
        { class: "token-form" },
        element("label", { for: "token" }, text("token")),
        field,
        element("button", { type: "submit", class: "main" }, text("useToken")),
    );
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        if (field.value.trim() !== "") void flow.withToken(field.value);
    });
    return { ...card(flow, heading, [...said, form], []), focus: field };
}
