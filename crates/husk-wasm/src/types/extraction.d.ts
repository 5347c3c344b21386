/** How an output is written. Options that do not apply to it are ignored. */
export interface OutputOptions {
    /** Template: whether the page's scripts stay; by default they do not. */
    scripts: "drop" | "keep";
    /** Template: whether URLs are written in full, as by default. */
    links: "absolute" | "as-written";
    /** Menu: whether every block of links is written, not only the main menu. */
    all: boolean;
    /** Content: the parts that are written with the body text, and no others. */
    include: ContentPart[] | null;
    /** Content: whether readers' comments follow it. */
    comments: boolean;
    /** Content in JSON: the format of the content in it. */
    content_format: ContentFormat;
    /** Content in HTML: whether it is a whole document. */
    document: boolean;
    /** Inspection: whether it loads nothing when it is opened. */
    offline: boolean;
}

export type ContentPart = "title" | "byline" | "captions" | "comments";

export type ContentFormat = "markdown" | "text" | "html";

/** Where each object comes from. */
export interface Provenance {
    key_page: string;
    method: string;
    /** Every page that was loaded, the key page first. */
    loaded: string[];
    /** The pages that the key page was compared with. */
    compared: string[];
}

/** The same as `husk template --format json`. */
export interface TemplateJson extends Provenance {
    /** Pages that could not be had or not be used. */
    failed: { url: string; cause: string }[];
    /** Every page that was asked for, in that order. */
    visits: Visit[];
    /** What the parser did not take as it stood. */
    notes: string[];
    nodes: { xpath: string; support: number; verbatim_support: number }[];
    slots: { slot: number; name: string | null; parent: string; nodes: string[] }[];
    placeholders: Placeholder[];
}

export interface Visit {
    url: string;
    found_at: string | null;
    why: SelectionReason;
    outcome: "compared" | "refused" | "unavailable";
    cause: string | null;
}

export interface Placeholder {
    name: string;
    is_text: boolean;
    slot: number | null;
    xpath: string;
    attribute: string | null;
    about: string;
    value: string;
}

/** The same as `husk menu --format json`. */
export interface MenuJson extends Provenance {
    menu: NavigationJson | null;
    /** Every block of links, if all were asked for. */
    navigation?: NavigationJson[];
}

export interface NavigationJson {
    kind: "main" | "sub" | "breadcrumb" | "footer" | "pagination" | "language";
    xpaths: string[];
    entries: MenuItemJson[];
}

export interface MenuItemJson {
    label: string;
    /** Where it leads; null if it only stands above others. */
    url: string | null;
    active: boolean;
    children: MenuItemJson[];
}

/** The same as `husk content --format json`. */
export interface ContentJson extends Omit<Provenance, "method"> {
    /** How the template was found: `husk` or `paper`. */
    template_method: string;
    /** How the content was found: by the template, or from the page alone. */
    method: "template" | "single-page";
    title: string | null;
    byline: string | null;
    published: string | null;
    modified: string | null;
    language: string | null;
    description: string | null;
    canonical: string | null;
    image: string | null;
    site_name: string | null;
    format: ContentFormat;
    content: string;
    /** What readers wrote about it, if that was asked for. */
    comments?: string;
    /** The posts of the thread that the content is, if they were found. */
    posts?: PostJson[];
    /** The comments one by one, if they were asked for and found. */
    comment_posts?: PostJson[];
    /** The reviews of what the page is about, if they were found. */
    reviews?: PostJson[];
    words: number;
    xpaths: string[];
}

/** A post of a thread, a comment or a review. */
export interface PostJson {
    author: string | null;
    /** In the form of RFC 3339 if possible. */
    date: string | null;
    /** Reviews: the points, and the highest possible number of them if the page says so. */
    rating?: number;
    best_rating?: number;
    /** In the format of the content. */
    text: string;
}

/** The same as `husk pagelets --format json`. */
export interface PageletsJson extends Provenance {
    pagelets: PageletJson[];
}

export interface PageletJson {
    pagelet: number;
    parent: number | null;
    function: string;
    xpaths: string[];
    words: number;
    links: number;
    text_share: number;
    link_share: number;
    template: boolean | null;
    template_share: number | null;
    support: number;
    verbatim_support: number;
}

/** What each part of the key page is. A node without a mark is what the node above it is. */
export interface MarksJson {
    /** With how many pages it was compared. */
    compared: number;
    marks: Mark[];
}

export interface Mark {
    xpath: string;
    class: "template" | "menu" | "content" | "own" | "mixed";
    /** In how many of the compared pages it was found. */
    support: number;
    /** In how many with the same words, link or source. */
    verbatim_support: number;
    /** What the block that it belongs to is for, as in `PageletsJson`. */
    pagelet?: string;
}
