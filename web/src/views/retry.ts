// Retry button with a countdown.

import { announce, button } from "@husk/views";
import type { Flow } from "../flow";
import { counted, text } from "../words";

export function retryButton(flow: Flow, seconds: number): { button: HTMLButtonElement; leave(): void } {
    const made = button("", () => void flow.again(), { id: "again", class: "main" });
    let left = seconds;
    const show = () => {
        made.disabled = left > 0;
        made.textContent = left > 0 ? counted("retryIn", left) : text("retry");
    };
    const timer = setInterval(() => {
        left -= 1;
        show();
        if (left > 0) return;
        clearInterval(timer);
        announce(text("retryNow"));
    }, 1000);
    show();
    return { button: made, leave: () => clearInterval(timer) };
}
