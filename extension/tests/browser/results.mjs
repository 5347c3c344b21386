// What a person does to get at results, and what the results page then has.

/** Opens a page, presses the button and allows what is asked for; waits until the results are there. */
export async function extract(browser, address) {
    const tab = await browser.open(address);
    const results = await browser.pressButton(tab);
    const asks = await results.waitFor("the permission or what follows it", () => {
        const { state } = document.body.dataset;
        return state !== "reading" && state;
    });
    if (asks === "asking-permission") await browser.allow(results, new URL(address).hostname);
    await results.reaches("finished");
    return { tab, results };
}

/** The results in a form, whole, as the tab Source has them. */
export async function written(browser, results, form) {
    await results.show();
    await results.click("#tab-source");
    await results.choose("#source-format", form);
    const shown = await results.waitFor(`the results as ${form}`, () => {
        const place = document.querySelector("#source");
        const isReady = place !== null && !place.hasAttribute("aria-busy");
        // What is long is not shown whole.
        return isReady && { text: place.textContent, isCut: place.textContent.length >= 1_000_000 };
    });
    if (!shown.isCut) return shown.text;
    await results.click("#download");
    return (await browser.downloaded()).text;
}

export async function writtenJson(browser, results, form) {
    return JSON.parse(await written(browser, results, form));
}

/** The page as the extension took it from the tab. */
export async function captured(results) {
    return results.evaluate(async () => {
        const tab = Number(new URLSearchParams(location.search).get("tab"));
        const call = { husk: "call", number: 0, name: "capture", arguments: [] };
        return (await chrome.tabs.sendMessage(tab, call, { frameId: 0 })).value;
    });
}
