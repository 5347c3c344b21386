// The example site, which most tests are on.

import { fixture } from "./machine.mjs";
import { Site } from "./site.mjs";

export const KEY_PAGE = "/stories/the-piano-on-the-stairs/";

/** Declares tests that have the site to themselves, at an address that no test had before: permissions are remembered. */
export function onLighthouse(check) {
    return (name, run) => {
        check(name, async (browser) => {
            const site = await Site.serve(fixture("lighthouse"));
            try {
                await run(browser, site);
            } finally {
                await site.close();
            }
        });
    };
}
