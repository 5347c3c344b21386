// @vitest-environment jsdom

import { beforeEach, describe, expect, it, vi } from "vitest";
import { fault } from "../../src/protocol";
import { TintButton } from "../../src/results/tint-button";
import { speaking } from "../speaking";

let called: string[];
let answers: Record<string, unknown>;
let said: string[];
let tint: TintButton;

beforeEach(() => {
    called = [];
    said = [];
    answers = { tint: { found: 2, of: 3 }, untint: null, isTinted: false };
    const call = async (name: string) => {
        called.push(name);
        const answer = answers[name];
        if (answer instanceof Error) throw answer;
        return answer;
    };
    vi.stubGlobal("chrome", {
        i18n: speaking("en"),
        storage: { local: { get: async () => ({}) } },
        tabs: { update: async () => called.push("activate") },
    });
    const written = { get: async () => ({ compared: 1, marks: [] }) };
    tint = new TintButton({ tab: 7, call } as never, 3, written as never, (message) => said.push(message));
});

const press = async () => {
    tint.button.click();
    await vi.waitFor(() => expect(tint.button.disabled).toBe(false));
};

describe("the button for tints", () => {
    it("shows them on the page, and takes them away", async () => {
        await press();
        expect(called).toEqual(["tint", "activate"]);
        expect(tint.button.textContent).toBe("Remove colours");
        await press();
        expect(called.at(-1)).toBe("untint");
        expect(tint.button.textContent).toBe("Show on the page");
    });

    it("knows when they were taken away on the page", async () => {
        await press();
        document.dispatchEvent(new Event("visibilitychange"));
        await vi.waitFor(() => expect(tint.button.textContent).toBe("Show on the page"));
        tint.leave();
    });

    it("says so when the page is another by now", async () => {
        answers = { ...answers, tint: fault("page-changed") };
        await press();
        expect(said).toEqual(["The page cannot be coloured: it has changed or is gone. Extract again."]);
        expect(tint.button.textContent).toBe("Show on the page");
    });

    it("does not leave for a page on which nothing was found", async () => {
        answers = { ...answers, tint: { found: 0, of: 3 } };
        await press();
        expect(called).toEqual(["tint", "untint"]);
        expect(said.length).toBe(1);
    });
});
