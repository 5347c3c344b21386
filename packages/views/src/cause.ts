// Why a page was not used, in the user's language.
//
// Causes come from the loader and the engine as English sentences. Known ones are translated; for others the
// sentence is shown as detail.

import type { Visit } from "./engine";
import { type PlainKey, text } from "./i18n";

/** Cause for pages that the user did not want loaded. */
export const NOT_WANTED = "no other pages were wanted";

export interface Cause {
    text: string;
    /** The original sentence, if it was not translated. */
    detail: string | undefined;
}

const LOGIN = /; it asks for a password$/;

const KNOWN: [RegExp, PlainKey][] = [
    [new RegExp(`^${NOT_WANTED}$`), "causeNotWanted"],
    [/ends your session/, "causeEndsSession"],
    [/^leads back to the key page/, "causeKeyPage"],
    [/^leads to .* again$/, "causeAgain"],
    [/leads to another site, /, "causeOtherSite"],
    [/^leads on to /, "causeLeadsOn"],
    [/^is a copy of the key page/, "causeCopy"],
    [/^is in another language/, "causeLanguage"],
    [LOGIN, "causeLogin"],
    [/; it seems to be an error page$/, "causeErrorPage"],
    [/^has another layout/, "causeLayout"],
    [/ is (?:longer than|too large)\b/, "causeTooLong"],
    [/ did not answer within | took more than /, "causeTooSlow"],
    [/: its tab was closed$/, "causeTabClosed"],
    [/ could not be loaded/, "causeNotLoaded"],
    [/, not a page: /, "causeNotHtml"],
];

export function explain(cause: string): Cause {
    const status = statusOf(cause);
    if (status !== undefined) return { text: ofStatus(status), detail: undefined };
    const known = KNOWN.find(([pattern]) => pattern.test(cause));
    return known ? { text: text(known[1]), detail: undefined } : { text: text("causeOther"), detail: cause };
}

/** Whether a page requires a login. */
export function wantsLogin(cause: string): boolean {
    // Not 403, which also blocks programs or everybody.
    return LOGIN.test(cause) || statusOf(cause) === 401;
}

/** Whether all pages require a login. */
export function allWantLogin(visits: Visit[]): boolean {
    const gates = new Set(
        visits.filter((visit) => wantsLogin(visit.cause ?? "")).map((visit) => visit.found_at),
    );
    const isShut = (visit: Visit) =>
        wantsLogin(visit.cause ?? "") || (visit.found_at !== null && gates.has(visit.found_at));
    return visits.length > 0 && visits.every(isShut);
}

function statusOf(cause: string): number | undefined {
    const found = / answers (\d{3})\b/.exec(cause);
    return found ? Number(found[1]) : undefined;
}

function ofStatus(status: number): string {
    const code = String(status);
    if (status === 404 || status === 410) return text("causeMissing", { status: code });
    if (status === 401 || status === 403) return text("causeForbidden", { status: code });
    if (status === 429) return text("causeTooMany", { status: code });
    if (status >= 500) return text("causeServer", { status: code });
    return text("causeStatus", { status: code });
}
