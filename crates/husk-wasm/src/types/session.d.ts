/** How an extraction is done, by the names that husk.toml has for it. */
export interface Options {
    method: Method;
    /** How many pages the key page is compared with. */
    "pages-to-compare": number;
    /** How many pages are asked for at most; null: as many as the method finds worth it. */
    "max-pages": number | null;
    "same-site": "host";
    /** The numbers that the default method decides by. */
    thresholds: Record<string, number>;
    /** When two nodes are equal, for the method paper. */
    equality: EqualityPreset;
    weighted: Weighted;
    "label-attributes": { "ignored-attributes": string[] };
}

export type Method = "husk" | "paper";

export type EqualityPreset = "label" | "label-attributes" | "weighted";

/** The settings of the weighted equality. */
export interface Weighted {
    weights: { class: number; children: number; position: number; attributes: number };
    threshold: number;
    "ignored-attributes": string[];
    shortcuts: boolean;
}

/** Why a page is needed. */
export type SelectionReason =
    | "beside-key-page"
    | "like-address"
    | "linked"
    | "page-above"
    | "linked-from-loaded"
    | "led-to"
    | "listed"
    | "document-order";

/** What a server answered, redirects followed and unpacked, as `fetch` brings it. */
export interface Answer {
    /** Where it was found, after any redirect. */
    url: string;
    /** 200 if it is not given. */
    status?: number;
    /** The header field of that name, which may name the charset. */
    contentType?: string;
    /** The charset if neither the header nor the page names one: that of the key page is a good guess. */
    fallbackCharset?: string;
    body: Uint8Array;
}
