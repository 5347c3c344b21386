// Settings, stored on this machine only.

import type { EqualityPreset, Method, Options } from "@husk/core";
import type { Colours } from "./protocol";

/** With `fetch`, or in tabs with JavaScript. */
export type LoadingWay = "fetch" | "tabs";

export interface Settings {
    method: Method;
    pagesToCompare: number;
    equality: EqualityPreset;
    loading: LoadingWay;
    sendsCookies: boolean;
    colours: Colours;
}

/** Defaults of the engine; a test checks them. */
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

export async function readSettings(): Promise<Settings> {
    const { settings } = await chrome.storage.local.get<{ settings: unknown }>("settings");
    return checked(settings);
}

export async function writeSettings(settings: Settings): Promise<void> {
    await chrome.storage.local.set({ settings });
}

/** Validates stored settings; invalid ones get the default. */
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

/** Settings as engine options. */
export function engineOptions(settings: Settings): Partial<Options> {
    return {
        method: settings.method,
        "pages-to-compare": settings.pagesToCompare,
        equality: settings.equality,
    };
}

/** The number, if valid. */
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
