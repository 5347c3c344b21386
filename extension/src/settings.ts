// What the user has chosen, kept on this machine only.

import type { EqualityPreset, Method, Options } from "@husk/core";
import type { Colours } from "./protocol";

export interface Settings {
    method: Method;
    pagesToCompare: number;
    equality: EqualityPreset;
    sendsCookies: boolean;
    colours: Colours;
}

/** The engine's are those of the command; a test holds them to it. */
export const DEFAULTS: Settings = {
    method: "husk",
    pagesToCompare: 4,
    equality: "weighted",
    sendsCookies: true,
    colours: { template: "#0064a8", menu: "#b0458a", content: "#007f5c" },
};

/** The settings as they are now. */
export async function readSettings(): Promise<Settings> {
    const stored = await chrome.storage.local.get("settings");
    return { ...DEFAULTS, ...(stored.settings as Partial<Settings> | undefined) };
}

export async function writeSettings(settings: Settings): Promise<void> {
    await chrome.storage.local.set({ settings });
}

/** The settings as the engine knows them. */
export function engineOptions(settings: Settings): Partial<Options> {
    return {
        method: settings.method,
        "pages-to-compare": settings.pagesToCompare,
        equality: settings.equality,
    };
}
