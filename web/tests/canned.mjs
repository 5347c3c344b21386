// A site, the events of a crawl through it and a result, as a server would tell them.

const SITE = "https://lights.example";
const page = (path) => SITE + path;

export const KEY_PAGE = page("/stories/the-fog");

const MENU = ["/", "/stories/", "/keepers/", "/visit/", "/shop/", "/about/"].map(page);
const OTHERS = Array.from({ length: 30 }, (_, at) => page(`/stories/night-${at + 1}`));

/** Every event before the result, in its order. */
export const EVENTS = [
    ["queued", { ahead: 1 }],
    ["started", { page: KEY_PAGE }],
    ["loaded", { url: KEY_PAGE, found_at: KEY_PAGE, links: [...MENU, ...OTHERS] }],
    ...[
        visit(OTHERS[0], "beside-key-page", [...MENU, KEY_PAGE, ...OTHERS.slice(0, 9)]),
        visit(MENU[1], "page-above", [...MENU, KEY_PAGE, ...OTHERS]),
        visit(MENU[2], "linked", MENU),
        visit(MENU[4], "linked", [], "has another layout: 12 % of its elements are on the key page"),
        visit(MENU[3], "linked", MENU),
        visit(OTHERS[4], "like-address", [...MENU, KEY_PAGE, OTHERS[0]]),
        visit(MENU[5], "linked", [], "https://lights.example/about/ answers 404", "failed"),
    ].flat(),
    ["writing", {}],
];

function visit(url, why, links, cause, end = "rejected") {
    const loading = ["loading", { url, why, max_remaining: 7 }];
    if (end === "failed") return [loading, ["failed", { url, cause }]];
    const loaded = ["loaded", { url, found_at: url, links }];
    return [loading, loaded, cause ? ["rejected", { url, cause }] : ["accepted", { url }]];
}

const VISITS = EVENTS.filter(([name]) => name === "loading").map(([, { url, why }]) => {
    const end = EVENTS.find(([name, said]) => said.url === url && !["loading", "loaded"].includes(name));
    const cause = end?.[1].cause ?? null;
    return { url, found_at: url, why, outcome: cause ? "left-out" : "compared", cause };
});

export function summary(id, method = "husk", given = {}) {
    const compared = VISITS.filter(({ cause }) => cause === null).map(({ url }) => url);
    return {
        id,
        created: "2026-11-16T20:00:00Z",
        expires: "2026-11-17T20:00:00Z",
        page: KEY_PAGE,
        title: "The fog of 1911",
        method,
        nodes: 312,
        template_support: compared.length,
        template_nodes: method === "paper" ? 171 : 204,
        compared,
        loaded: [KEY_PAGE, ...compared],
        visits: VISITS,
        links: compared.flatMap((_, place) => [
            [0, place + 1],
            [place + 1, 0],
        ]),
        scripted: [],
        needs_rendering: null,
        learned: null,
        outputs: Object.keys(OUTPUTS),
        ...given,
    };
}

const PAGE = `<!DOCTYPE html><html><head><title>The fog of 1911</title><style>
body{font:1rem/1.5 Georgia,serif;margin:0;color:#222}header{background:#123;color:#fff;padding:1rem 2rem}
nav a{color:#9cf;margin-right:1rem}main{padding:2rem;max-width:40rem}footer{border-top:1px solid #ccc;padding:1rem 2rem}</style></head>
<body><header data-husk="t0"><h1>Lights of the coast</h1><nav data-husk="m1"><a>Home</a><a>Stories</a><a>Keepers</a><a>Visit</a></nav></header>
<main data-husk="c2"><h2>The fog of 1911</h2><p>For eleven days nobody saw the lamp.</p><p>Then the wind turned.</p></main>
<footer data-husk="t0">Kept by volunteers.</footer></body></html>`;

export const OUTPUTS = {
    "template-html": PAGE.replace(/<main[\s\S]*<\/main>/, "<main></main>"),
    "template-page": PAGE.replace(/<main[\s\S]*<\/main>/, "<main></main>"),
    "template-json": { url: KEY_PAGE, visits: VISITS },
    "template-jinja": "<main>{{ content }}</main>\n",
    "template-liquid": "<main>{{ content }}</main>\n",
    "template-handlebars": "<main>{{{content}}}</main>\n",
    "template-html-slots": '<main><slot name="1"></slot></main>\n',
    "template-xpath": "/html/body/header\n",
    "template-selectors": "body > header\n",
    "menu-json": {
        menu: { entries: [entry("Home", "/"), entry("Stories", "/stories/"), entry("Visit", "/visit/")] },
        navigation: [],
    },
    "menu-markdown": "- [Home](https://lights.example/)\n",
    "content-html":
        "<!DOCTYPE html><html><body><article><h1>The fog of 1911</h1><p>For eleven days.</p></article></body></html>",
    "content-markdown": "# The fog of 1911\n\nFor eleven days.\n",
    "content-json": {
        title: "The fog of 1911",
        byline: null,
        published: null,
        words: 14,
        method: "comparison",
    },
    "pagelets-json": { pagelets: [] },
    "inspect-marks": { compared: 4, marks: [] },
    "inspect-page": {
        html: PAGE,
        marks: [
            [4, 4, 0],
            [4, 4, 1],
            [1, 0, 2],
        ],
        pagelets: [
            ["header", -1],
            ["main-menu", 0],
            ["main-content", -1],
        ],
        compared: 4,
    },
    "inspect-html": PAGE,
};

function entry(label, path) {
    return { label, url: page(path), active: false, children: [] };
}
