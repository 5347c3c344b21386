// The results page.

import "@husk/views/style.css";
import "@husk/views/results.css";
import "../brand.css";
import { announcements } from "@husk/views";
import { speak, text } from "../i18n";
import { TabPage } from "../page/client";
import { wasPressed } from "../pressed";
import { EngineWorker } from "../worker/client";
import { Flow } from "./flow";
import { Screen } from "./screen";

const place = document.getElementById("results");
if (place) {
    speak(document, text("extensionName"));
    document.body.append(announcements());
    const screen = new Screen(place);
    const number = Number(new URLSearchParams(location.search).get("tab"));
    const tab = new TabPage(number);
    const flow: Flow = new Flow(
        tab,
        () => new EngineWorker(),
        (state) => screen.show(state, flow),
    );
    if (await wasPressed(number)) void flow.start();
    else screen.show({ name: "failed", problem: { kind: "tab-gone" } }, flow);
}
