// The function of a pagelet, in the user's language.

import { say } from "./i18n";
import { messageOf } from "./support";

/** Unknown functions keep the engine's name. */
export function functionName(name: string): string {
    return say(messageOf(name)) || name.replaceAll("-", " ");
}
