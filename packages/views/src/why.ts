// Why a page was selected, in the user's language.

import type { SelectionReason } from "./engine";
import { type PlainKey, text } from "./i18n";

const REASONS: Record<SelectionReason, PlainKey> = {
    "beside-key-page": "whyBesideKeyPage",
    "like-address": "whyLikeAddress",
    linked: "whyLinked",
    "page-above": "whyPageAbove",
    "linked-from-loaded": "whyLinkedFromLoaded",
    "led-to": "whyLedTo",
    listed: "whyListed",
    "document-order": "whyDocumentOrder",
};

/** Undefined means a sitemap. */
export function reason(why: SelectionReason | undefined): string {
    return why === undefined ? text("whyList") : text(REASONS[why] ?? "whyOther");
}
