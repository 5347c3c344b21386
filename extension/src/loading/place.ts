// The URL to load a page from, or why it is not loaded.

import { isHarmful } from "./harmful";
import { atOriginOf } from "./own-origin";

export type Place = { kind: "place"; url: string } | { kind: "missing"; cause: string };

/** `isAsUser`: loaded with the user's cookies. */
export function placeOf(wanted: string, keyPage: string, isAsUser: boolean): Place {
    const url = atOriginOf(keyPage, wanted);
    // Without permission the response could not be read. robots.txt may name any host.
    if (new URL(url).origin !== new URL(keyPage).origin) {
        return { kind: "missing", cause: `${url} leads to another site, which is not asked` };
    }
    if (isAsUser && isHarmful(url)) {
        return { kind: "missing", cause: `${url} is not loaded: it looks like it ends your session` };
    }
    return { kind: "place", url };
}
