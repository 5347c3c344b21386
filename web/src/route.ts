// Routes: start, a result, two results.

export type Route = { name: "start" } | { name: "result"; id: string; other: string | undefined };

export function routeOf({ pathname, search }: Pick<Location, "pathname" | "search">): Route {
    const id = /^\/r\/([^/]+)$/.exec(pathname)?.[1];
    if (id === undefined) return { name: "start" };
    return { name: "result", id: plain(id), other: new URLSearchParams(search).get("with") ?? undefined };
}

export function pathTo(route: Route): string {
    if (route.name === "start") return "/";
    const beside = route.other === undefined ? "" : `?with=${encodeURIComponent(route.other)}`;
    return `/r/${encodeURIComponent(route.id)}${beside}`;
}

function plain(id: string): string {
    try {
        return decodeURIComponent(id);
    } catch {
        return id;
    }
}
