// URLs that are never loaded with the user's cookies.

/** Words that end a session anywhere in a URL. */
const ENDS_SESSION =
    /(?:^|[^a-z])(?:log[-_]?(?:out|off)|sign[-_]?(?:out|off)|cerrar[-_]?sesi[oó]n|se-deconnecter|d[eé]connexion|ausloggen|uitloggen|wyloguj|logga[-_]?ut)(?:[^a-z]|$)/i;

/** Within camel case: `UserLogout`, but not `blogout`. */
const ENDS_SESSION_WITHIN = /[a-z](?:Log|Sign)(?:[Oo]ut|[Oo]ff)(?![a-z])/;

/** Words that change something as a path segment: `/remove/7`, but not `/remove-stains`. */
const IN_PATH =
    /[/:](?:salir|sair|esci|desconectar|disconnetti|abmelden|delete|destroy|remove|unsubscribe|add[-_]?to[-_]?cart|(?:up|down)?vote)(?=[/.;]|$)/i;

/** Query parameters that trigger an action. */
const IN_QUERY =
    /[?&=](?:delete|remove|destroy|unsubscribe|salir|sair|add[-_]?to[-_]?cart|(?:action|do|op|cmd|task)=(?:add|edit|purge|rollback|(?:un)?watch|(?:up|down)?vote)\b|_?wpnonce=|sesskey=|(?:csrf|xsrf|authenticity)[a-z_-]*=)/i;

/** Whether loading a URL with cookies may end the session or change something. */
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
        // Not UTF-8; the relevant words are ASCII.
        return text;
    }
}
