// What a person does on the page.

/** Opens the page, types an address and presses Enter. */
export async function begin(browser, served, address) {
    const tab = await browser.open(`${served.watched}/`);
    await tab.reaches("start");
    await tab.choose("#url", address);
    await tab.click("#extract");
    return tab;
}

/** The same, until the result is there. */
export async function extract(browser, served, address) {
    const tab = await begin(browser, served, address);
    await tab.reaches("finished");
    return tab;
}

/** Chooses a tab, and waits until it has something to show. */
export async function look(tab, name) {
    await tab.click(`#tab-${name}`);
    await tab.waitFor(`the tab ${name}`, isFilled, `#panel-${name}`);
}

function isFilled(selector) {
    const panel = document.querySelector(selector);
    return panel && !panel.hidden && panel.ariaBusy !== "true" && panel.childElementCount > 0;
}

/** Where the focus is, as people would say it. */
export async function focused(tab) {
    return tab.evaluate(() => {
        const { id, tagName, textContent } = document.activeElement;
        return id || `${tagName.toLowerCase()} ${textContent.trim().slice(0, 40)}`;
    });
}

/** Whether the page is wider than the window, and by what. */
export async function overflow(tab) {
    return tab.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
