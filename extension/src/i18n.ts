// Messages of the extension and of the shared views.
// The build merges both into `_locales`.

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
