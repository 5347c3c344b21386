// What the user has chosen, kept on this machine only.

import type { EqualityPreset, Method, Options } from "@husk/core";
import type { Colours } from "./protocol";

/** As the site sends them, or in tabs where their scripts run. */
export type LoadingWay = "fetch" | "tabs";

export interface Settings {
    method: Method;
    pagesToCompare: number;
    equality: EqualityPreset;
    loading: LoadingWay;
    sendsCookies: boolean;
    colours: Colours;
}

/** The engine's are those of the command; a test holds them to it. */
export const DEFAULTS: Settings = {
    method: "husk",
    pagesToCompare: 4,
    equality: "weighted",
    loading: "fetch",
    sendsCookies: true,
    colours: { template: "#0064a8", menu: "#b0458a", content: "#007f5c" },
};

export const METHODS: Method[] = ["husk", "paper"];
export const EQUALITIES: EqualityPreset[] = ["weighted", "label-attributes", "label"];
export const LOADING_WAYS: LoadingWay[] = ["fetch", "tabs"];
export const MOST_PAGES_TO_COMPARE = 20;

/** The settings as they are now. */
export async function readSettings(): Promise<Settings> {
    const { settings } = await chrome.storage.local.get<{ settings: unknown }>("settings");
    return checked(settings);
}

export async function writeSettings(settings: Settings): Promise<void> {
    await chrome.storage.local.set({ settings });
}

/** What was stored, be it by another version; what is no setting is as by default. */
export function checked(stored: unknown): Settings {
    const given = fields(stored);
    const colours = fields(given.get("colours"));
    return {
        method: oneOf(METHODS, given.get("method"), DEFAULTS.method),
        pagesToCompare: pageCount(given.get("pagesToCompare")) ?? DEFAULTS.pagesToCompare,
        equality: oneOf(EQUALITIES, given.get("equality"), DEFAULTS.equality),
        loading: oneOf(LOADING_WAYS, given.get("loading"), DEFAULTS.loading),
        sendsCookies: oneOf([true, false], given.get("sendsCookies"), DEFAULTS.sendsCookies),
        colours: {
            template: colour(colours.get("template"), DEFAULTS.colours.template),
            menu: colour(colours.get("menu"), DEFAULTS.colours.menu),
            content: colour(colours.get("content"), DEFAULTS.colours.content),
        },
    };
}

/** The settings as the engine knows them. */
export function engineOptions(settings: Settings): Partial<Options> {
    return {
        method: settings.method,
        "pages-to-compare": settings.pagesToCompare,
        equality: settings.equality,
    };
}

/** The number if so many pages can be compared. */
export function pageCount(value: unknown): number | undefined {
    const isCount = typeof value === "number" && Number.isInteger(value);
    return isCount && value >= 1 && value <= MOST_PAGES_TO_COMPARE ? value : undefined;
}

function fields(value: unknown): Map<string, unknown> {
    return new Map(typeof value === "object" && value !== null ? Object.entries(value) : []);
}

function oneOf<T>(known: T[], value: unknown, otherwise: T): T {
    return known.find((one) => one === value) ?? otherwise;
}

function colour(value: unknown, otherwise: string): string {
    return typeof value === "string" && /^#[0-9a-f]{6}$/i.test(value) ? value : otherwise;
}
