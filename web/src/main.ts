// The web page of `husk serve`.

import "@husk/views/style.css";
import "@husk/views/results.css";
import "./style.css";
import { announcements, speak, speakWith } from "@husk/views";
import { Server } from "./api/server";
import { Token } from "./api/token";
import { Flow } from "./flow";
import { Screen } from "./screen";
import { wordsFor } from "./words";

const place = document.getElementById("results");
if (place) {
    speakWith(wordsFor(navigator.languages));
    speak(document, "Husk");
    document.body.append(announcements());
    const token = new Token(sessionStorage);
    const screen = new Screen(place);
    const flow: Flow = new Flow(new Server(token), token, window, (state) => screen.show(state, flow));
    addEventListener("popstate", () => void flow.open());
    void flow.open();
}
