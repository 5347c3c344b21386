// What tests do with a tab, whichever browser it is in.

import { until } from "./until.mjs";

/** A tab; each browser has its own way to `evaluate`, `click`, `point`, `press`, `screenshot`, `show` and `close`. */
export class Tab {
    /** Waits until a function of the page returns something true, which is the result. */
    async waitFor(what, ask, ...parameters) {
        return until(what, () => this.evaluate(ask, ...parameters));
    }

    /** The same with a function of a closed shadow root. */
    async waitForShadow(selector, ask, ...parameters) {
        return until(`something in ${selector}`, () => this.evaluateInShadow(selector, ask, ...parameters));
    }

    /** Waits until the results page is in a state; tells of the problem it shows if it ends in another. */
    async reaches(wanted, timeout) {
        const ends = ["finished", "failed", "cancelled"];
        const tell = () => this.evaluate(stateOfResults);
        const { state, text } = await until(
            `the state ${wanted}`,
            async () => {
                const told = await tell();
                return told.state === wanted || ends.includes(told.state) ? told : undefined;
            },
            timeout,
        ).catch(async (error) => {
            throw new Error(`${error.message}; it is ${JSON.stringify(await tell())}`);
        });
        if (state !== wanted) throw new Error(`the results page is ${state}, not ${wanted}: ${text}`);
    }

    async state() {
        return (await this.evaluate(stateOfResults)).state;
    }

    async text(selector) {
        return this.evaluate((selector) => document.querySelector(selector)?.textContent, selector);
    }

    /** Chooses a value as a person does, with the events that follow. */
    async choose(selector, value) {
        await this.waitFor(`the field ${selector}`, chooseValue, selector, value);
    }
}

function stateOfResults() {
    return { state: document.body?.dataset.state, text: document.body?.textContent.slice(0, 2000) };
}

function chooseValue(selector, value) {
    const field = document.querySelector(selector);
    if (!field) return false;
    if (field.type === "checkbox") {
        if (field.checked !== value) field.click();
        return true;
    }
    field.value = value;
    for (const name of ["input", "change"]) field.dispatchEvent(new Event(name, { bubbles: true }));
    return true;
}
