// Addresses that are not asked for in the user's name.

/** Words in an address that end a session, in the languages that most sites are in. */
const ENDS_SESSION =
    /(?:^|[^a-z])(?:log-?_?(?:out|off)|sign-?_?(?:out|off)|cerrar-?_?sesi(?:o|ó)n|desconectar|salir|deconnexion|déconnexion|abmelden|ausloggen|disconnetti|esci|uitloggen|wyloguj|logga-?ut|sair)(?:[^a-z]|$)/i;

/** Words that a request must not do with the user's name under it, be it by a mere link. */
const CHANGES_SOMETHING =
    /(?:^|[?&/_=-])(?:delete|remove|unsubscribe|add[-_]?to[-_]?cart|action=(?:delete|remove|edit|purge|rollback|unwatch|watch))(?:[^a-z]|$)/i;

/** Why an address is not loaded in the user's name; undefined if it may be. */
export function sessionCause(address: string): string | undefined {
    if (!endsSession(address)) return undefined;
    return `${address} is not loaded: it looks like it ends your session`;
}

/** Whether loading an address with the user's cookies would likely end their session or change something. */
export function endsSession(address: string): boolean {
    const { pathname, search } = new URL(address);
    let text = pathname + search;
    try {
        text = decodeURIComponent(text);
    } catch {
        // It is not encoded as UTF-8: the words that matter are plain letters.
    }
    return ENDS_SESSION.test(text) || CHANGES_SOMETHING.test(text);
}
