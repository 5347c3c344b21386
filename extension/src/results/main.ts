// The page with the results: reads the tab, has its template extracted, shows what came of it.

import { extract } from "../loading/extract";
import { Loader } from "../loading/loader";
import { TabPage } from "../page/client";
import { engineOptions, readSettings } from "../settings";
import { EngineWorker } from "../worker/client";

const tab = new TabPage(Number(new URLSearchParams(location.search).get("tab")));
const settings = await readSettings();
const page = await tab.call("capture");
const stop = new AbortController();
const worker = new EngineWorker();
const loader = new Loader({ sendsCookies: settings.sendsCookies, signal: stop.signal });
const summary = await extract(page, engineOptions(settings), worker, loader, (progress) =>
    console.info(progress),
);
document.body.textContent = JSON.stringify(summary);
