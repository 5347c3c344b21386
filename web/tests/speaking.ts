// Gives the page its words before a test.

import { speakWith } from "@husk/views";
import { wordsFor } from "../src/words";

speakWith(wordsFor(["en"]));
