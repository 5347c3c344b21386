// Addresses that are not asked for in the user's name.

/** Words that end a session wherever they stand in an address. */
const ENDS_SESSION =
    /(?:^|[^a-z])(?:log[-_]?(?:out|off)|sign[-_]?(?:out|off)|cerrar[-_]?sesi[oó]n|se-deconnecter|d[eé]connexion|ausloggen|uitloggen|wyloguj|logga[-_]?ut)(?:[^a-z]|$)/i;

/** The same within a longer word: `UserLogout`, but not `blogout`. */
const ENDS_SESSION_WITHIN = /[a-z](?:Log|Sign)(?:[Oo]ut|[Oo]ff)(?![a-z])/;

/** Words that do so, or change something, as a whole part of a path: `/remove/7`, but not `/remove-stains`. */
const IN_PATH =
    /[/:](?:salir|sair|esci|desconectar|disconnetti|abmelden|delete|destroy|remove|unsubscribe|add[-_]?to[-_]?cart|(?:up|down)?vote)(?=[/.;]|$)/i;

/** What is asked for in a query does something, above all with a token that proves who asks. */
const IN_QUERY =
    /[?&=](?:delete|remove|destroy|unsubscribe|salir|sair|add[-_]?to[-_]?cart|(?:action|do|op|cmd|task)=(?:add|edit|purge|rollback|(?:un)?watch|(?:up|down)?vote)\b|_?wpnonce=|sesskey=|(?:csrf|xsrf|authenticity)[a-z_-]*=)/i;

/** Whether loading an address with the user's cookies would likely end their session or change something. */
export function isHarmful(address: string): boolean {
    const { pathname, search } = new URL(address);
    const [path, query] = [decoded(pathname), decoded(search)];
    const all = path + query;
    if (ENDS_SESSION.test(all) || ENDS_SESSION_WITHIN.test(all)) return true;
    return IN_PATH.test(path) || IN_QUERY.test(query);
}

function decoded(text: string): string {
    try {
        return decodeURIComponent(text);
    } catch {
        // It is not encoded as UTF-8: the words that matter are plain letters.
        return text;
    }
}
