// What the extension says, in the user's language: the words of the shared components, and its own in messages/.
// Browsers have them from `_locales`, which the build makes of both.

import { type PlainKeyOf, phrases, speakWith } from "@husk/views";
import shared from "@husk/views/messages/en.json";
import own from "../messages/en.json";

export { language, number, share, speak } from "@husk/views";

speakWith({
    browser: () => chrome.i18n.getUILanguage(),
    message: (key, values) => chrome.i18n.getMessage(key, values),
});

const english = { ...shared, ...own };

export type PlainKey = PlainKeyOf<typeof english>;

export const { text, counted } = phrases(english);
