// What a pagelet is for, in the user's language.

import { say } from "./i18n";
import { messageOf } from "./support";

/** A function that has no name here stands as the engine has it. */
export function functionName(name: string): string {
    return say(messageOf(name)) || name.replaceAll("-", " ");
}
