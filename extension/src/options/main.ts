// The options page; changes are saved at once.

import "@husk/views/style.css";
import "./options.css";
import { announce, announcements, element } from "@husk/views";
import { speak, text } from "../i18n";
import { readSettings, writeSettings } from "../settings";
import { colours } from "./colours";
import { comparing } from "./comparing";
import type { Change } from "./field";
import { sites } from "./sites";

const place = document.getElementById("options");
if (place) {
    const title = text("optionsTitle");
    speak(document, title);
    let settings = await readSettings();
    const change: Change = (changed) => {
        settings = { ...settings, ...changed };
        void writeSettings(settings).then(
            () => announce(text("settingSaved")),
            () => announce(text("settingNotSaved")),
        );
    };
    place.append(
        element("h1", {}, title),
        comparing(settings, change),
        sites(settings, change),
        colours(settings, change),
    );
    document.body.append(announcements());
}
