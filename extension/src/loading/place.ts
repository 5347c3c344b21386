// Where a page is asked for, if it is asked for at all.

import { isHarmful } from "./harmful";
import { atOriginOf } from "./own-origin";

export type Place = { kind: "place"; url: string } | { kind: "missing"; cause: string };

/** The place of a page of the key page's site; `isAsUser` if it will be asked for with the user's cookies. */
export function placeOf(wanted: string, keyPage: string, isAsUser: boolean): Place {
    const url = atOriginOf(keyPage, wanted);
    // The browser would send the request and keep the answer to itself. A site's robots.txt may name any host.
    if (new URL(url).origin !== new URL(keyPage).origin) {
        return { kind: "missing", cause: `${url} leads to another site, which is not asked` };
    }
    if (isAsUser && isHarmful(url)) {
        return { kind: "missing", cause: `${url} is not loaded: it looks like it ends your session` };
    }
    return { kind: "place", url };
}
