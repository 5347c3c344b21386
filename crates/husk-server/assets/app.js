// ../packages/views/src/address.ts
/** Path and query of a URL. */
function pathOf(url) {
	if (!URL.canParse(url)) return url;
	const { pathname, search } = new URL(url);
	return readable$1(pathname + search);
}
/** The URL without scheme and trailing slash. */
function addressOf$1(url) {
	if (!URL.canParse(url)) return url;
	const { protocol, host, pathname, search } = new URL(url);
	const path = pathname === "/" && search === "" ? "" : readable$1(pathname + search);
	return ["http:", "https:"].includes(protocol) ? host + path : readable$1(url);
}
function readable$1(encoded) {
	try {
		return decodeURI(encoded);
	} catch {
		return encoded;
	}
}
// ../packages/views/src/element.ts
function element(name, attributes = {}, ...children) {
	const made = document.createElement(name);
	for (const [attribute, value] of Object.entries(attributes)) if (value === true) made.setAttribute(attribute, "");
	else if (value !== false) made.setAttribute(attribute, value);
	made.append(...children);
	return made;
}
function button(label, act, attributes = {}) {
	const made = element("button", {
		type: "button",
		...attributes
	}, label);
	made.addEventListener("click", act);
	return made;
}
/** A link to an http(s) URL that opens in a new tab. */
function link(label, url, attributes = {}) {
	if (!isOfWeb(url)) return element("span", attributes, label);
	return element("a", {
		href: url,
		target: "_blank",
		rel: "noreferrer",
		...attributes
	}, label);
}
function isOfWeb(url) {
	return URL.canParse(url) && ["http:", "https:"].includes(new URL(url).protocol);
}
// ../packages/views/src/announce.ts
var SHOWN_FOR = 6e3;
var region;
var clearing;
/** The live region; it must be in the page before the first message. */
function announcements() {
	region ??= element("p", {
		id: "status",
		role: "status"
	});
	return region;
}
function announce(message) {
	clearTimeout(clearing);
	announcements().textContent = message;
	clearing = setTimeout(() => announcements().replaceChildren(), SHOWN_FOR);
}
var en_default$1 = {
	tintTemplate: { "message": "Template" },
	tintMenu: { "message": "Menu" },
	tintContent: { "message": "Content" },
	tintOwn: { "message": "Neither template nor content" },
	tintNotCompared: { "message": "not compared" },
	tintOn: {
		"message": "on $FOUND$ of $COMPARED$ compared pages",
		"placeholders": {
			"found": {
				"content": "$1",
				"example": "4"
			},
			"compared": {
				"content": "$2",
				"example": "4"
			}
		}
	},
	tintFoundOn: {
		"message": "on $FOUND$ of $COMPARED$ compared pages, with the same text on $SAME$",
		"placeholders": {
			"found": {
				"content": "$1",
				"example": "4"
			},
			"compared": {
				"content": "$2",
				"example": "4"
			},
			"same": {
				"content": "$3",
				"example": "3"
			}
		}
	},
	tintSameOn: {
		"message": "with the same text on $FOUND$ of $COMPARED$ compared pages",
		"placeholders": {
			"found": {
				"content": "$1",
				"example": "4"
			},
			"compared": {
				"content": "$2",
				"example": "4"
			}
		}
	},
	tintOtherOn: {
		"message": "with other text on $FOUND$ of $COMPARED$ compared pages",
		"placeholders": {
			"found": {
				"content": "$1",
				"example": "4"
			},
			"compared": {
				"content": "$2",
				"example": "4"
			}
		}
	},
	tintOnNone: {
		"message": "on none of the $COMPARED$ compared pages",
		"placeholders": { "compared": {
			"content": "$1",
			"example": "4"
		} }
	},
	tintSameOnTheOne: { "message": "with the same text on the one compared page" },
	tintOtherOnTheOne: { "message": "with other text on the one compared page" },
	tintOnTheOne: { "message": "on the one compared page" },
	tintNotOnTheOne: { "message": "not on the one compared page" },
	tintPageletMainContent: { "message": "main content" },
	tintPageletMainMenu: { "message": "main menu" },
	tintPageletSubmenu: { "message": "submenu" },
	tintPageletHeader: { "message": "header" },
	tintPageletFooter: { "message": "footer" },
	tintPageletSidebar: { "message": "sidebar" },
	tintPageletSearch: { "message": "search" },
	tintPageletLogin: { "message": "login" },
	tintPageletAdvertisement: { "message": "advertisement" },
	tintPageletRelated: { "message": "related pages" },
	tintPageletBreadcrumb: { "message": "breadcrumb" },
	tintPageletPagination: { "message": "pagination" },
	tintPageletSocial: { "message": "share and follow links" },
	tintPageletComments: { "message": "comments" },
	tintPageletLanguage: { "message": "language selector" },
	tintPageletConsent: { "message": "cookie consent" },
	language: { "message": "en" },
	progress: { "message": "Progress" },
	pagesAsked: { "message": "Requested pages" },
	pagesLoadedOne: {
		"message": "$COUNT$ page loaded",
		"placeholders": { "count": { "content": "$1" } }
	},
	pagesLoadedOther: {
		"message": "$COUNT$ pages loaded",
		"placeholders": { "count": { "content": "$1" } }
	},
	itemLoading: { "message": "loading…" },
	itemTaken: { "message": "loaded" },
	itemCompared: { "message": "compared" },
	cancel: { "message": "Cancel" },
	whyBesideKeyPage: { "message": "in the same list as this page" },
	whyLikeAddress: { "message": "its URL is similar to this page’s" },
	whyLinked: { "message": "linked from this page" },
	whyPageAbove: { "message": "in a parent folder" },
	whyLinkedFromLoaded: { "message": "linked from a loaded page" },
	whyLedTo: { "message": "target of a redirect from a loaded page" },
	whyListed: { "message": "in the sitemap" },
	whyDocumentOrder: { "message": "the next link of this page" },
	whyList: { "message": "may be a sitemap" },
	whyOther: { "message": "needed to compare" },
	causeNotWanted: { "message": "not loaded, as you chose" },
	causeEndsSession: { "message": "not loaded: it could log you out or change something" },
	causeKeyPage: { "message": "redirects to this page" },
	causeAgain: { "message": "redirects to a page that is already loaded" },
	causeOtherSite: { "message": "redirects to another site" },
	causeLeadsOn: { "message": "only redirects to another page" },
	causeCopy: { "message": "a copy of this page" },
	causeLanguage: { "message": "is in another language" },
	causeLogin: { "message": "requires a login" },
	causeErrorPage: { "message": "looks like an error page" },
	causeLayout: { "message": "has another layout" },
	causeTooLong: { "message": "too large" },
	causeTooSlow: { "message": "timed out" },
	causeTabClosed: { "message": "its tab was closed" },
	causeNotLoaded: { "message": "could not be loaded, or redirects to another site" },
	causeNotHtml: { "message": "not an HTML page" },
	causeOther: { "message": "could not be used" },
	causeMissing: {
		"message": "not found ($STATUS$)",
		"placeholders": { "status": { "content": "$1" } }
	},
	causeForbidden: {
		"message": "access denied ($STATUS$)",
		"placeholders": { "status": { "content": "$1" } }
	},
	causeTooMany: {
		"message": "too many requests ($STATUS$)",
		"placeholders": { "status": { "content": "$1" } }
	},
	causeServer: {
		"message": "server error ($STATUS$)",
		"placeholders": { "status": { "content": "$1" } }
	},
	causeStatus: {
		"message": "HTTP status $STATUS$",
		"placeholders": { "status": { "content": "$1" } }
	},
	tryAgain: { "message": "Retry" },
	details: { "message": "Details" },
	results: { "message": "Results" },
	factsTemplate: {
		"message": "$SHARE$ of $NODES$ nodes are template.",
		"placeholders": {
			"share": { "content": "$1" },
			"nodes": { "content": "$2" }
		}
	},
	factsAlone: {
		"message": "$NODES$ nodes, not compared with other pages.",
		"placeholders": { "nodes": { "content": "$1" } }
	},
	factsComparedOne: {
		"message": "Compared with $COUNT$ page.",
		"placeholders": { "count": { "content": "$1" } }
	},
	factsComparedOther: {
		"message": "Compared with $COUNT$ pages.",
		"placeholders": { "count": { "content": "$1" } }
	},
	tabTemplate: { "message": "Template" },
	tabContent: { "message": "Content" },
	tabMenu: { "message": "Menu" },
	tabSource: { "message": "Source" },
	tabPages: { "message": "Pages" },
	writing: { "message": "Loading…" },
	notWritten: { "message": "This output could not be loaded. Extract again." },
	templateFrame: { "message": "The template, displayed as a page" },
	contentFrame: { "message": "The content, in reading view" },
	noTemplate: { "message": "No template: this page was not compared with other pages of its site. The Content tab shows what the single-page method found." },
	contentAlone: { "message": "Extracted from this page only, without comparing it: some parts may be missing or wrong." },
	noContent: { "message": "No content found: the whole page is template." },
	wordsOne: {
		"message": "$COUNT$ word",
		"placeholders": { "count": { "content": "$1" } }
	},
	wordsOther: {
		"message": "$COUNT$ words",
		"placeholders": { "count": { "content": "$1" } }
	},
	fullWindow: { "message": "Full window" },
	leaveFullWindow: { "message": "Exit full window" },
	noMenu: { "message": "No main menu found." },
	otherNavigation: { "message": "Other navigation" },
	linksOne: {
		"message": "$COUNT$ link",
		"placeholders": { "count": { "content": "$1" } }
	},
	linksOther: {
		"message": "$COUNT$ links",
		"placeholders": { "count": { "content": "$1" } }
	},
	kindMain: { "message": "Main menu" },
	kindSub: { "message": "Submenu" },
	kindBreadcrumb: { "message": "Breadcrumb" },
	kindFooter: { "message": "Footer links" },
	kindPagination: { "message": "Pagination" },
	kindLanguage: { "message": "Languages" },
	noVisits: { "message": "No other page was requested." },
	format: { "message": "Format" },
	formHtml: { "message": "HTML" },
	formJinja: { "message": "Jinja" },
	formLiquid: { "message": "Liquid" },
	formHandlebars: { "message": "Handlebars" },
	formSlots: { "message": "HTML slots" },
	formJson: { "message": "JSON" },
	formXpath: { "message": "XPath" },
	formSelectors: { "message": "CSS selectors" },
	formMarkdown: { "message": "Markdown" },
	sourceCut: {
		"message": "First $SHOWN$ of $ALL$ characters. Copy and Download include all of them.",
		"placeholders": {
			"shown": { "content": "$1" },
			"all": { "content": "$2" }
		}
	},
	copy: { "message": "Copy" },
	copyHtml: { "message": "Copy HTML" },
	copyMarkdown: { "message": "Copy Markdown" },
	download: { "message": "Download" },
	downloadHtml: { "message": "Download HTML" },
	downloadMarkdown: { "message": "Download Markdown" },
	downloadJson: { "message": "Download JSON" },
	copied: { "message": "Copied." },
	notCopied: { "message": "The browser blocked copying. Press the button again." },
	saved: {
		"message": "Saved as $NAME$.",
		"placeholders": { "name": { "content": "$1" } }
	},
	tintPageletOther: { "message": "other block" },
	tabPage: { "message": "Page" },
	tabPagelets: { "message": "Blocks" },
	layers: { "message": "Parts to highlight" },
	pageFrame: { "message": "The page, with its parts highlighted" },
	pageRegions: { "message": "Parts of the page" },
	pageHint: { "message": "Point at a part to see what it is and why. Keyboard: arrow keys move between parts, Escape leaves them." },
	noMoreRegions: { "message": "No more parts in this direction." },
	noPagelet: { "message": "not in a block" },
	severalParts: { "message": "Several adjacent parts" },
	supportOf: {
		"message": "on $STRUCTURAL$ of $ALL$ pages, with the same text on $VERBATIM$ of $ALL$",
		"placeholders": {
			"structural": { "content": "$1" },
			"verbatim": { "content": "$2" },
			"all": { "content": "$3" }
		}
	},
	pageletUnseen: { "message": "This block is not visible on the page." },
	noPagelets: { "message": "No blocks found." },
	showOnPage: { "message": "Show on the page" },
	copyJson: { "message": "Copy JSON" },
	contentViews: { "message": "Content format" },
	readingView: { "message": "Reading view" },
	copyAddress: { "message": "Copy the link to this result" },
	downloadAll: { "message": "Download all" },
	heavy: {
		"message": "This page is very large ($MEGABYTES$ MB): showing it may freeze the browser for minutes.",
		"placeholders": { "megabytes": { "content": "$1" } }
	},
	heavyShow: { "message": "Show anyway" }
};
// ../packages/views/src/i18n.ts
var words;
/** Sets the source of messages; call it first. */
function speakWith(given) {
	words = given;
}
/** A message by a computed key. */
function say(key, ...values) {
	if (!words) throw new Error("speakWith was not called");
	return words.message(key, values);
}
/** Typed functions for a set of messages. */
function phrases(english) {
	const filled = (key, values) => {
		return say(key, ...Object.entries(english[key]?.placeholders ?? {}).sort(([, a], [, b]) => a.content.localeCompare(b.content)).map(([name]) => values[name] ?? ""));
	};
	return {
		text: (key, ...given) => filled(key, given[0] ?? {}),
		counted: (base, count) => {
			const isOne = new Intl.PluralRules(language$1()).select(count) === "one";
			return filled(isOne ? `${base}One` : `${base}Other`, { count: number(count) });
		}
	};
}
var { text: text$1, counted: counted$1 } = phrases(en_default$1);
/** Language of the messages, which may differ from the browser's. */
function language$1() {
	const spoken = say("language");
	const browser = words?.browser() ?? spoken;
	return browser.split(/[-_]/)[0] === spoken ? browser.replace("_", "-") : spoken;
}
function number(value) {
	return new Intl.NumberFormat(language$1()).format(value);
}
/** Formats a share between 0 and 1; never rounds to 0 % or 100 %. */
function share(value) {
	const percent = Math.round(value * 100) / 100;
	const inside = value > 0 && value < 1 ? Math.min(.99, Math.max(.01, percent)) : percent;
	return new Intl.NumberFormat(language$1(), { style: "percent" }).format(inside);
}
/** Formats a date; returns it unchanged if it cannot be parsed. */
function date(stated) {
	const time = new Date(stated);
	if (Number.isNaN(time.getTime())) return stated;
	const timeZone = /T\d/.test(stated) ? {} : { timeZone: "UTC" };
	return new Intl.DateTimeFormat(language$1(), {
		dateStyle: "long",
		...timeZone
	}).format(time);
}
/** Sets the page's language, for screen readers. */
function speak(document, title) {
	document.documentElement.lang = language$1();
	document.title = title;
}
var KNOWN = [
	[new RegExp(`^no other pages were wanted$`), "causeNotWanted"],
	[/ends your session/, "causeEndsSession"],
	[/^leads back to the key page/, "causeKeyPage"],
	[/^leads to .* again$/, "causeAgain"],
	[/leads to another site, /, "causeOtherSite"],
	[/^leads on to /, "causeLeadsOn"],
	[/^is a copy of the key page/, "causeCopy"],
	[/^is in another language/, "causeLanguage"],
	[/; it asks for a password$/, "causeLogin"],
	[/; it seems to be an error page$/, "causeErrorPage"],
	[/^has another layout/, "causeLayout"],
	[/ is (?:longer than|too large)\b/, "causeTooLong"],
	[/ did not answer within | took more than /, "causeTooSlow"],
	[/: its tab was closed$/, "causeTabClosed"],
	[/ could not be loaded/, "causeNotLoaded"],
	[/, not a page: /, "causeNotHtml"]
];
function explain(cause) {
	const status = statusOf(cause);
	if (status !== void 0) return {
		text: ofStatus(status),
		detail: void 0
	};
	const known = KNOWN.find(([pattern]) => pattern.test(cause));
	return known ? {
		text: text$1(known[1]),
		detail: void 0
	} : {
		text: text$1("causeOther"),
		detail: cause
	};
}
function statusOf(cause) {
	const found = / answers (\d{3})\b/.exec(cause);
	return found ? Number(found[1]) : void 0;
}
function ofStatus(status) {
	const code = String(status);
	if (status === 404 || status === 410) return text$1("causeMissing", { status: code });
	if (status === 401 || status === 403) return text$1("causeForbidden", { status: code });
	if (status === 429) return text$1("causeTooMany", { status: code });
	if (status >= 500) return text$1("causeServer", { status: code });
	return text$1("causeStatus", { status: code });
}
// ../packages/views/src/facts.ts
function facts({ nodes, templateNodes, templateSupport, compared }) {
	if (templateSupport === 0) return text$1("factsAlone", { nodes: number(nodes) });
	const template = text$1("factsTemplate", {
		share: share(templateNodes / Math.max(1, nodes)),
		nodes: number(nodes)
	});
	if (compared.length === 0) return template;
	return `${template} ${counted$1("factsCompared", compared.length)}`;
}
// ../packages/views/src/forms.ts
var FORM_GROUPS = [
	{
		label: "tabTemplate",
		forms: [
			{
				name: "template-html",
				label: "formHtml",
				ending: "template.html",
				type: "text/html"
			},
			{
				name: "template-jinja",
				label: "formJinja",
				ending: "template.jinja",
				type: "text/plain"
			},
			{
				name: "template-liquid",
				label: "formLiquid",
				ending: "template.liquid",
				type: "text/plain"
			},
			{
				name: "template-handlebars",
				label: "formHandlebars",
				ending: "template.hbs",
				type: "text/plain"
			},
			{
				name: "template-html-slots",
				label: "formSlots",
				ending: "template.slots.html",
				type: "text/html"
			},
			{
				name: "template-json",
				label: "formJson",
				ending: "template.json",
				type: "application/json"
			},
			{
				name: "template-xpath",
				label: "formXpath",
				ending: "template.xpath.txt",
				type: "text/plain"
			},
			{
				name: "template-selectors",
				label: "formSelectors",
				ending: "template.css.txt",
				type: "text/plain"
			}
		]
	},
	{
		label: "tabContent",
		forms: [
			{
				name: "content-markdown",
				label: "formMarkdown",
				ending: "content.md",
				type: "text/markdown"
			},
			{
				name: "content-html",
				label: "formHtml",
				ending: "content.html",
				type: "text/html"
			},
			{
				name: "content-json",
				label: "formJson",
				ending: "content.json",
				type: "application/json"
			}
		]
	},
	{
		label: "tabMenu",
		forms: [{
			name: "menu-markdown",
			label: "formMarkdown",
			ending: "menu.md",
			type: "text/markdown"
		}, {
			name: "menu-json",
			label: "formJson",
			ending: "menu.json",
			type: "application/json"
		}]
	},
	{
		label: "tabPagelets",
		forms: [{
			name: "pagelets-json",
			label: "formJson",
			ending: "pagelets.json",
			type: "application/json"
		}]
	}
];
var FORMS = FORM_GROUPS.flatMap((group) => group.forms);
/** The form of that name, or the first. */
function formOf(name) {
	const form = FORMS.find((form) => form.name === name) ?? FORMS[0];
	if (!form) throw new Error("there are no forms");
	return form;
}
var LONGEST_NAME = 80;
/** File name from the page's URL: `example.org-docs-intro.template.html`. */
function fileName(url, ending) {
	const { hostname, pathname } = new URL(url);
	return `${[...`${hostname}-${decoded$1(pathname)}`.replace(/\.(?:html?|php|aspx?|jsp)$/i, "").replace(/[^\p{L}\p{N}.]+/gu, "-").replace(/[-.]{2,}/g, "-")].slice(0, LONGEST_NAME).join("").replace(/^[-.]+|[-.]+$/g, "") || "page"}.${ending}`;
}
function decoded$1(path) {
	try {
		return decodeURIComponent(path);
	} catch {
		return path;
	}
}
// ../packages/views/src/page/foreign.ts
function getter(kind, name) {
	let get;
	return (of) => {
		get ??= Object.getOwnPropertyDescriptor(kind().prototype, name)?.get;
		if (!get) throw new Error(`there is no ${name}`);
		return Reflect.apply(get, of, []);
	};
}
var ofElement = () => Element;
var ofDocument = () => Document;
var rootOf = getter(ofDocument, "documentElement");
var headOf = getter(ofDocument, "head");
var bodyOf = getter(ofDocument, "body");
var modeOf = getter(ofDocument, "compatMode");
var parentOf = getter(() => Node, "parentElement");
var firstOf = getter(ofElement, "firstElementChild");
var nextOf = getter(ofElement, "nextElementSibling");
var previousOf = getter(ofElement, "previousElementSibling");
var nameOf$1 = getter(ofElement, "localName");
var htmlOf = getter(ofElement, "outerHTML");
var heightOf = getter(ofElement, "scrollHeight");
var widthOf = getter(ofElement, "scrollWidth");
function findAll(page, selector) {
	return Document.prototype.querySelectorAll.call(page, selector);
}
function elementAt(page, x, y) {
	return Document.prototype.elementFromPoint.call(page, x, y);
}
function attributeOf(of, name) {
	return Element.prototype.getAttribute.call(of, name);
}
function setAttribute(of, name, value) {
	Element.prototype.setAttribute.call(of, name, value);
}
function removeAttribute(of, name) {
	Element.prototype.removeAttribute.call(of, name);
}
function append(to, child) {
	Element.prototype.append.call(to, child);
}
function prepend(to, child) {
	Element.prototype.prepend.call(to, child);
}
function closest(of, selector) {
	return Element.prototype.closest.call(of, selector);
}
function rectsOf(of) {
	return Element.prototype.getClientRects.call(of);
}
// ../packages/views/src/frame.ts
/** Links open in a new tab; nothing else is allowed. */
var SANDBOX$1 = "allow-popups allow-popups-to-escape-sandbox";
function frame(title, html) {
	const made = element("iframe", {
		title,
		sandbox: SANDBOX$1,
		referrerpolicy: "no-referrer"
	});
	made.srcdoc = withLinksOutside(keptToItself(html));
	return made;
}
/**
* Adds `<base target>` before any of the page's own.
*
* Placed before `<html>`, where parsers put it into the head: comments could mislead a search for `<head>`.
* Only the doctype must come first.
*/
function withLinksOutside(html) {
	const doctype = /^(?:\s|(?=(<!--[\s\S]*?-->))\1)*<!doctype[^>]*>/i.exec(html)?.[0] ?? "";
	return `${doctype}<base target="_blank">${html.slice(doctype.length)}`;
}
/** Elements that embed pages or plugins. */
var INSIDE = {
	iframe: ["src", "srcdoc"],
	frame: ["src"],
	object: ["data"],
	embed: ["src"]
};
/** Embedded pages, and links with their own target. */
var IS_CONCERNED = /<(?:i?frame|object|embed)\b|\starget\s*=(?!\s*["']?_blank\b)/i;
/**
* Empties embedded frames, which browsers would block one by one.
* All links open in a new tab: within the frame, browsers would block them.
*/
function keptToItself(html) {
	if (!IS_CONCERNED.test(html)) return html;
	const page = new DOMParser().parseFromString(html, "text/html");
	for (const [name, attributes] of Object.entries(INSIDE)) for (const found of findAll(page, name)) for (const attribute of attributes) removeAttribute(found, attribute);
	for (const found of findAll(page, "[target]")) removeAttribute(found, "target");
	return `${modeOf(page) === "CSS1Compat" ? "<!doctype html>" : ""}${htmlOf(rootOf(page))}`;
}
// ../packages/views/src/support.ts
var NAMES = {
	template: "tintTemplate",
	menu: "tintMenu",
	content: "tintContent",
	own: "tintOwn"
};
/** Describes a mark; undefined for several adjacent parts. */
function whyOf(mark, compared, say) {
	const name = NAMES[mark.class];
	if (!name) return void 0;
	return [
		say(name),
		foundOn(mark, compared, say),
		functionOf(mark, say)
	].filter(Boolean).join(" · ");
}
/** On how many pages it was found, and with which text. */
function foundOn(mark, compared, say) {
	const { support, verbatim_support: verbatim } = mark;
	const [found, all] = [String(support), String(compared)];
	if (compared === 0) return say("tintNotCompared");
	if (support === 0) return compared === 1 ? say("tintNotOnTheOne") : say("tintOnNone", all);
	switch (wordsOf(mark)) {
		case "same": return compared === 1 ? say("tintSameOnTheOne") : say("tintSameOn", found, all);
		case "other": return compared === 1 ? say("tintOtherOnTheOne") : say("tintOtherOn", found, all);
		case "both": return say("tintFoundOn", found, all, String(verbatim));
		case "untold": return compared === 1 ? say("tintOnTheOne") : say("tintOn", found, all);
	}
}
/** Same text, other text, or mixed. */
function wordsOf({ class: kind, support, verbatim_support: verbatim }) {
	if (verbatim === 0) return "other";
	if (verbatim < support) return "both";
	return kind === "template" || kind === "menu" ? "same" : "untold";
}
/** The pagelet's function, unless the class says the same. */
function functionOf({ class: kind, pagelet }, say) {
	return !pagelet || pagelet === "other" || kind === "menu" && pagelet === "main-menu" || kind === "content" && pagelet === "main-content" ? "" : say(messageOf(pagelet));
}
/** Message key of a function: `main-menu` is `tintPageletMainMenu`. */
function messageOf(pagelet) {
	return `tintPagelet${pagelet.split("-").map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")}`;
}
// ../packages/views/src/function-name.ts
/** Unknown functions keep the engine's name. */
function functionName(name) {
	return say(messageOf(name)) || name.replaceAll("-", " ");
}
// ../packages/views/src/heavy.ts
/** Laid out in a few seconds even if all are nested. Few pages have a tenth of this. */
var MOST_TAGS = 1e5;
function isHeavy(html) {
	let count = 0;
	for (let at = html.indexOf("<"); at >= 0; at = html.indexOf("<", at + 1)) {
		count += 1;
		if (count > MOST_TAGS) return true;
	}
	return false;
}
/** Shows a page at once, or a heavy one on request. */
function shownIfLight(html, show) {
	if (!isHeavy(html)) return show();
	const place = element("p", { class: "note heavy" }, text$1("heavy", { megabytes: number(Math.round(html.length / 1e5) / 10) }), " ");
	place.append(button(text$1("heavyShow"), () => place.replaceWith(...show())));
	return [place];
}
// ../packages/views/src/why.ts
var REASONS = {
	"beside-key-page": "whyBesideKeyPage",
	"like-address": "whyLikeAddress",
	linked: "whyLinked",
	"page-above": "whyPageAbove",
	"linked-from-loaded": "whyLinkedFromLoaded",
	"led-to": "whyLedTo",
	listed: "whyListed",
	"document-order": "whyDocumentOrder"
};
/** Undefined means a sitemap. */
function reason(why) {
	return why === void 0 ? text$1("whyList") : text$1(REASONS[why] ?? "whyOther");
}
// ../packages/views/src/loading.ts
/** Progress bar, count and list. */
var ProgressView = class {
	#bar = element("progress", {
		max: "1",
		"aria-label": text$1("progress")
	});
	#count = element("p", {
		class: "quiet",
		"aria-live": "polite"
	});
	#list = element("ol", {
		class: "pages",
		"aria-label": text$1("pagesAsked")
	});
	nodes = [
		this.#bar,
		this.#count,
		this.#list
	];
	#shown = [];
	show({ items, done }) {
		this.#bar.value = done;
		const taken = items.filter((item) => item.state === "taken" && item.why !== void 0).length;
		this.#count.textContent = counted$1("pagesLoaded", taken);
		const same = items.findIndex((item, at) => !isAlike(item, this.#shown[at]));
		const kept = same < 0 ? items.length : same;
		while (this.#list.children.length > kept) this.#list.lastElementChild?.remove();
		this.#list.append(...items.slice(kept).map(entry$2));
		this.#shown = items;
		this.#list.lastElementChild?.scrollIntoView?.({ block: "nearest" });
	}
};
function isAlike(one, other) {
	return one.url === other?.url && one.state === other.state && one.cause === other.cause;
}
function entry$2(item) {
	return element("li", { class: `page ${item.state}` }, element("span", {
		class: "address",
		title: item.url
	}, pathOf(item.url)), element("span", { class: "reason" }, reason(item.why)), element("span", { class: "outcome" }, outcome$1(item)));
}
function outcome$1(item) {
	if (item.state === "loading") return text$1("itemLoading");
	return item.cause === void 0 ? text$1("itemTaken") : explain(item.cause).text;
}
// ../packages/views/src/page/layers.ts
var LAYERS = [
	["template", "tintTemplate"],
	["menu", "tintMenu"],
	["content", "tintContent"],
	["pagelets", "tabPagelets"]
];
function layerBoxes(pages) {
	return element("fieldset", { class: "layers" }, element("legend", { class: "unseen" }, text$1("layers")), ...LAYERS.map(([layer, label]) => tick(pages, layer, text$1(label))));
}
function tick(pages, layer, label) {
	const box = element("input", {
		type: "checkbox",
		id: `show-${layer}`
	});
	box.checked = pages.every((page) => page.isShown(layer));
	box.addEventListener("change", () => {
		for (const page of pages) page.toggle(layer, box.checked);
	});
	return element("label", {}, box, element("span", { class: `swatch ${layer}` }), label);
}
// ../packages/views/src/page/measure.ts
/** Remaining work, to bound large pages. */
var Budget = class {
	boxes;
	looks;
	constructor(boxes, looks) {
		this.boxes = boxes;
		this.looks = looks;
	}
};
/** Smaller boxes are invisible. */
var SMALLEST = 2;
/** Rectangles of an element, or of its children if it has no box. */
function placesOf(element, budget) {
	const found = [];
	const waiting = [element];
	while (budget.boxes > 0 && budget.looks > 0) {
		const next = waiting.pop();
		if (!next) break;
		budget.looks -= 1;
		const own = ownPlaces(next, budget);
		if (own.length > 0) found.push(...own);
		else waiting.push(...childrenOf(next, budget.looks - waiting.length).reverse());
	}
	return found;
}
function ownPlaces(element, budget) {
	const places = [];
	for (const { left, top, right, bottom, width, height } of rectsOf(element)) {
		if (budget.boxes <= 0) break;
		if (right <= 0 || bottom <= 0 || width < SMALLEST || height < SMALLEST) continue;
		budget.boxes -= 1;
		places.push({
			left,
			top,
			width,
			height
		});
	}
	return places;
}
function childrenOf(element, most) {
	const children = [];
	for (let child = firstOf(element); child && children.length < most; child = nextOf(child)) children.push(child);
	return children;
}
// ../packages/views/src/page/boxes.ts
/** More boxes would slow down the browser. */
var MOST_BOXES = 6e3;
var MOST_LOOKS = 6e4;
/** Labels of boxes above this are drawn inside. */
var LABEL_HEIGHT = 18;
var Boxes = class {
	most;
	layer = element("div", {
		class: "tints",
		"aria-hidden": "true"
	});
	#pagelets = /* @__PURE__ */ new Map();
	#here = [];
	/** Applies to tints and frames separately. */
	constructor(most = MOST_BOXES) {
		this.most = most;
	}
	/** Redraws all regions; `labelOf` names a pagelet. */
	draw(regions, labelOf) {
		this.#pagelets.clear();
		this.#here = [];
		const tinting = new Budget(this.most, MOST_LOOKS);
		const framing = new Budget(this.most, MOST_LOOKS);
		const tints = [];
		const frames = [];
		for (const region of regions) {
			if (region.tints.length > 0) tints.push(...tintsOf$1(region, tinting));
			const { pagelet } = region;
			if (pagelet !== void 0) frames.push(...this.#framesOf(region.element, pagelet, labelOf, framing));
		}
		this.layer.replaceChildren(...tints, ...frames);
	}
	/** Highlights a pagelet; returns its first box. */
	light(pagelet) {
		for (const lit of this.layer.querySelectorAll(".lit")) lit.classList.remove("lit");
		const boxes = pagelet === void 0 ? [] : this.#pagelets.get(pagelet) ?? [];
		for (const box of boxes) box.classList.add("lit");
		return boxes[0];
	}
	/** Highlights the element under the keyboard; returns its first box, if visible. */
	mark(at) {
		for (const box of this.#here) box.remove();
		const places = at ? placesOf(at, new Budget(50, 500)) : [];
		this.#here = places.map((place) => box(place, "here"));
		this.layer.append(...this.#here);
		return this.#here[0];
	}
	#framesOf(of, pagelet, labelOf, budget) {
		const boxes = this.#pagelets.get(pagelet) ?? [];
		const frames = placesOf(of, budget).map((place) => box(place, "box"));
		if (boxes.length === 0) frames[0]?.append(element("b", {}, labelOf(pagelet)));
		boxes.push(...frames);
		this.#pagelets.set(pagelet, boxes);
		return frames;
	}
};
function tintsOf$1({ element: of, tints }, budget) {
	const places = placesOf(of, budget);
	return tints.flatMap((tint) => places.map((place) => box(place, `tint ${tint}`)));
}
function box({ left, top, width, height }, name) {
	const made = element("i", { class: top < LABEL_HEIGHT ? `${name} top` : name });
	Object.assign(made.style, {
		left: `${left}px`,
		top: `${top}px`,
		width: `${width}px`,
		height: `${height}px`
	});
	return made;
}
// ../packages/views/src/page/description.ts
/** Wrapper around text nodes with their own mark; not part of the page. */
var OURS = "husk-text";
function descriptionOf(of, marks) {
	const mark = marks.of(of);
	const xpath = xpathOf(of);
	const path = marks.path(mark?.pagelet).map(functionName).join(" › ") || text$1("noPagelet");
	if (!mark) return {
		path,
		why: "",
		support: "",
		xpath
	};
	const { kind, structural, verbatim } = mark;
	const { compared } = marks;
	const found = {
		xpath,
		class: kind,
		support: structural,
		verbatim_support: verbatim
	};
	const all = String(compared);
	return {
		path,
		why: whyOf(found, compared, say) ?? text$1("severalParts"),
		support: compared === 0 ? "" : text$1("supportOf", {
			structural: String(structural),
			verbatim: String(verbatim),
			all
		}),
		xpath
	};
}
function lines({ path, why, support, xpath }) {
	return [
		element("strong", {}, path),
		element("span", {}, why),
		element("span", {}, support),
		element("code", {}, xpath)
	].filter((line) => line.textContent !== "");
}
/** For screen readers, without the XPath. */
function spoken({ path, why }) {
	return [path, why].filter(Boolean).join(". ");
}
/** XPath of an element. */
function xpathOf(of) {
	const steps = [];
	for (let at = of; at; at = parentOf(at)) {
		const name = nameOf$1(at);
		if (name === OURS) continue;
		let place = 1;
		for (let other = previousOf(at); other; other = previousOf(other)) if (nameOf$1(other) === name) place += 1;
		steps.push(`/${name}[${place}]`);
	}
	return steps.reverse().join("");
}
// ../packages/views/src/page/marks.ts
var ATTRIBUTE = "data-husk";
var MARKED = `[${ATTRIBUTE}]`;
var KINDS$2 = {
	t: "template",
	m: "menu",
	c: "content",
	o: "own",
	x: "mixed"
};
var Marks = class {
	page;
	constructor(page) {
		this.page = page;
	}
	get compared() {
		return this.page.compared;
	}
	/** The element's own mark. */
	at(element) {
		const text = attributeOf(element, ATTRIBUTE) ?? "";
		const kind = KINDS$2[text.charAt(0)];
		const entry = this.page.marks[Number(text.slice(1))];
		if (!kind || !entry) return void 0;
		const [structural, verbatim, pagelet] = entry;
		return {
			kind,
			structural,
			verbatim,
			pagelet: pagelet < 0 ? void 0 : pagelet
		};
	}
	/** The element's mark, inherited from its ancestors. */
	of(element) {
		const marked = closest(element, MARKED);
		return marked ? this.at(marked) : void 0;
	}
	/** The mark of the element's parent. */
	around(element) {
		const parent = parentOf(element);
		return parent ? this.of(parent) : void 0;
	}
	/** Functions of a pagelet and its ancestors, outermost first. */
	path(pagelet) {
		const names = [];
		const { pagelets } = this.page;
		let [at, left] = [pagelet, pagelets.length];
		while (at !== void 0 && left > 0) {
			const [name, parent] = pagelets[at] ?? ["", -1];
			if (name) names.unshift(name);
			at = parent < 0 ? void 0 : parent;
			left -= 1;
		}
		return names;
	}
};
// ../packages/views/src/page/quiet-frame.ts
/**
* `allow-same-origin` lets our code measure the page. Without `allow-scripts` the page itself cannot use it.
* Its links open nothing.
*/
var SANDBOX = "allow-same-origin";
/** Focusable elements. */
var STOPS = "a[href], area[href], button, input, select, textarea, summary, iframe, object, embed, audio, video, [tabindex], [contenteditable]";
/** Browsers render taller frames badly. */
var TALLEST = 1e5;
var WIDEST = 5e3;
var LOWEST = 200;
function quietFrame(title, html) {
	const made = element("iframe", {
		title,
		sandbox: SANDBOX,
		referrerpolicy: "no-referrer",
		tabindex: "-1"
	});
	made.srcdoc = withLinksOutside(html);
	return made;
}
/** Removes the page's elements from the tab order. */
function passOver(page) {
	for (const stop of findAll(page, STOPS)) setAttribute(stop, "tabindex", "-1");
}
/**
* Resizes the frame to its page, so that page and tints scroll together.
*
* Each resize lays out the page again, which takes seconds for nested tables: resize as rarely as
* possible.
*/
function giveRoom(frame, page) {
	const root = rootOf(page);
	for (const side of ["width", "height"]) if (frame.style[side] !== "") frame.style[side] = "";
	const width = widthOf(root);
	if (width > frame.clientWidth) frame.style.width = `${Math.min(width, WIDEST)}px`;
	frame.style.height = `${Math.min(TALLEST, Math.max(heightOf(root), LOWEST))}px`;
}
/** Size of the page, to detect layout changes. */
function sizeOf(page) {
	const root = rootOf(page);
	return `${widthOf(root)} ${heightOf(root)}`;
}
// ../packages/views/src/page/regions.ts
/** More regions are not highlighted. */
var MOST_MARKED = 1e5;
function regionsOf(page, marks) {
	const regions = [];
	const marked = findAll(page, MARKED);
	const count = Math.min(marked.length, MOST_MARKED);
	for (let at = 0; at < count; at += 1) {
		const element = marked[at];
		const mark = element && marks.at(element);
		if (!mark) continue;
		const above = marks.around(element);
		const tints = mark.kind === above?.kind ? [] : tintsOf(mark, above);
		const pagelet = mark.pagelet === above?.pagelet ? void 0 : mark.pagelet;
		if (tints.length > 0 || pagelet !== void 0) regions.push({
			element,
			mark,
			tints,
			pagelet
		});
	}
	return regions;
}
function tintsOf({ kind }, above) {
	switch (kind) {
		case "template":
		case "content": return [kind];
		case "menu": return above?.kind === "template" ? ["menu"] : ["template", "menu"];
		default: return [];
	}
}
// ../packages/views/src/page/tinted-page.ts
/** Repaint times, for fonts that load late. */
var LATE = [600, 2500];
/** Margin above the scroll target. */
var ROOM_ABOVE = 60;
var TintedPage = class {
	#marks;
	#frame;
	#boxes = new Boxes();
	#pane = element("div", {
		class: "pane",
		tabindex: "0",
		role: "application",
		"aria-label": text$1("pageRegions"),
		"aria-describedby": "page-hint"
	});
	#board;
	/** The scroll container. */
	stage;
	/** Description of the hovered element, or a hint. */
	description = element("div", { class: "description" });
	hint = element("p", {
		class: "quiet",
		id: "page-hint"
	}, text$1("pageHint"));
	/** The same, for screen readers. */
	spoken = element("p", {
		class: "unseen",
		role: "status"
	});
	#hidden = /* @__PURE__ */ new Set(["pagelets"]);
	#regions = [];
	/** Region under the keyboard. */
	#here;
	#pointed = null;
	/** Selected pagelet, possibly set before the page is loaded. */
	#chosen;
	/** Viewport width and page size of the last painting. */
	#width = 0;
	#size = "";
	#isRead = false;
	constructor(page) {
		this.#marks = new Marks(page);
		this.#frame = quietFrame(text$1("pageFrame"), page.html);
		this.#board = element("div", { class: "board" }, this.#frame, this.#boxes.layer, this.#pane);
		this.stage = element("div", { class: "stage" }, this.#board);
		this.#frame.addEventListener("load", () => this.#read());
		this.#listen();
	}
	toggle(layer, isShown) {
		if (isShown) this.#hidden.delete(layer);
		else this.#hidden.add(layer);
		this.#board.classList.toggle(`without-${layer}`, !isShown);
	}
	isShown(layer) {
		return !this.#hidden.has(layer);
	}
	/** Highlights a pagelet and scrolls to it. */
	show(pagelet) {
		this.#chosen = pagelet;
		if (!this.#isRead) return;
		if (this.stage.clientWidth !== this.#width) this.#paint();
		const region = this.#regions.find((region) => region.pagelet === pagelet);
		const box = this.#boxes.light(pagelet);
		if (region && box) {
			this.#goTo(region, box);
			return;
		}
		this.#forget();
		this.#describe(element("span", {}, text$1("pageletUnseen")));
		this.spoken.textContent = text$1("pageletUnseen");
	}
	#listen() {
		this.#board.classList.add("without-pagelets");
		const point = (event) => this.#point(event);
		this.#pane.addEventListener("pointermove", point);
		this.#pane.addEventListener("pointerdown", point);
		this.#pane.addEventListener("pointerleave", () => this.#leave());
		this.#pane.addEventListener("keydown", (event) => this.#press(event));
		if (typeof ResizeObserver === "undefined") return;
		new ResizeObserver(() => {
			const { clientWidth } = this.stage;
			if (clientWidth !== 0 && clientWidth !== this.#width) this.#paint();
		}).observe(this.stage);
	}
	/** Called when the frame has loaded. */
	#read() {
		const page = this.#page();
		if (!page) return;
		passOver(page);
		this.#regions = regionsOf(page, this.#marks);
		this.#isRead = true;
		this.#paint();
		for (const delay of LATE) setTimeout(() => this.#paintIfMoved(), delay);
		if (this.#chosen !== void 0) this.show(this.#chosen);
	}
	#paint() {
		const page = this.#page();
		if (!page || !this.#isRead) return;
		this.#width = this.stage.clientWidth;
		giveRoom(this.#frame, page);
		this.#boxes.draw(this.#regions, (pagelet) => functionName(this.#marks.path(pagelet).at(-1) ?? ""));
		this.#size = sizeOf(page);
		if (!this.#here) return;
		this.#boxes.mark(this.#here.element);
		this.#boxes.light(this.#here.mark.pagelet);
	}
	/** Repaints if the page's size has changed. */
	#paintIfMoved() {
		const page = this.#page();
		const isSeen = this.stage.isConnected && this.stage.clientWidth === this.#width;
		if (page && isSeen && sizeOf(page) !== this.#size) this.#paint();
	}
	#page() {
		const page = this.#frame.contentDocument;
		return page && rootOf(page) ? page : void 0;
	}
	#point({ clientX, clientY }) {
		const page = this.#page();
		const { left, top } = this.#frame.getBoundingClientRect();
		const at = page && elementAt(page, clientX - left, clientY - top);
		if (!at || at === this.#pointed) return;
		this.#pointed = at;
		this.#boxes.light(this.#marks.of(at)?.pagelet);
		this.#describe(...lines(descriptionOf(at, this.#marks)));
	}
	/** Without a pointer, describe the region under the keyboard. */
	#leave() {
		this.#pointed = null;
		this.#boxes.light(this.#here?.mark.pagelet);
		this.#describe(...this.#here ? lines(descriptionOf(this.#here.element, this.#marks)) : []);
	}
	#press(event) {
		if (event.altKey || event.ctrlKey || event.metaKey) return;
		const step = stepOf(event.key);
		if (!step && event.key !== "Escape") return;
		this.#chosen = void 0;
		if (!step) {
			this.#forget();
			return;
		}
		event.preventDefault();
		this.#walk(step);
	}
	/** Moves to the next visible region. */
	#walk({ from, by }) {
		const shown = this.#regions.filter((region) => this.#isWalkedTo(region));
		const here = this.#here ? shown.indexOf(this.#here) : -1;
		const starts = {
			here: here < 0 && by < 0 ? shown.length : here,
			start: -1,
			end: shown.length
		};
		for (let at = starts[from] + by; at >= 0 && at < shown.length; at += by) {
			const region = shown[at];
			const box = region && this.#boxes.mark(region.element);
			if (!box) continue;
			this.#goTo(region, box);
			return;
		}
		this.#boxes.mark(this.#here?.element);
		this.spoken.textContent = text$1("noMoreRegions");
	}
	#isWalkedTo({ tints, pagelet }) {
		return tints.some((tint) => this.isShown(tint)) || pagelet !== void 0 && this.isShown("pagelets");
	}
	#goTo(region, box) {
		this.#here = region;
		this.#boxes.mark(region.element);
		this.#boxes.light(region.mark.pagelet);
		const description = descriptionOf(region.element, this.#marks);
		this.#describe(...lines(description));
		this.spoken.textContent = spoken(description);
		const [left, top] = [Number.parseFloat(box.style.left), Number.parseFloat(box.style.top)];
		this.stage.scrollTo?.({
			top: Math.max(0, top - ROOM_ABOVE),
			left: Math.max(0, left - ROOM_ABOVE)
		});
	}
	#forget() {
		this.#here = void 0;
		this.#boxes.mark(void 0);
		this.#boxes.light(void 0);
		this.#describe();
		this.spoken.textContent = "";
	}
	#describe(...lines) {
		this.description.replaceChildren(...lines);
		this.hint.hidden = lines.length > 0;
	}
};
function stepOf(key) {
	switch (key) {
		case "ArrowDown":
		case "ArrowRight": return {
			from: "here",
			by: 1
		};
		case "ArrowUp":
		case "ArrowLeft": return {
			from: "here",
			by: -1
		};
		case "Home": return {
			from: "start",
			by: 1
		};
		case "End": return {
			from: "end",
			by: -1
		};
		default: return;
	}
}
// ../packages/views/src/panel.ts
/** Fills a panel when its output is ready; shows a message if that fails. */
function fillWhenReady(panel, ready) {
	panel.setAttribute("aria-busy", "true");
	panel.replaceChildren(element("p", { class: "quiet padded" }, text$1("writing")));
	ready.catch(() => [element("p", { class: "note" }, text$1("notWritten"))]).then((nodes) => {
		panel.replaceChildren(...nodes);
		panel.removeAttribute("aria-busy");
	});
}
/** A note above the output. */
function note(words) {
	return element("p", { class: "note" }, words);
}
function toolbar(...children) {
	return element("div", { class: "toolbar" }, ...children);
}
// ../packages/views/src/saving.ts
/** Time for the browser to start the download. */
var KEPT_FOR$1 = 6e4;
async function copyText(words, announce) {
	try {
		await navigator.clipboard.writeText(words);
		announce(text$1("copied"));
	} catch {
		announce(text$1("notCopied"));
	}
}
function saveText(words, name, type) {
	const url = URL.createObjectURL(new Blob([words], { type: `${type};charset=utf-8` }));
	const link = document.createElement("a");
	link.href = url;
	link.download = name;
	link.click();
	setTimeout(() => URL.revokeObjectURL(url), KEPT_FOR$1);
}
function copyButton(saving, form, label, attributes = {}) {
	return outButton(saving, form, label, attributes, (words) => copyText(words, saving.announce));
}
function downloadButton(saving, form, label, attributes = {}) {
	return outButton(saving, form, label, attributes, (words, { ending, type }) => {
		const name = fileName(saving.url, ending);
		saveText(words, name, type);
		saving.announce(text$1("saved", { name }));
	});
}
function outButton({ written, announce }, form, label, attributes, give) {
	const act = async () => {
		const chosen = form();
		try {
			await give(await written.text(chosen.name), chosen);
		} catch {
			announce(text$1("notWritten"));
		}
	};
	return button(label, () => void act(), attributes);
}
/** Copies the link to the result. */
function shareButton(address, announce) {
	return button(text$1("copyAddress"), () => void copyText(address, announce), { id: "share" });
}
/** Downloads all outputs as one file. */
function downloadAllLink(href) {
	return element("a", {
		id: "download-all",
		class: "button",
		href,
		download: true
	}, text$1("downloadAll"));
}
// ../packages/views/src/text-view.ts
var MOST_SHOWN$1 = 1e6;
var TextView = class {
	#note = element("p", {
		class: "note",
		hidden: true
	});
	#shown;
	nodes;
	constructor(label, attributes = {}) {
		this.#shown = element("pre", {
			class: "source",
			tabindex: "0",
			"aria-label": label,
			role: "region",
			...attributes
		});
		this.nodes = [this.#note, this.#shown];
	}
	/** Shows that another text is loading. */
	wait() {
		this.#shown.setAttribute("aria-busy", "true");
	}
	show(words) {
		this.#shown.textContent = words.slice(0, MOST_SHOWN$1);
		this.#shown.scrollTop = 0;
		this.#shown.removeAttribute("aria-busy");
		this.#note.hidden = words.length <= MOST_SHOWN$1;
		this.#note.textContent = text$1("sourceCut", {
			shown: number(MOST_SHOWN$1),
			all: number(words.length)
		});
	}
};
// ../packages/views/src/panels/reader.css?raw
var reader_default = "/* Style of the reading view, inside its own frame. */\n:root {\n    color-scheme: light dark;\n    font:\n        1.125rem / 1.6 Georgia,\n        \"Times New Roman\",\n        serif;\n    color: light-dark(#1f1b16, #ece7de);\n    background: light-dark(#fffdf9, #1b1916);\n}\nbody {\n    max-width: 38em;\n    margin: 0 auto;\n    padding: 2rem 1.25rem 4rem;\n    overflow-wrap: break-word;\n}\nheader p {\n    margin: 0 0 2rem;\n    font:\n        0.9rem / 1.4 system-ui,\n        sans-serif;\n    color: light-dark(#5f574c, #b5ab9c);\n}\nh1,\nh2,\nh3,\nh4 {\n    line-height: 1.25;\n    text-wrap: balance;\n}\na {\n    color: light-dark(#0b5cad, #8ec5ff);\n}\nimg,\nvideo,\nsvg {\n    max-width: 100%;\n    height: auto;\n}\npre,\ncode {\n    font:\n        0.9em / 1.5 ui-monospace,\n        monospace;\n}\npre {\n    overflow-x: auto;\n    padding: 0.75rem 1rem;\n    border-radius: 0.375rem;\n    background: light-dark(#f3eee5, #272420);\n}\nblockquote {\n    margin-inline: 0;\n    padding-inline-start: 1rem;\n    border-inline-start: 0.2rem solid light-dark(#d4c9b8, #57503f);\n}\ntable {\n    display: block;\n    overflow-x: auto;\n    border-collapse: collapse;\n}\nth,\ntd {\n    padding: 0.3rem 0.6rem;\n    border: 1px solid light-dark(#d4c9b8, #57503f);\n    text-align: start;\n}\n";
// ../packages/views/src/panels/content.ts
var contentPanel = (context) => ({
	name: "content",
	label: text$1("tabContent"),
	fill: (panel) => fillWhenReady(panel, shown$4(context))
});
async function shown$4(context) {
	const about = await context.written.get("content-json");
	const markdown = () => formOf("content-markdown");
	const bar = toolbar(copyButton(context, markdown, text$1("copyMarkdown")), downloadButton(context, markdown, text$1("downloadMarkdown")), downloadButton(context, () => formOf("content-html"), text$1("downloadHtml")));
	const notes = about.method === "single-page" ? [note(text$1("contentAlone"))] : [];
	if (about.words === 0) return [...notes, note(text$1("noContent"))];
	const views = new ContentViews(context, await context.written.get("content-html"), about);
	bar.prepend(views.choice);
	return [
		bar,
		...notes,
		views.place
	];
}
var ContentViews = class {
	context;
	choice;
	place;
	#markdown = new TextView(text$1("formMarkdown"), { id: "content-markdown" });
	#buttons;
	#isWritten = false;
	constructor(context, html, about) {
		this.context = context;
		const reading = element("div", { class: "view" }, ...shownIfLight(html, () => [frame(text$1("contentFrame"), readable(html, about))]));
		const markdown = element("div", {
			class: "view",
			hidden: true
		}, ...this.#markdown.nodes);
		const views = [reading, markdown];
		const names = [text$1("readingView"), text$1("formMarkdown")];
		const choose = (chosen) => {
			for (const [at, view] of views.entries()) {
				view.hidden = at !== chosen;
				this.#buttons[at]?.setAttribute("aria-pressed", String(at === chosen));
			}
			if (!markdown.hidden) this.#write();
		};
		this.#buttons = names.map((name, at) => button(name, () => choose(at), { "aria-pressed": String(at === 0) }));
		this.choice = element("div", {
			class: "choice",
			role: "group",
			"aria-label": text$1("contentViews")
		}, ...this.#buttons);
		this.place = element("div", { class: "view" }, ...views);
	}
	/** Loaded when first shown. */
	async #write() {
		if (this.#isWritten) return;
		this.#isWritten = true;
		this.#markdown.wait();
		const words = this.context.written.text("content-markdown");
		this.#markdown.show(await words.catch(() => text$1("notWritten")));
	}
};
/** The content with reading style and metadata. */
function readable(html, about) {
	const read = new DOMParser().parseFromString(html, "text/html");
	const body = bodyOf(read);
	append(headOf(read), element("style", {}, reader_default));
	for (let part = firstOf(body); part; part = nextOf(part)) setAttribute(part, "dir", "auto");
	prepend(body, heading(about, findAll(read, "h1").length > 0));
	return `<!doctype html>${htmlOf(rootOf(read))}`;
}
function heading(about, hasTitle) {
	const line = [
		about.byline,
		about.published && date(about.published),
		counted$1("words", about.words)
	];
	const made = element("header", {});
	if (!hasTitle && about.title) made.append(element("h1", {}, about.title));
	made.append(element("p", {}, line.filter(Boolean).join(" · ")));
	return made;
}
// ../packages/views/src/panels/menu.ts
var KINDS$1 = {
	main: "kindMain",
	sub: "kindSub",
	breadcrumb: "kindBreadcrumb",
	footer: "kindFooter",
	pagination: "kindPagination",
	language: "kindLanguage"
};
var menuPanel = (context) => ({
	name: "menu",
	label: text$1("tabMenu"),
	fill: (panel) => fillWhenReady(panel, shown$3(context))
});
async function shown$3(context) {
	const found = await context.written.get("menu-json");
	const markdown = () => formOf("menu-markdown");
	return [toolbar(copyButton(context, markdown, text$1("copyMarkdown")), downloadButton(context, markdown, text$1("downloadMarkdown")), downloadButton(context, () => formOf("menu-json"), text$1("downloadJson"))), element("div", { class: "scrolled" }, ...blocks(found))];
}
function blocks({ menu, navigation = [] }) {
	const main = menu ? element("nav", {
		dir: "auto",
		"aria-label": text$1("kindMain")
	}, tree(menu.entries)) : note(text$1("noMenu"));
	const others = navigation.filter((block) => block.kind !== "main");
	if (others.length === 0) return [main];
	return [
		main,
		element("h2", {}, text$1("otherNavigation")),
		...others.map(other)
	];
}
function other(block) {
	const kind = text$1(KINDS$1[block.kind] ?? "kindSub");
	return element("details", {}, element("summary", {}, `${kind} (${counted$1("links", countOf(block.entries))})`), element("nav", {
		dir: "auto",
		"aria-label": kind
	}, tree(block.entries)));
}
function tree(entries) {
	return element("ul", { class: "tree" }, ...entries.map(entry$1));
}
function entry$1({ label, url, active, children }) {
	const current = active ? { "aria-current": "page" } : {};
	const words = label.trim() || url || "";
	return element("li", {}, url === null ? element("span", current, words) : link(words, url, current), ...children.length > 0 ? [tree(children)] : []);
}
function countOf(entries) {
	return entries.reduce((sum, { url, children }) => sum + (url === null ? 0 : 1) + countOf(children), 0);
}
// ../packages/views/src/panels/page.ts
var pagePanel = (context) => ({
	name: "page",
	label: text$1("tabPage"),
	fill: (panel) => fillWhenReady(panel, shown$2(context))
});
async function shown$2({ written, spotlight }) {
	const output = await written.get("inspect-page");
	return shownIfLight(output.html, () => {
		const page = new TintedPage(output);
		spotlight.watch((pagelet) => page.show(pagelet));
		const about = element("div", { class: "about-part" }, page.hint, page.description);
		return [
			layerBoxes([page]),
			about,
			page.spoken,
			page.stage
		];
	});
}
// ../packages/views/src/panels/pagelets.ts
var pageletsPanel = (context) => ({
	name: "pagelets",
	label: text$1("tabPagelets"),
	fill: (panel) => fillWhenReady(panel, shown$1(context))
});
async function shown$1(context) {
	const { pagelets } = await context.written.get("pagelets-json");
	const json = () => formOf("pagelets-json");
	return [toolbar(copyButton(context, json, text$1("copyJson")), downloadButton(context, json, text$1("downloadJson"))), element("div", { class: "scrolled" }, pagelets.length === 0 ? note(text$1("noPagelets")) : nested(pagelets, context))];
}
/** Parents come before their children. */
function nested(pagelets, context) {
	const top = element("ul", {
		class: "tree blocks",
		"aria-label": text$1("tabPagelets")
	});
	const items = /* @__PURE__ */ new Map();
	for (const pagelet of pagelets) {
		const item = element("li", {}, ...block(pagelet, context));
		items.set(pagelet.pagelet, item);
		const around = pagelet.parent === null ? void 0 : items.get(pagelet.parent);
		(around ? listIn(around) : top).append(item);
	}
	return top;
}
function listIn(item) {
	const last = item.lastElementChild;
	if (last?.localName === "ul") return last;
	return item.appendChild(element("ul", { class: "tree" }));
}
function block(pagelet, { summary, beside, spotlight }) {
	const name = functionName(pagelet.function);
	const choose = () => {
		beside.open("page");
		spotlight.choose(pagelet.pagelet - 1);
	};
	const heading = beside.has("page") ? button(name, choose, {
		class: "find",
		title: text$1("showOnPage")
	}) : element("strong", {}, name);
	const found = foundOn({
		class: pagelet.template ? "template" : "content",
		...supportOf$1(pagelet)
	}, summary.templateSupport, say);
	return [
		heading,
		element("span", { class: "quiet" }, [
			counted$1("words", pagelet.words),
			counted$1("links", pagelet.links),
			found
		].join(" · ")),
		element("code", { class: "quiet" }, pagelet.xpaths.join(" "))
	];
}
function supportOf$1({ support, verbatim_support }) {
	return {
		support,
		verbatim_support
	};
}
// ../packages/views/src/visits.ts
function visitList(visits) {
	return element("ol", {
		class: "pages",
		"aria-label": text$1("pagesAsked")
	}, ...visits.map(entry));
}
function entry(visit) {
	return element("li", { class: `page ${visit.outcome === "compared" ? "taken" : "left-out"}` }, link(pathOf(visit.url), visit.url, {
		class: "address",
		title: visit.url
	}), element("span", { class: "reason" }, reason(visit.why)), element("span", { class: "outcome" }, ...outcome(visit)));
}
function outcome(visit) {
	if (visit.outcome === "compared") return [text$1("itemCompared")];
	const { text: said, detail } = explain(visit.cause ?? "");
	return detail ? [
		said,
		" ",
		element("small", { lang: "en" }, detail)
	] : [said];
}
// ../packages/views/src/panels/pages.ts
var pagesPanel = ({ summary }) => ({
	name: "pages",
	label: text$1("tabPages"),
	fill: (panel) => {
		const { visits, compared } = summary;
		const shown = visits.length === 0 ? note(text$1("noVisits")) : visitList(visits);
		const said = element("p", {}, counted$1("factsCompared", compared.length));
		panel.append(element("div", { class: "scrolled" }, said, shown));
	}
});
// ../packages/views/src/panels/source.ts
var sourcePanel = (context) => ({
	name: "source",
	label: text$1("tabSource"),
	fill: (panel) => new Source(context, panel)
});
var Source = class {
	context;
	#choice = element("select", { id: "source-format" });
	#shown = new TextView(text$1("tabSource"), { id: "source" });
	constructor(context, panel) {
		this.context = context;
		for (const { label, forms } of FORM_GROUPS) {
			const options = forms.map(({ name, label }) => element("option", { value: name }, text$1(label)));
			this.#choice.append(element("optgroup", { label: text$1(label) }, ...options));
		}
		if (context.summary.templateSupport === 0) this.#choice.value = "content-markdown";
		this.#choice.addEventListener("change", () => void this.#show());
		const form = () => formOf(this.#choice.value);
		const bar = toolbar(element("label", { for: "source-format" }, text$1("format")), this.#choice, copyButton(context, form, text$1("copy"), { id: "copy" }), downloadButton(context, form, text$1("download"), { id: "download" }));
		panel.append(bar, ...this.#shown.nodes);
		this.#show();
	}
	async #show() {
		const chosen = formOf(this.#choice.value);
		this.#shown.wait();
		const words = await this.context.written.text(chosen.name).catch(() => text$1("notWritten"));
		if (this.#choice.value === chosen.name) this.#shown.show(words);
	}
};
// ../packages/views/src/panels/template.ts
var templatePanel = (context) => ({
	name: "template",
	label: text$1("tabTemplate"),
	fill: (panel) => {
		if (context.summary.templateSupport === 0) panel.append(note(text$1("noTemplate")));
		else fillWhenReady(panel, shown(context, panel));
	}
});
async function shown(context, panel) {
	const page = await context.written.get("template-page");
	const form = () => formOf("template-html");
	return [toolbar(fullWindowButton(panel), copyButton(context, form, text$1("copyHtml")), downloadButton(context, form, text$1("downloadHtml"))), ...shownIfLight(page, () => [frame(text$1("templateFrame"), page)])];
}
/** Toggles full window. */
function fullWindowButton(panel) {
	const set = (isFull) => {
		panel.classList.toggle("full", isFull);
		toggle.textContent = text$1(isFull ? "leaveFullWindow" : "fullWindow");
		toggle.setAttribute("aria-pressed", String(isFull));
	};
	const toggle = button(text$1("fullWindow"), () => set(!panel.classList.contains("full")), {
		id: "full-window",
		"aria-pressed": "false"
	});
	panel.addEventListener("keydown", ({ key }) => {
		if (key === "Escape") set(false);
	});
	return toggle;
}
// ../packages/views/src/spotlight.ts
var Spotlight = class {
	#pagelet;
	#watch;
	/** Selects a pagelet by its index. */
	choose(pagelet) {
		this.#pagelet = pagelet;
		this.#watch?.(pagelet);
	}
	/** Calls `listener` with the selection, also with an earlier one. */
	watch(watch) {
		this.#watch = watch;
		if (this.#pagelet !== void 0) watch(this.#pagelet);
	}
};
// ../packages/views/src/tabs.ts
function tabs(label, panels) {
	const shown = panels.map((panel) => new Tab(panel));
	const choose = (chosen) => {
		for (const tab of shown) tab.show(tab === chosen);
	};
	for (const tab of shown) tab.button.addEventListener("click", () => choose(tab));
	const list = element("div", {
		role: "tablist",
		"aria-label": label
	}, ...shown.map((tab) => tab.button));
	list.addEventListener("keydown", (event) => {
		const target = targetOf(event.key, shown.findIndex((tab) => tab.isShown), shown.length);
		const tab = target === void 0 ? void 0 : shown[target];
		if (!tab) return;
		event.preventDefault();
		choose(tab);
		tab.button.focus();
	});
	if (shown[0]) choose(shown[0]);
	return {
		nodes: [list, ...shown.map((tab) => tab.panel)],
		open: (name) => {
			const named = shown.find((tab) => tab.name === name);
			if (!named) return;
			choose(named);
			named.button.focus();
		}
	};
}
/** The tab that a key moves to. */
function targetOf(key, from, count) {
	switch (key) {
		case "ArrowRight": return (from + 1) % count;
		case "ArrowLeft": return (from - 1 + count) % count;
		case "Home": return 0;
		case "End": return count - 1;
		default: return;
	}
}
var Tab = class {
	of;
	button;
	panel;
	name;
	isShown = false;
	#isFilled = false;
	constructor(of) {
		this.of = of;
		this.name = of.name;
		const [tab, panel] = [`tab-${of.name}`, `panel-${of.name}`];
		this.button = button(of.label, () => void 0, {
			id: tab,
			role: "tab",
			"aria-controls": panel
		});
		this.panel = element("section", {
			id: panel,
			role: "tabpanel",
			"aria-labelledby": tab,
			hidden: true
		});
	}
	show(isShown) {
		this.isShown = isShown;
		this.button.setAttribute("aria-selected", String(isShown));
		this.button.tabIndex = isShown ? 0 : -1;
		this.panel.hidden = !isShown;
		if (isShown && !this.#isFilled) {
			this.#isFilled = true;
			this.of.fill(this.panel);
		}
	}
};
// ../packages/views/src/view.ts
function headingOf(words) {
	return element("h1", {
		tabindex: "-1",
		dir: "auto"
	}, words);
}
function paragraph(words, attributes = {}) {
	return element("p", attributes, words);
}
function againButton(again, label = text$1("tryAgain"), attributes = {}) {
	return button(label, again, {
		id: "again",
		...attributes
	});
}
function cancelButton(cancel) {
	return button(text$1("cancel"), cancel, { id: "cancel" });
}
/** Details for problem reports. */
function details$1(words) {
	return element("details", {}, element("summary", {}, text$1("details")), element("pre", {
		lang: "en",
		tabindex: "0"
	}, words));
}
/** Handles the Escape key; returns a function that stops it. */
function onEscape(act) {
	const press = ({ key }) => {
		if (key === "Escape") act();
	};
	document.addEventListener("keydown", press);
	return () => document.removeEventListener("keydown", press);
}
// ../packages/views/src/results.ts
function resultsView({ title, summary, written, actions, panels }) {
	const { url } = summary;
	const heading = headingOf(title.trim() || addressOf$1(url));
	const header = element("header", { class: "top" }, element("div", { class: "about" }, heading, element("p", { class: "host" }, link(addressOf$1(url), url)), element("p", { id: "facts" }, facts(summary))), element("div", { class: "actions" }, ...actions));
	const made = [];
	const context = {
		url,
		summary,
		written,
		announce,
		beside: {
			has: (name) => made.some((panel) => panel.name === name),
			open: (name) => shown.open(name)
		},
		spotlight: new Spotlight()
	};
	made.push(...panels.map((panel) => panel(context)));
	const shown = tabs(text$1("results"), made);
	return {
		nodes: [header, element("main", { class: "results" }, ...shown.nodes)],
		heading
	};
}
// ../packages/views/src/words.ts
var SHARED = {
	en: en_default$1,
	es: {
		tintTemplate: { "message": "Plantilla" },
		tintMenu: { "message": "Menú" },
		tintContent: { "message": "Contenido" },
		tintOwn: { "message": "Ni plantilla ni contenido" },
		tintNotCompared: { "message": "sin comparar" },
		tintOn: {
			"message": "en $FOUND$ de $COMPARED$ páginas comparadas",
			"placeholders": {
				"found": {
					"content": "$1",
					"example": "4"
				},
				"compared": {
					"content": "$2",
					"example": "4"
				}
			}
		},
		tintFoundOn: {
			"message": "en $FOUND$ de $COMPARED$ páginas comparadas, con el mismo texto en $SAME$",
			"placeholders": {
				"found": {
					"content": "$1",
					"example": "4"
				},
				"compared": {
					"content": "$2",
					"example": "4"
				},
				"same": {
					"content": "$3",
					"example": "3"
				}
			}
		},
		tintSameOn: {
			"message": "con el mismo texto en $FOUND$ de $COMPARED$ páginas comparadas",
			"placeholders": {
				"found": {
					"content": "$1",
					"example": "4"
				},
				"compared": {
					"content": "$2",
					"example": "4"
				}
			}
		},
		tintOtherOn: {
			"message": "con otro texto en $FOUND$ de $COMPARED$ páginas comparadas",
			"placeholders": {
				"found": {
					"content": "$1",
					"example": "4"
				},
				"compared": {
					"content": "$2",
					"example": "4"
				}
			}
		},
		tintOnNone: {
			"message": "en ninguna de las $COMPARED$ páginas comparadas",
			"placeholders": { "compared": {
				"content": "$1",
				"example": "4"
			} }
		},
		tintSameOnTheOne: { "message": "con el mismo texto en la única página comparada" },
		tintOtherOnTheOne: { "message": "con otro texto en la única página comparada" },
		tintOnTheOne: { "message": "en la única página comparada" },
		tintNotOnTheOne: { "message": "no está en la única página comparada" },
		tintPageletMainContent: { "message": "contenido principal" },
		tintPageletMainMenu: { "message": "menú principal" },
		tintPageletSubmenu: { "message": "submenú" },
		tintPageletHeader: { "message": "cabecera" },
		tintPageletFooter: { "message": "pie de página" },
		tintPageletSidebar: { "message": "barra lateral" },
		tintPageletSearch: { "message": "búsqueda" },
		tintPageletLogin: { "message": "inicio de sesión" },
		tintPageletAdvertisement: { "message": "publicidad" },
		tintPageletRelated: { "message": "páginas relacionadas" },
		tintPageletBreadcrumb: { "message": "ruta de navegación" },
		tintPageletPagination: { "message": "paginación" },
		tintPageletSocial: { "message": "enlaces para compartir y seguir" },
		tintPageletComments: { "message": "comentarios" },
		tintPageletLanguage: { "message": "selector de idioma" },
		tintPageletConsent: { "message": "consentimiento de cookies" },
		language: { "message": "es" },
		progress: { "message": "Progreso" },
		pagesAsked: { "message": "Páginas solicitadas" },
		pagesLoadedOne: {
			"message": "$COUNT$ página cargada",
			"placeholders": { "count": { "content": "$1" } }
		},
		pagesLoadedOther: {
			"message": "$COUNT$ páginas cargadas",
			"placeholders": { "count": { "content": "$1" } }
		},
		itemLoading: { "message": "cargando…" },
		itemTaken: { "message": "cargada" },
		itemCompared: { "message": "comparada" },
		cancel: { "message": "Cancelar" },
		whyBesideKeyPage: { "message": "en la misma lista que esta página" },
		whyLikeAddress: { "message": "su URL se parece a la de esta página" },
		whyLinked: { "message": "enlazada desde esta página" },
		whyPageAbove: { "message": "en una carpeta superior" },
		whyLinkedFromLoaded: { "message": "enlazada desde una página cargada" },
		whyLedTo: { "message": "destino de una redirección desde una página cargada" },
		whyListed: { "message": "en el mapa del sitio" },
		whyDocumentOrder: { "message": "el siguiente enlace de esta página" },
		whyList: { "message": "puede ser un mapa del sitio" },
		whyOther: { "message": "necesaria para comparar" },
		causeNotWanted: { "message": "no se ha cargado, como has elegido" },
		causeEndsSession: { "message": "no se ha cargado: podría cerrar tu sesión o cambiar algo" },
		causeKeyPage: { "message": "redirige a esta página" },
		causeAgain: { "message": "redirige a una página ya cargada" },
		causeOtherSite: { "message": "redirige a otro sitio" },
		causeLeadsOn: { "message": "solo redirige a otra página" },
		causeCopy: { "message": "una copia de esta página" },
		causeLanguage: { "message": "está en otro idioma" },
		causeLogin: { "message": "pide iniciar sesión" },
		causeErrorPage: { "message": "parece una página de error" },
		causeLayout: { "message": "tiene otro diseño" },
		causeTooLong: { "message": "demasiado grande" },
		causeTooSlow: { "message": "se agotó el tiempo" },
		causeTabClosed: { "message": "se ha cerrado su pestaña" },
		causeNotLoaded: { "message": "no se ha podido cargar o redirige a otro sitio" },
		causeNotHtml: { "message": "no es una página HTML" },
		causeOther: { "message": "no se ha podido usar" },
		causeMissing: {
			"message": "no encontrada ($STATUS$)",
			"placeholders": { "status": { "content": "$1" } }
		},
		causeForbidden: {
			"message": "acceso denegado ($STATUS$)",
			"placeholders": { "status": { "content": "$1" } }
		},
		causeTooMany: {
			"message": "demasiadas peticiones ($STATUS$)",
			"placeholders": { "status": { "content": "$1" } }
		},
		causeServer: {
			"message": "error del servidor ($STATUS$)",
			"placeholders": { "status": { "content": "$1" } }
		},
		causeStatus: {
			"message": "estado HTTP $STATUS$",
			"placeholders": { "status": { "content": "$1" } }
		},
		tryAgain: { "message": "Reintentar" },
		details: { "message": "Detalles" },
		results: { "message": "Resultados" },
		factsTemplate: {
			"message": "El $SHARE$ de los $NODES$ nodos es plantilla.",
			"placeholders": {
				"share": { "content": "$1" },
				"nodes": { "content": "$2" }
			}
		},
		factsAlone: {
			"message": "$NODES$ nodos, sin comparar con otras páginas.",
			"placeholders": { "nodes": { "content": "$1" } }
		},
		factsComparedOne: {
			"message": "Comparada con $COUNT$ página.",
			"placeholders": { "count": { "content": "$1" } }
		},
		factsComparedOther: {
			"message": "Comparada con $COUNT$ páginas.",
			"placeholders": { "count": { "content": "$1" } }
		},
		tabTemplate: { "message": "Plantilla" },
		tabContent: { "message": "Contenido" },
		tabMenu: { "message": "Menú" },
		tabSource: { "message": "Código" },
		tabPages: { "message": "Páginas" },
		writing: { "message": "Cargando…" },
		notWritten: { "message": "No se ha podido cargar. Extrae de nuevo." },
		templateFrame: { "message": "La plantilla, mostrada como página" },
		contentFrame: { "message": "El contenido, en vista de lectura" },
		noTemplate: { "message": "Sin plantilla: esta página no se ha comparado con otras de su sitio. La pestaña Contenido muestra lo que ha encontrado el método de una sola página." },
		contentAlone: { "message": "Extraído solo de esta página, sin compararla: algunas partes pueden faltar o sobrar." },
		noContent: { "message": "No se ha encontrado contenido: toda la página es plantilla." },
		wordsOne: {
			"message": "$COUNT$ palabra",
			"placeholders": { "count": { "content": "$1" } }
		},
		wordsOther: {
			"message": "$COUNT$ palabras",
			"placeholders": { "count": { "content": "$1" } }
		},
		fullWindow: { "message": "Ventana completa" },
		leaveFullWindow: { "message": "Salir de ventana completa" },
		noMenu: { "message": "No se ha encontrado un menú principal." },
		otherNavigation: { "message": "Otra navegación" },
		linksOne: {
			"message": "$COUNT$ enlace",
			"placeholders": { "count": { "content": "$1" } }
		},
		linksOther: {
			"message": "$COUNT$ enlaces",
			"placeholders": { "count": { "content": "$1" } }
		},
		kindMain: { "message": "Menú principal" },
		kindSub: { "message": "Submenú" },
		kindBreadcrumb: { "message": "Ruta de navegación" },
		kindFooter: { "message": "Enlaces del pie" },
		kindPagination: { "message": "Paginación" },
		kindLanguage: { "message": "Idiomas" },
		noVisits: { "message": "No se ha solicitado ninguna otra página." },
		format: { "message": "Formato" },
		formHtml: { "message": "HTML" },
		formJinja: { "message": "Jinja" },
		formLiquid: { "message": "Liquid" },
		formHandlebars: { "message": "Handlebars" },
		formSlots: { "message": "HTML con slots" },
		formJson: { "message": "JSON" },
		formXpath: { "message": "XPath" },
		formSelectors: { "message": "Selectores CSS" },
		formMarkdown: { "message": "Markdown" },
		sourceCut: {
			"message": "Primeros $SHOWN$ de $ALL$ caracteres. Al copiar o descargar se incluyen todos.",
			"placeholders": {
				"shown": { "content": "$1" },
				"all": { "content": "$2" }
			}
		},
		copy: { "message": "Copiar" },
		copyHtml: { "message": "Copiar HTML" },
		copyMarkdown: { "message": "Copiar Markdown" },
		download: { "message": "Descargar" },
		downloadHtml: { "message": "Descargar HTML" },
		downloadMarkdown: { "message": "Descargar Markdown" },
		downloadJson: { "message": "Descargar JSON" },
		copied: { "message": "Copiado." },
		notCopied: { "message": "El navegador ha bloqueado la copia. Pulsa el botón otra vez." },
		saved: {
			"message": "Guardado como $NAME$.",
			"placeholders": { "name": { "content": "$1" } }
		},
		tintPageletOther: { "message": "otro bloque" },
		tabPage: { "message": "Página" },
		tabPagelets: { "message": "Bloques" },
		layers: { "message": "Partes que resaltar" },
		pageFrame: { "message": "La página, con sus partes resaltadas" },
		pageRegions: { "message": "Partes de la página" },
		pageHint: { "message": "Señala una parte para ver qué es y por qué. Teclado: las flechas pasan de una parte a otra, Escape sale de ellas." },
		noMoreRegions: { "message": "No hay más partes en esta dirección." },
		noPagelet: { "message": "fuera de los bloques" },
		severalParts: { "message": "Varias partes contiguas" },
		supportOf: {
			"message": "en $STRUCTURAL$ de $ALL$ páginas, con el mismo texto en $VERBATIM$ de $ALL$",
			"placeholders": {
				"structural": { "content": "$1" },
				"verbatim": { "content": "$2" },
				"all": { "content": "$3" }
			}
		},
		pageletUnseen: { "message": "Este bloque no es visible en la página." },
		noPagelets: { "message": "No se han encontrado bloques." },
		showOnPage: { "message": "Mostrar en la página" },
		copyJson: { "message": "Copiar JSON" },
		contentViews: { "message": "Formato del contenido" },
		readingView: { "message": "Vista de lectura" },
		copyAddress: { "message": "Copiar el enlace a este resultado" },
		downloadAll: { "message": "Descargar todo" },
		heavy: {
			"message": "Esta página es muy grande ($MEGABYTES$ MB): mostrarla puede bloquear el navegador durante minutos.",
			"placeholders": { "megabytes": { "content": "$1" } }
		},
		heavyShow: { "message": "Mostrar de todos modos" }
	}
};
/** Messages of this package and of an application, in the first supported language of `wanted`, else in English. */
function wordsFrom(own, wanted) {
	const tag = wanted.find((tag) => languageOf(tag) !== void 0) ?? "en";
	const language = languageOf(tag) ?? "en";
	const messages = {
		...SHARED[language],
		...own[language]
	};
	return {
		browser: () => tag,
		message: (key, values) => filled(messages[key], values)
	};
}
function languageOf(tag) {
	const name = tag.toLowerCase().split(/[-_]/)[0];
	return name === "en" || name === "es" ? name : void 0;
}
function filled(message, values) {
	const places = message?.placeholders ?? {};
	return (message?.message ?? "").replace(/\$(\w+)\$/g, (_, name) => {
		return values[Number(places[name.toLowerCase()]?.content.slice(1)) - 1] ?? "";
	});
}
// ../packages/views/src/written.ts
var Written = class {
	writer;
	#done = /* @__PURE__ */ new Map();
	constructor(writer) {
		this.writer = writer;
	}
	get(name) {
		const begun = this.#done.get(name) ?? this.writer.write(name);
		this.#done.set(name, begun);
		return begun;
	}
	/** As text; objects as the command prints them. */
	async text(name) {
		const value = await this.get(name);
		return typeof value === "string" ? value : `${JSON.stringify(value, null, 2)}\n`;
	}
};
// src/api/event-stream.ts
/** Incremental parser; chunks may end anywhere, also within a line break. */
var EventParser = class {
	#rest = "";
	#name = "";
	#data = [];
	#isFirst = true;
	/** Events completed by this chunk. */
	push(piece) {
		const text = this.#isFirst ? piece.replace(/^\uFEFF/, "") : piece;
		if (piece !== "") this.#isFirst = false;
		const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
		this.#rest = lines.pop() ?? "";
		return lines.flatMap((line) => this.#line(line));
	}
	#line(line) {
		if (line === "") return this.#dispatch();
		const [, field = "", value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
		if (field === "event") this.#name = value;
		if (field === "data") this.#data.push(value);
		return [];
	}
	/** Events without data are dropped. */
	#dispatch() {
		const event = {
			name: this.#name || "message",
			data: this.#data.join("\n")
		};
		const isEvent = this.#data.length > 0;
		this.#name = "";
		this.#data = [];
		return isEvent ? [event] : [];
	}
};
/** Yields the events of a response as they arrive. */
async function* eventsOf(body) {
	const parser = new EventParser();
	const decoder = new TextDecoder();
	const reader = body.getReader();
	try {
		for (;;) {
			const { done, value } = await reader.read();
			if (done) return;
			yield* parser.push(decoder.decode(value, { stream: true }));
		}
	} finally {
		await reader.cancel().catch(() => void 0);
	}
}
// src/api/problem.ts
var ServerProblem = class extends Error {
	kind;
	detail;
	retryAfter;
	pages;
	constructor(kind, detail = "", retryAfter = void 0, pages = []) {
		super(detail || kind);
		this.kind = kind;
		this.detail = detail;
		this.retryAfter = retryAfter;
		this.pages = pages;
	}
};
var KINDS = {
	"bad-request": "bad-request",
	"unsupported-media-type": "bad-request",
	unauthorized: "unauthorized",
	"private-address": "private-address",
	"not-found": "not-found",
	"body-too-large": "too-large",
	"page-required": "page-required",
	"no-sibling": "no-sibling",
	"page-not-loaded": "page-not-loaded",
	"queue-full": "queue-full",
	timeout: "timeout",
	"shutting-down": "shutting-down"
};
/** For proxies, which send a status only. */
var OF_STATUS = {
	400: "bad-request",
	401: "unauthorized",
	403: "private-address",
	404: "not-found",
	413: "too-large",
	429: "queue-full",
	502: "page-not-loaded",
	503: "shutting-down",
	504: "timeout"
};
function problemOf(answer, retryAfter) {
	return new ServerProblem(KINDS[/\/problems\/([\w-]+)$/.exec(answer.type ?? "")?.[1] ?? ""] ?? OF_STATUS[answer.status ?? 0] ?? "broken", answer.detail ?? answer.title ?? "", secondsOf(retryAfter), answer.pages ?? []);
}
/** Parses `Retry-After`: seconds or a date. */
function secondsOf(value) {
	if (!value) return void 0;
	const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1e3;
	return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : void 0;
}
/** Converts any error; `fetch` throws TypeError for network errors. */
function problemOfError(error) {
	if (error instanceof ServerProblem) return error;
	if (error instanceof TypeError) return new ServerProblem("offline");
	return new ServerProblem("broken", error instanceof Error ? error.message : String(error));
}
// src/api/server-event.ts
function serverEvent({ name, data }) {
	const said = objectOf(data);
	if (said === void 0) return void 0;
	switch (name) {
		case "queued": return {
			name,
			ahead: Number(said.ahead ?? 0)
		};
		case "started": return {
			name,
			page: textOf(said.page)
		};
		case "loading": return {
			name,
			url: textOf(said.url),
			why: said.why,
			maxRemaining: Number(said.max_remaining ?? 0)
		};
		case "loaded": {
			const url = textOf(said.url);
			const links = Array.isArray(said.links) ? said.links.map(textOf) : [];
			return {
				name,
				url,
				foundAt: textOf(said.found_at) || url,
				links
			};
		}
		case "accepted": return {
			name,
			url: textOf(said.url)
		};
		case "rejected":
		case "failed": return {
			name,
			url: textOf(said.url),
			cause: textOf(said.cause)
		};
		case "sitemap":
		case "stylesheets":
		case "writing": return { name };
		case "result": return {
			name,
			summary: said
		};
		case "problem": return {
			name,
			problem: said
		};
		default: return;
	}
}
function objectOf(data) {
	try {
		const value = JSON.parse(data);
		return typeof value === "object" && value !== null ? value : void 0;
	} catch {
		return;
	}
}
function textOf(value) {
	return typeof value === "string" ? value : "";
}
// src/api/server.ts
var Server = class {
	token;
	root;
	constructor(token, root = "") {
		this.token = token;
		this.root = root;
	}
	/** Creates a result; reports progress meanwhile. */
	async extract(ask, onProgress, signal) {
		const query = new URLSearchParams(ask.query).toString();
		const answer = await this.#fetch(`/v1/results${query && `?${query}`}`, {
			method: "POST",
			body: ask.body,
			headers: {
				"Content-Type": ask.type,
				Accept: "text/event-stream"
			},
			signal
		});
		if (answer.body === null) throw new ServerProblem("broken");
		for await (const raw of eventsOf(answer.body)) {
			const event = serverEvent(raw);
			if (event?.name === "result") return event.summary;
			if (event?.name === "problem") throw problemOf(event.problem);
			if (event) onProgress(event);
		}
		throw new ServerProblem("offline");
	}
	async summary(id, signal) {
		return (await this.#fetch(this.#result(id), signal ? { signal } : {})).json();
	}
	/** An output of a result: text, or an object for JSON. */
	async output(id, name) {
		const answer = await this.#fetch(`${this.#result(id)}/${name}`, {});
		return /^application\/json\b/.test(answer.headers.get("Content-Type") ?? "") ? answer.json() : answer.text();
	}
	/** URL of all outputs as a ZIP file. */
	archiveAddress(id) {
		return `${this.root}${this.#result(id)}/husk.zip`;
	}
	/** The ZIP file itself, for servers with a token, which a link cannot send. */
	async archive(id) {
		return (await this.#fetch(`${this.#result(id)}/husk.zip`, {})).blob();
	}
	#result(id) {
		return `/v1/results/${encodeURIComponent(id)}`;
	}
	async #fetch(path, init) {
		const answer = await fetch(this.root + path, {
			...init,
			headers: {
				...init.headers,
				...this.token.header()
			},
			cache: "no-store"
		});
		if (!answer.ok) throw await problemOfAnswer(answer);
		return answer;
	}
};
async function problemOfAnswer(answer) {
	return problemOf({
		...await answer.json().catch(() => ({})),
		status: answer.status
	}, answer.headers.get("Retry-After"));
}
// src/api/token.ts
var KEY = "husk-token";
var Token = class {
	storage;
	constructor(storage) {
		this.storage = storage;
	}
	get isKnown() {
		return this.storage.getItem(KEY) !== null;
	}
	keep(word) {
		this.storage.setItem(KEY, word.trim());
	}
	/** Called when the server rejects it. */
	forget() {
		this.storage.removeItem(KEY);
	}
	header() {
		const word = this.storage.getItem(KEY);
		return word === null ? {} : { Authorization: `Bearer ${word}` };
	}
};
// src/crawl/crawl.ts
var NO_CRAWL = {
	key: void 0,
	pages: [],
	stage: "queued",
	ahead: 0,
	done: 0
};
/** Applies an event. */
function advance(crawl, event) {
	switch (event.name) {
		case "queued": return {
			...crawl,
			stage: "queued",
			ahead: event.ahead
		};
		case "started": return {
			...crawl,
			stage: "started",
			ahead: 0,
			key: crawl.key ?? pageOf(event.page)
		};
		case "loading": return loading(crawl, event.url, event.why, event.maxRemaining);
		case "loaded": return changed(crawl, event.url, (page) => ({
			...page,
			state: "loaded",
			foundAt: event.foundAt,
			links: event.links
		}));
		case "accepted": return changed(crawl, event.url, (page) => ({
			...page,
			state: "accepted"
		}));
		case "rejected":
		case "failed": return changed(crawl, event.url, (page) => ({
			...page,
			state: event.name,
			cause: event.cause
		}));
		case "sitemap": return {
			...crawl,
			stage: "sitemap"
		};
		case "stylesheets":
		case "writing": return {
			...crawl,
			stage: event.name,
			done: 1
		};
	}
}
function pageOf(url, why) {
	return {
		url,
		foundAt: url,
		why,
		state: "loading",
		cause: void 0,
		links: []
	};
}
function isOf(page, url) {
	return page !== void 0 && (page.url === url || page.foundAt === url);
}
function loading(crawl, url, why, maxRemaining) {
	if (isOf(crawl.key, url)) return crawl;
	const before = crawl.pages.length + 1;
	const expected = before / (before + Math.max(1, maxRemaining));
	const pages = crawl.pages.some((page) => page.url === url) ? crawl.pages : [...crawl.pages, pageOf(url, why)];
	return {
		...crawl,
		stage: "started",
		pages,
		done: Math.max(crawl.done, expected)
	};
}
/** Changes one page; adds it if it was sent in the request. */
function changed(crawl, url, change) {
	if (crawl.key === void 0) return {
		...crawl,
		key: change(pageOf(url))
	};
	if (isOf(crawl.key, url)) return {
		...crawl,
		key: change(crawl.key)
	};
	if (!crawl.pages.some((page) => isOf(page, url))) return {
		...crawl,
		pages: [...crawl.pages, change(pageOf(url))]
	};
	return {
		...crawl,
		pages: crawl.pages.map((page) => isOf(page, url) ? change(page) : page)
	};
}
// src/input/files.ts
/** Limit, in case a whole disk is dropped. */
var MOST_FILES = 2e4;
var PAGE = /\.x?html?$/i;
var ARCHIVE = /\.warc(?:\.gz)?$/i;
/** Must be called within the drop event: the entries are not available later. */
async function dropped(transfer) {
	const entries = [...transfer.items].filter(({ kind }) => kind === "file").map((item) => item.webkitGetAsEntry?.() ?? null);
	if (entries.every((entry) => entry === null)) return chosen(transfer.files);
	return filesBelow(entries.filter((entry) => entry !== null));
}
function chosen(files) {
	return [...files].map((file) => ({
		path: file.webkitRelativePath || file.name,
		file
	}));
}
/** All files below the entries, breadth first. */
async function filesBelow(entries) {
	const found = [];
	const open = [...entries];
	for (let entry = open.shift(); entry && found.length < MOST_FILES; entry = open.shift()) if (isFolder(entry)) open.push(...await entriesOf(entry));
	else if (isConcerned(entry.name) || entries.includes(entry)) found.push(await fileOf(entry));
	return found;
}
function isFolder(entry) {
	return entry.isDirectory;
}
function isConcerned(name) {
	return !/\.(?:css|js|mjs|json|png|jpe?g|gif|svg|webp|avif|ico|woff2?|ttf|mp4|pdf|zip)$/i.test(name);
}
/** Browsers return entries in batches. */
async function entriesOf(folder) {
	const reader = folder.createReader();
	const all = [];
	for (;;) {
		const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
		if (some.length === 0) return all.toSorted((a, b) => a.name < b.name ? -1 : 1);
		all.push(...some);
	}
}
async function fileOf(entry) {
	const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
	return {
		path: entry.fullPath.replace(/^\//, ""),
		file
	};
}
/** Chooses the input; an archive takes precedence over pages. */
function sortOut(files) {
	const archive = files.find(({ path }) => ARCHIVE.test(path));
	if (archive) return {
		kind: "archive",
		file: archive.file
	};
	const pages = files.filter(({ path, file }) => PAGE.test(path) || file.type === "text/html");
	if (pages.length > 0) return {
		kind: "pages",
		pages
	};
	return {
		kind: "nothing",
		names: files.slice(0, 3).map(({ path }) => path)
	};
}
// src/input/page-file.ts
/** URLs are stated near the beginning. */
var HEAD = 1e5;
async function readPage(file) {
	return decoded(new Uint8Array(await file.arrayBuffer()));
}
function decoded(bytes) {
	const named = charsetOf(bytes);
	if (named) return new TextDecoder(named).decode(bytes);
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch {
		return new TextDecoder("windows-1252").decode(bytes);
	}
}
function charsetOf(bytes) {
	if (bytes[0] === 255 && bytes[1] === 254) return "utf-16le";
	if (bytes[0] === 254 && bytes[1] === 255) return "utf-16be";
	const head = new TextDecoder("windows-1252").decode(bytes.subarray(0, 4096));
	const named = /<meta\b[^>]*?charset\s*=\s*["']?\s*([\w:-]+)/i.exec(head)?.[1];
	try {
		const charset = named && new TextDecoder(named).encoding;
		return charset?.startsWith("utf-16") ? "utf-8" : charset;
	} catch {
		return;
	}
}
/** Comment of browsers and SingleFile with the original URL. */
var SAVED = /<!--[^>]{0,200}?(?:saved from url=\(\d+\)|\burl:\s*)(https?:\/\/[^\s>]+)/i;
/** The URL that a page states. */
function statedAddress(html) {
	const head = html.slice(0, HEAD);
	const page = new DOMParser().parseFromString(head, "text/html");
	const found = [
		SAVED.exec(head)?.[1],
		page.querySelector("link[rel~='canonical' i]")?.getAttribute("href"),
		page.querySelector("meta[property='og:url' i]")?.getAttribute("content")
	].find((url) => url && /^https?:\/\//i.test(url.trim()) && URL.canParse(url.trim()));
	return found ? new URL(found.trim()).href.replace(/#.*$/, "") : void 0;
}
// src/input/folder.ts
/** Host for pages of unknown origin. */
var NOWHERE = "https://site.invalid/";
/** More siblings do not help. */
var MOST_SIBLINGS = 40;
/** Number of pages searched for a canonical URL. */
var MOST_ASKED = 24;
/** Usual overhead of JSON escaping. */
var WRITTEN = 1.15;
/** Sorts files: index pages first, then by depth. */
function inOrder(files) {
	const depth = ({ path }) => path.split("/").length;
	const rank = ({ path }) => /(?:^|\/)(?:index|default|home)\.x?html?$/i.test(path) ? 0 : 1;
	const compare = (a, b) => depth(a) - depth(b) || rank(a) - rank(b) || (a.path < b.path ? -1 : 1);
	return files.toSorted(compare);
}
/** Other files, nearest to the key page first. */
function near(key, files) {
	const folders = key.path.split("/").slice(0, -1);
	const distance = ({ path }) => {
		const parts = path.split("/").slice(0, -1);
		const shared = parts.findIndex((part, at) => part !== folders[at]);
		const common = shared === -1 ? Math.min(parts.length, folders.length) : shared;
		return parts.length + folders.length - 2 * common;
	};
	return inOrder(files.filter((file) => file !== key)).toSorted((a, b) => distance(a) - distance(b));
}
/** A key page and as many siblings as fit. */
async function siteAround(key, files, mostBytes) {
	const root = sharedFolder(files);
	const around = near(key, files);
	const html = await readPage(key.file);
	const base = await baseOf([key, ...around.slice(0, MOST_ASKED)], root);
	const urlOf = ({ path }) => addressOf(path.slice(root.length), base);
	const page = {
		url: files.length === 1 ? statedAddress(html) ?? urlOf(key) : urlOf(key),
		html
	};
	const siblings = [];
	let room = mostBytes - key.file.size * WRITTEN;
	for (const file of around) {
		if (siblings.length >= MOST_SIBLINGS) break;
		if (file.file.size * WRITTEN > room) continue;
		room -= file.file.size * WRITTEN;
		siblings.push({
			url: urlOf(file),
			html: await readPage(file.file)
		});
	}
	return {
		page,
		siblings
	};
}
/** Common folder of all files, with a trailing slash; not part of the URLs. */
function sharedFolder(files) {
	const [first, ...rest] = files.map(({ path }) => path.split("/").slice(0, -1));
	if (!first) return "";
	const shared = first.findIndex((part, at) => rest.some((parts) => parts[at] !== part));
	const common = first.slice(0, shared === -1 ? first.length : shared);
	return common.length === 0 ? "" : `${common.join("/")}/`;
}
/** Base URL that most pages state. */
async function baseOf(files, root) {
	const votes = /* @__PURE__ */ new Map();
	for (const { path, file } of files) {
		const stated = statedAddress(await readPage(file.slice(0, 1e5)));
		const base = stated && baseBy(stated, path.slice(root.length));
		if (base) votes.set(base, (votes.get(base) ?? 0) + 1);
	}
	const most = Math.max(0, ...votes.values());
	return [...votes].find(([, count]) => count === most)?.[0] ?? NOWHERE;
}
/** The stated URL minus the file's path, or the origin if they do not match. */
function baseBy(stated, path) {
	const { origin, pathname } = new URL(stated);
	const endings = [
		path,
		path.replace(/\.x?html?$/i, ""),
		path.replace(/(?:^|(?<=\/))index\.x?html?$/i, "")
	];
	for (const ending of endings) {
		const whole = `/${ending}`.replace(/\/$/, "");
		const address = pathname.replace(/\/$/, "");
		if (address.endsWith(whole)) return `${origin}${address.slice(0, address.length - whole.length)}/`;
	}
	return `${origin}/`;
}
/** Does not encode twice: file names are often already encoded. */
function addressOf(path, base) {
	const written = path.split("/").map((part) => part.replace(/%(?![0-9a-f]{2})/gi, "%25").replace(/[?#]/g, encodeURIComponent)).join("/");
	return new URL(`./${written}`, base).href;
}
// src/input/input.ts
var USUAL = {
	method: "husk",
	pagesToCompare: void 0,
	fresh: false
};
/** The server's default limit. */
var MOST_BYTES = 16777216;
function askOf(input, choices) {
	if (input.kind === "archive") {
		const query = {
			...input.page ? { page: input.page } : {},
			method: choices.method
		};
		return {
			body: input.file,
			type: "application/warc",
			query
		};
	}
	const options = {
		method: choices.method,
		...choices.pagesToCompare === void 0 ? {} : { pages_to_compare: choices.pagesToCompare }
	};
	const said = {
		...input.kind === "url" ? { url: input.url } : {
			page: input.page,
			siblings: input.siblings
		},
		options,
		...choices.fresh ? { fresh: true } : {}
	};
	return {
		body: JSON.stringify(said),
		type: "application/json"
	};
}
/** Parses a typed URL, adding the scheme; undefined if invalid. */
function typedAddress(typed) {
	const words = typed.trim();
	if (words === "" || /\s/.test(words)) return void 0;
	const scheme = /^(?:localhost|[\d.]+|\[[\da-f:.]+\])(?:[:/?#]|$)/i.test(words) ? "http" : "https";
	const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(words) ? words : `${scheme}://${words}`;
	if (!URL.canParse(whole)) return void 0;
	const url = new URL(whole);
	const isHost = /[.:]/.test(url.host) || url.hostname === "localhost";
	return ["http:", "https:"].includes(url.protocol) && isHost ? url.href : void 0;
}
/** Display name of an input. */
function nameOf(input) {
	if (input.kind === "url") return input.url;
	return input.kind === "archive" ? input.page ?? input.file.name : input.page.url;
}
// src/route.ts
function routeOf({ pathname, search }) {
	const id = /^\/r\/([^/]+)$/.exec(pathname)?.[1];
	if (id === void 0) return { name: "start" };
	return {
		name: "result",
		id: plain$1(id),
		other: new URLSearchParams(search).get("with") ?? void 0
	};
}
function pathTo(route) {
	if (route.name === "start") return "/";
	const beside = route.other === void 0 ? "" : `?with=${encodeURIComponent(route.other)}`;
	return `/r/${encodeURIComponent(route.id)}${beside}`;
}
function plain$1(id) {
	try {
		return decodeURIComponent(id);
	} catch {
		return id;
	}
}
// src/flow.ts
var Flow = class {
	server;
	token;
	place;
	show;
	#stop = new AbortController();
	#again = async () => this.toStart();
	#choices = USUAL;
	/** Results of this visit by id. */
	#kept = /* @__PURE__ */ new Map();
	constructor(server, token, place, show) {
		this.server = server;
		this.token = token;
		this.place = place;
		this.show = show;
	}
	get hasToken() {
		return this.token.isKnown;
	}
	get choices() {
		return this.#choices;
	}
	choose(choices) {
		this.#choices = choices;
	}
	/** Shows the state of the current URL. */
	async open() {
		const route = routeOf(this.place.location);
		if (route.name === "start") {
			this.#renew();
			this.show({
				name: "start",
				url: ""
			});
			return;
		}
		await this.#trying(void 0, async (signal) => {
			this.show({ name: "opening" });
			const wanted = [route.id, route.other].filter((id) => id !== void 0);
			const [result, other] = await Promise.all(wanted.map((id) => this.#result(id, signal)));
			if (!result || signal.aborted) return;
			this.show({
				name: "finished",
				result,
				other
			});
		});
	}
	toStart(url = "") {
		this.#renew();
		this.#go({ name: "start" });
		this.show({
			name: "start",
			url
		});
	}
	/** Starts an extraction; cancels the current one. */
	async begin(input, choices = this.#choices, beside) {
		const size = input.kind === "archive" ? input.file.size : 0;
		if (input.kind === "archive" && size > 16777216) {
			this.show({
				name: "start",
				url: "",
				refused: tooLarge(input.file)
			});
			return;
		}
		await this.#trying(input, async (signal) => {
			let crawl = NO_CRAWL;
			this.show({
				name: "crawling",
				input,
				crawl,
				beside
			});
			const onProgress = (event) => {
				if (signal.aborted) return;
				crawl = advance(crawl, event);
				this.show({
					name: "crawling",
					input,
					crawl,
					beside
				});
			};
			const summary = await this.server.extract(askOf(input, choices), onProgress, signal);
			if (signal.aborted) return;
			this.#finish({
				summary,
				input,
				crawl
			}, beside);
		});
	}
	/** Handles dropped or chosen files. */
	async give(reading) {
		await this.#trying(void 0, async (signal) => {
			this.show({ name: "reading" });
			const found = sortOut(await reading);
			if (signal.aborted) return;
			if (found.kind === "nothing") this.show({
				name: "start",
				url: "",
				refused: found
			});
			else if (found.kind === "archive") await this.begin({
				kind: "archive",
				file: found.file
			});
			else await this.#offer(inOrder(found.pages));
		});
	}
	async #offer(files) {
		const [only, ...others] = files;
		if (only && others.length === 0) await this.chooseFile(only, files);
		else this.show({
			name: "choosing-file",
			files
		});
	}
	/** Uses a file as the key page. */
	async chooseFile(key, files) {
		if (key.file.size > 16777216) {
			this.show({
				name: "start",
				url: "",
				refused: tooLarge(key.file)
			});
			return;
		}
		await this.#trying(void 0, async (signal) => {
			this.show({ name: "reading" });
			const site = await siteAround(key, files, MOST_BYTES);
			if (!signal.aborted) await this.begin({
				kind: "pages",
				...site
			});
		});
	}
	/** Runs the other method and shows both results. */
	async compare(result) {
		const input = inputOf(result);
		if (input) await this.begin(input, {
			...this.#choices,
			method: otherMethod(result.summary)
		}, result);
	}
	/** Extracts again without the learned template. */
	async anew(result) {
		const input = inputOf(result);
		const { method } = result.summary;
		if (input) await this.begin(input, {
			...this.#choices,
			method,
			fresh: true
		});
	}
	/** Shows one of two results. */
	alone(result) {
		this.#go({
			name: "result",
			id: result.summary.id,
			other: void 0
		});
		this.show({
			name: "finished",
			result,
			other: void 0
		});
	}
	cancel(input, beside) {
		this.#renew();
		if (beside) this.show({
			name: "finished",
			result: beside,
			other: void 0
		});
		else this.show({
			name: "start",
			url: input?.kind === "url" ? input.url : ""
		});
	}
	/** Retries the last action. */
	async again() {
		await this.#again();
	}
	async withToken(word) {
		this.token.keep(word);
		await this.#again();
	}
	/** Runs an action; cancels the current one and shows errors. */
	async #trying(input, act) {
		const signal = this.#renew();
		this.#again = () => this.#trying(input, act.bind(this));
		try {
			await act(signal);
		} catch (error) {
			if (!signal.aborted) this.#fail(problemOfError(error), input);
		}
	}
	#fail(problem, input) {
		if (problem.kind === "unauthorized") this.token.forget();
		if (problem.kind === "page-required" && input?.kind === "archive" && problem.pages.length > 0) this.show({
			name: "choosing-page",
			pages: problem.pages,
			file: input.file
		});
		else this.show({
			name: "failed",
			problem,
			input
		});
	}
	#finish(kept, beside) {
		this.#kept.set(kept.summary.id, kept);
		const first = beside ?? kept;
		const other = beside && kept;
		this.#go({
			name: "result",
			id: first.summary.id,
			other: other?.summary.id
		});
		this.show({
			name: "finished",
			result: first,
			other
		});
	}
	async #result(id, signal) {
		const known = this.#kept.get(id);
		const summary = known?.summary ?? await this.server.summary(id, signal);
		return known ?? {
			summary,
			input: void 0,
			crawl: void 0
		};
	}
	#go(route) {
		const path = pathTo(route);
		const { pathname, search } = this.place.location;
		if (path !== pathname + search) this.place.history.pushState(null, "", path);
	}
	/** Cancels the current action. */
	#renew() {
		this.#stop.abort();
		this.#stop = new AbortController();
		return this.#stop.signal;
	}
};
function otherMethod({ method }) {
	return method === "paper" ? "husk" : "paper";
}
/** The input to repeat a result, if known. */
function inputOf({ summary, input }) {
	if (input) return input;
	return /^https?:/.test(summary.page) && !new URL(summary.page).hostname.endsWith(".invalid") ? {
		kind: "url",
		url: summary.page
	} : void 0;
}
function tooLarge(file) {
	return {
		kind: "too-large",
		name: file.name,
		bytes: file.size
	};
}
var en_default = {
	reference: { "message": "HTTP API" },
	startHeading: { "message": "Separate a web page’s template from its content" },
	startSaid: { "message": "Husk compares a page with other pages of its site and finds the template, the menu and the main content." },
	startFoot: { "message": "Pages are loaded by this server, not by your browser. Each result has a link that you can share." },
	urlLabel: { "message": "URL of a page" },
	urlMissing: { "message": "Enter the URL of a page, such as example.org/article." },
	urlWrong: { "message": "This is not a valid URL. Enter one such as example.org/article." },
	extract: { "message": "Extract" },
	dropHeading: { "message": "Or drop saved pages here" },
	dropSaid: { "message": "An HTML file, a folder of them, or a WARC archive. They are compared with each other; nothing is loaded from the web." },
	dropNothing: { "message": "Drop a file, a folder or a link." },
	chooseFile: { "message": "Choose a file…" },
	chooseFolder: { "message": "Choose a folder…" },
	refusedFiles: {
		"message": "No HTML pages in $NAMES$. Choose HTML files, folders of them, or WARC archives.",
		"placeholders": { "names": {
			"content": "$1",
			"example": "photo.png"
		} }
	},
	refusedSize: {
		"message": "$NAME$ has $SIZE$ MB; the server accepts up to $MOST$ MB. For larger files, use the command husk template.",
		"placeholders": {
			"name": {
				"content": "$1",
				"example": "crawl.warc.gz"
			},
			"size": {
				"content": "$2",
				"example": "30"
			},
			"most": {
				"content": "$3",
				"example": "16"
			}
		}
	},
	options: { "message": "Options" },
	method: { "message": "Method" },
	methodHusk: { "message": "Husk (default)" },
	methodHuskSaid: { "message": "compares with the most similar pages" },
	methodPaper: { "message": "Paper" },
	methodPaperSaid: { "message": "the published method: pages that all link to each other" },
	pagesToCompare: { "message": "Pages to compare" },
	pagesToCompareSaid: { "message": "default: as many as needed" },
	fresh: { "message": "Ignore the learned template" },
	freshSaid: { "message": "learn the template of the site again" },
	readingFiles: { "message": "Reading files…" },
	openingResult: { "message": "Opening the result…" },
	chooseHeadingOne: {
		"message": "Use this page? $COUNT$ page found.",
		"placeholders": { "count": {
			"content": "$1",
			"example": "1"
		} }
	},
	chooseHeadingOther: {
		"message": "Choose one of $COUNT$ pages",
		"placeholders": { "count": {
			"content": "$1",
			"example": "12"
		} }
	},
	chooseFileSaid: { "message": "Choose the page to extract. It is compared with the pages near it." },
	choosePageSaid: {
		"message": "Choose the page of $NAME$ to extract. It is compared with the others.",
		"placeholders": { "name": {
			"content": "$1",
			"example": "crawl.warc.gz"
		} }
	},
	searchPages: { "message": "Search pages" },
	kilobytes: {
		"message": "$COUNT$ kB",
		"placeholders": { "count": {
			"content": "$1",
			"example": "24"
		} }
	},
	morePagesOne: {
		"message": "$COUNT$ more page: use the search",
		"placeholders": { "count": {
			"content": "$1",
			"example": "1"
		} }
	},
	morePagesOther: {
		"message": "$COUNT$ more pages: use the search",
		"placeholders": { "count": {
			"content": "$1",
			"example": "300"
		} }
	},
	crawlHeading: {
		"message": "Loading pages of $HOST$",
		"placeholders": { "host": {
			"content": "$1",
			"example": "example.org"
		} }
	},
	crawlBeside: {
		"message": "Running the other method: $HOST$",
		"placeholders": { "host": {
			"content": "$1",
			"example": "example.org"
		} }
	},
	sending: { "message": "Connecting to the server…" },
	queuedOne: {
		"message": "The server is busy: $COUNT$ request is ahead of yours.",
		"placeholders": { "count": {
			"content": "$1",
			"example": "1"
		} }
	},
	queuedOther: {
		"message": "The server is busy: $COUNT$ requests are ahead of yours.",
		"placeholders": { "count": {
			"content": "$1",
			"example": "3"
		} }
	},
	loadingKey: { "message": "Loading the page." },
	comparing: { "message": "Loading and comparing linked pages." },
	listing: { "message": "Too few links: reading the sitemap." },
	loadingStyle: { "message": "Loading the page’s style sheets." },
	writingResult: { "message": "Writing the result." },
	linkedMutuallyOne: {
		"message": "$COUNT$ page links to itself.",
		"placeholders": { "count": {
			"content": "$1",
			"example": "1"
		} }
	},
	linkedMutuallyOther: {
		"message": "$COUNT$ pages all link to each other, probably through the menu.",
		"placeholders": { "count": {
			"content": "$1",
			"example": "5"
		} }
	},
	legendKey: { "message": "your page" },
	legendLink: { "message": "linked page" },
	legendAccepted: { "message": "compared" },
	legendRefused: { "message": "not usable" },
	legendClique: { "message": "all link to each other" },
	downloading: { "message": "Download started." },
	notDownloaded: { "message": "The download failed. The result may have expired." },
	newPage: { "message": "New page" },
	extractAnew: { "message": "Extract again" },
	learnedSaid: {
		"message": "Extracted with the template of $SITE$ learned $AGE$; no other page was loaded.",
		"placeholders": {
			"site": {
				"content": "$1",
				"example": "example.org"
			},
			"age": {
				"content": "$2",
				"example": "3 minutes ago"
			}
		}
	},
	comparedPaper: { "message": "Compare with the paper method" },
	comparedHusk: { "message": "Compare with the Husk method" },
	foundByHusk: { "message": "Extracted with the Husk method." },
	foundByPaper: { "message": "Extracted with the paper method." },
	compareHeading: {
		"message": "Two methods: $TITLE$",
		"placeholders": { "title": {
			"content": "$1",
			"example": "News"
		} }
	},
	compareHusk: { "message": "Husk method" },
	comparePaper: { "message": "Paper method" },
	compareFirst: { "message": "First result" },
	compareSecond: { "message": "Second result" },
	compareTemplate: { "message": "Template" },
	compareMore: {
		"message": "$NAME$: $COUNT$ more template nodes.",
		"placeholders": {
			"name": {
				"content": "$1",
				"example": "Husk’s method"
			},
			"count": {
				"content": "$2",
				"example": "33"
			}
		}
	},
	compareSame: { "message": "Both have the same number of template nodes." },
	showAlone: { "message": "Show only this result" },
	finalGraph: { "message": "Pages and their links" },
	retry: { "message": "Retry" },
	retryNow: { "message": "You can retry now." },
	retryInOne: {
		"message": "Retry in $COUNT$ second",
		"placeholders": { "count": {
			"content": "$1",
			"example": "1"
		} }
	},
	retryInOther: {
		"message": "Retry in $COUNT$ seconds",
		"placeholders": { "count": {
			"content": "$1",
			"example": "12"
		} }
	},
	token: { "message": "Token" },
	useToken: { "message": "Continue" },
	loadInstead: {
		"message": "Load it from $HOST$ instead",
		"placeholders": { "host": {
			"content": "$1",
			"example": "example.org"
		} }
	},
	offlineHeading: { "message": "The server does not respond" },
	offlineSaid: { "message": "Check your connection and that the server is running, then retry." },
	unauthorizedHeading: { "message": "This server requires a token" },
	unauthorizedSaid: { "message": "Enter the token. It is kept until you close this tab and sent to this server only." },
	privateHeading: { "message": "This URL is in a private network" },
	privateSaid: { "message": "The server loads public pages only. If it is your own server, start it with --allow-private; or save the page and drop it here." },
	goneHeading: { "message": "This result does not exist" },
	goneSaid: { "message": "Results are deleted after some time. Extract the page again." },
	badRequestHeading: { "message": "Invalid request" },
	badRequestSaid: { "message": "Check the URL or the file. The server’s message:" },
	tooLargeHeading: { "message": "The request is too large" },
	tooLargeSaid: { "message": "Choose fewer or smaller files. For large archives, use the command husk template." },
	whichPageHeading: { "message": "The archive has several pages" },
	whichPageSaid: { "message": "Start again and choose a page." },
	noSiblingHeading: { "message": "No page to compare with" },
	noSiblingSaid: { "message": "Finding a template takes several pages. Add the folder with the other pages of the site, or enter the page’s URL." },
	notLoadedHeading: { "message": "The page could not be loaded" },
	notLoadedSaid: { "message": "Check the URL. If the page opens in your browser, save it and drop it here." },
	busyHeading: { "message": "Too many requests" },
	busySaid: { "message": "The server is busy." },
	timedOutHeading: { "message": "Time limit exceeded" },
	timedOutSaid: { "message": "The site responds slowly. Retry: a second attempt is often faster." },
	shuttingDownHeading: { "message": "The server is shutting down" },
	shuttingDownSaid: { "message": "Retry when it is running again." },
	brokenHeading: { "message": "Something went wrong" },
	brokenSaid: { "message": "Retry. If it happens again, send these details to the operator of this server." }
};
var es_default = {
	reference: { "message": "API HTTP" },
	startHeading: { "message": "Separa la plantilla de una página web de su contenido" },
	startSaid: { "message": "Husk compara una página con otras de su sitio y encuentra la plantilla, el menú y el contenido principal." },
	startFoot: { "message": "Las páginas las carga este servidor, no tu navegador. Cada resultado tiene un enlace que puedes compartir." },
	urlLabel: { "message": "URL de una página" },
	urlMissing: { "message": "Escribe la URL de una página, como example.org/articulo." },
	urlWrong: { "message": "Esta URL no es válida. Escribe una como example.org/articulo." },
	extract: { "message": "Extraer" },
	dropHeading: { "message": "O suelta aquí páginas guardadas" },
	dropSaid: { "message": "Un archivo HTML, una carpeta de ellos o un archivo WARC. Se comparan entre sí; no se carga nada de la web." },
	dropNothing: { "message": "Suelta un archivo, una carpeta o un enlace." },
	chooseFile: { "message": "Elegir un archivo…" },
	chooseFolder: { "message": "Elegir una carpeta…" },
	refusedFiles: {
		"message": "No hay páginas HTML en $NAMES$. Elige archivos HTML, carpetas de ellos o archivos WARC.",
		"placeholders": { "names": {
			"content": "$1",
			"example": "photo.png"
		} }
	},
	refusedSize: {
		"message": "$NAME$ ocupa $SIZE$ MB; el servidor acepta hasta $MOST$ MB. Para archivos mayores, usa la orden husk template.",
		"placeholders": {
			"name": {
				"content": "$1",
				"example": "crawl.warc.gz"
			},
			"size": {
				"content": "$2",
				"example": "30"
			},
			"most": {
				"content": "$3",
				"example": "16"
			}
		}
	},
	options: { "message": "Opciones" },
	method: { "message": "Método" },
	methodHusk: { "message": "Husk (por omisión)" },
	methodHuskSaid: { "message": "compara con las páginas más parecidas" },
	methodPaper: { "message": "Artículo" },
	methodPaperSaid: { "message": "el método publicado: páginas que se enlazan todas entre sí" },
	pagesToCompare: { "message": "Páginas que comparar" },
	pagesToCompareSaid: { "message": "por omisión: las necesarias" },
	fresh: { "message": "No usar la plantilla aprendida" },
	freshSaid: { "message": "aprender de nuevo la plantilla del sitio" },
	readingFiles: { "message": "Leyendo archivos…" },
	openingResult: { "message": "Abriendo el resultado…" },
	chooseHeadingOne: {
		"message": "¿Usar esta página? Hay $COUNT$ página.",
		"placeholders": { "count": {
			"content": "$1",
			"example": "1"
		} }
	},
	chooseHeadingOther: {
		"message": "Elige una de $COUNT$ páginas",
		"placeholders": { "count": {
			"content": "$1",
			"example": "12"
		} }
	},
	chooseFileSaid: { "message": "Elige la página que quieres extraer. Se compara con las que tiene cerca." },
	choosePageSaid: {
		"message": "Elige la página de $NAME$ que quieres extraer. Se compara con las demás.",
		"placeholders": { "name": {
			"content": "$1",
			"example": "crawl.warc.gz"
		} }
	},
	searchPages: { "message": "Buscar páginas" },
	kilobytes: {
		"message": "$COUNT$ KB",
		"placeholders": { "count": {
			"content": "$1",
			"example": "24"
		} }
	},
	morePagesOne: {
		"message": "$COUNT$ página más: usa la búsqueda",
		"placeholders": { "count": {
			"content": "$1",
			"example": "1"
		} }
	},
	morePagesOther: {
		"message": "$COUNT$ páginas más: usa la búsqueda",
		"placeholders": { "count": {
			"content": "$1",
			"example": "300"
		} }
	},
	crawlHeading: {
		"message": "Cargando páginas de $HOST$",
		"placeholders": { "host": {
			"content": "$1",
			"example": "example.org"
		} }
	},
	crawlBeside: {
		"message": "Ejecutando el otro método: $HOST$",
		"placeholders": { "host": {
			"content": "$1",
			"example": "example.org"
		} }
	},
	sending: { "message": "Conectando con el servidor…" },
	queuedOne: {
		"message": "El servidor está ocupado: hay $COUNT$ petición antes que la tuya.",
		"placeholders": { "count": {
			"content": "$1",
			"example": "1"
		} }
	},
	queuedOther: {
		"message": "El servidor está ocupado: hay $COUNT$ peticiones antes que la tuya.",
		"placeholders": { "count": {
			"content": "$1",
			"example": "3"
		} }
	},
	loadingKey: { "message": "Cargando la página." },
	comparing: { "message": "Cargando y comparando páginas enlazadas." },
	listing: { "message": "Pocos enlaces: leyendo el mapa del sitio." },
	loadingStyle: { "message": "Cargando las hojas de estilo de la página." },
	writingResult: { "message": "Escribiendo el resultado." },
	linkedMutuallyOne: {
		"message": "$COUNT$ página se enlaza a sí misma.",
		"placeholders": { "count": {
			"content": "$1",
			"example": "1"
		} }
	},
	linkedMutuallyOther: {
		"message": "$COUNT$ páginas se enlazan todas entre sí, probablemente por el menú.",
		"placeholders": { "count": {
			"content": "$1",
			"example": "5"
		} }
	},
	legendKey: { "message": "tu página" },
	legendLink: { "message": "página enlazada" },
	legendAccepted: { "message": "comparada" },
	legendRefused: { "message": "no utilizable" },
	legendClique: { "message": "se enlazan todas entre sí" },
	downloading: { "message": "Descarga iniciada." },
	notDownloaded: { "message": "La descarga ha fallado. Puede que el resultado haya caducado." },
	newPage: { "message": "Otra página" },
	extractAnew: { "message": "Extraer de nuevo" },
	learnedSaid: {
		"message": "Extraída con la plantilla de $SITE$ aprendida $AGE$; no se cargó ninguna otra página.",
		"placeholders": {
			"site": {
				"content": "$1",
				"example": "example.org"
			},
			"age": {
				"content": "$2",
				"example": "3 minutes ago"
			}
		}
	},
	comparedPaper: { "message": "Comparar con el método del artículo" },
	comparedHusk: { "message": "Comparar con el método de Husk" },
	foundByHusk: { "message": "Extraída con el método de Husk." },
	foundByPaper: { "message": "Extraída con el método del artículo." },
	compareHeading: {
		"message": "Dos métodos: $TITLE$",
		"placeholders": { "title": {
			"content": "$1",
			"example": "News"
		} }
	},
	compareHusk: { "message": "Método de Husk" },
	comparePaper: { "message": "Método del artículo" },
	compareFirst: { "message": "Primer resultado" },
	compareSecond: { "message": "Segundo resultado" },
	compareTemplate: { "message": "Plantilla" },
	compareMore: {
		"message": "$NAME$: $COUNT$ nodos de plantilla más.",
		"placeholders": {
			"name": {
				"content": "$1",
				"example": "Husk’s method"
			},
			"count": {
				"content": "$2",
				"example": "33"
			}
		}
	},
	compareSame: { "message": "Ambos tienen el mismo número de nodos de plantilla." },
	showAlone: { "message": "Mostrar solo este resultado" },
	finalGraph: { "message": "Páginas y sus enlaces" },
	retry: { "message": "Reintentar" },
	retryNow: { "message": "Ya puedes reintentar." },
	retryInOne: {
		"message": "Reintentar en $COUNT$ segundo",
		"placeholders": { "count": {
			"content": "$1",
			"example": "1"
		} }
	},
	retryInOther: {
		"message": "Reintentar en $COUNT$ segundos",
		"placeholders": { "count": {
			"content": "$1",
			"example": "12"
		} }
	},
	token: { "message": "Clave de acceso" },
	useToken: { "message": "Continuar" },
	loadInstead: {
		"message": "Cargarla de $HOST$",
		"placeholders": { "host": {
			"content": "$1",
			"example": "example.org"
		} }
	},
	offlineHeading: { "message": "El servidor no responde" },
	offlineSaid: { "message": "Comprueba tu conexión y que el servidor esté en marcha, y reinténtalo." },
	unauthorizedHeading: { "message": "Este servidor requiere una clave de acceso" },
	unauthorizedSaid: { "message": "Escribe la clave. Se guarda hasta que cierres esta pestaña y solo se envía a este servidor." },
	privateHeading: { "message": "Esta URL está en una red privada" },
	privateSaid: { "message": "El servidor solo carga páginas públicas. Si es tu servidor, inícialo con --allow-private; o guarda la página y suéltala aquí." },
	goneHeading: { "message": "Este resultado no existe" },
	goneSaid: { "message": "Los resultados se borran pasado un tiempo. Extrae la página de nuevo." },
	badRequestHeading: { "message": "Petición no válida" },
	badRequestSaid: { "message": "Comprueba la URL o el archivo. El mensaje del servidor:" },
	tooLargeHeading: { "message": "La petición es demasiado grande" },
	tooLargeSaid: { "message": "Elige menos archivos, o más pequeños. Para archivos WARC grandes, usa la orden husk template." },
	whichPageHeading: { "message": "El archivo tiene varias páginas" },
	whichPageSaid: { "message": "Empieza de nuevo y elige una página." },
	noSiblingHeading: { "message": "No hay ninguna página con que comparar" },
	noSiblingSaid: { "message": "Para encontrar una plantilla hacen falta varias páginas. Añade la carpeta con las demás páginas del sitio, o escribe la URL de la página." },
	notLoadedHeading: { "message": "No se pudo cargar la página" },
	notLoadedSaid: { "message": "Comprueba la URL. Si la página se abre en tu navegador, guárdala y suéltala aquí." },
	busyHeading: { "message": "Demasiadas peticiones" },
	busySaid: { "message": "El servidor está ocupado." },
	timedOutHeading: { "message": "Se agotó el tiempo" },
	timedOutSaid: { "message": "El sitio responde despacio. Reinténtalo: el segundo intento suele ser más rápido." },
	shuttingDownHeading: { "message": "El servidor se está deteniendo" },
	shuttingDownSaid: { "message": "Reinténtalo cuando vuelva a estar en marcha." },
	brokenHeading: { "message": "Algo ha fallado" },
	brokenSaid: { "message": "Reinténtalo. Si vuelve a pasar, envía estos detalles a quien administra este servidor." }
};
// src/words.ts
var { text, counted } = phrases(en_default);
/** Messages in the user's first supported language. */
function wordsFor(languages) {
	return wordsFrom({
		en: en_default,
		es: es_default
	}, languages);
}
// src/views/view.ts
/** Name of the page, linked to the start. */
function brand(flow) {
	const home = element("a", {
		href: "/",
		class: "home"
	}, element("img", {
		src: "/assets/icon.svg",
		alt: ""
	}), "Husk");
	home.addEventListener("click", (event) => {
		if (event.ctrlKey || event.metaKey || event.shiftKey) return;
		event.preventDefault();
		flow.toStart();
	});
	return element("header", { class: "brand" }, home, element("nav", {}, element("a", { href: "/reference" }, text("reference"))));
}
/** A card with a message and actions. */
function card(flow, heading, said, actions) {
	const inside = element("section", {
		class: "card",
		id: "card"
	}, heading, ...said);
	if (actions.length > 0) inside.append(element("p", { class: "actions" }, ...actions));
	return {
		nodes: [brand(flow), element("main", { class: "middle" }, inside)],
		heading
	};
}
// src/views/choosing.ts
/** Longer lists are searched. */
var MOST_SHOWN = 200;
var choosingFile = ({ files }, flow) => {
	return choosing(flow, files.map((file) => ({
		label: file.path,
		small: text("kilobytes", { count: number(Math.max(1, Math.round(file.file.size / 1024))) }),
		take: () => void flow.chooseFile(file, files)
	})), text("chooseFileSaid"));
};
var choosingPage = ({ file, pages }, flow) => {
	return choosing(flow, pages.map((page) => ({
		label: pathOf(page),
		small: URL.canParse(page) ? new URL(page).host : "",
		take: () => void flow.begin({
			kind: "archive",
			file,
			page
		})
	})), text("choosePageSaid", { name: file.name }));
};
function choosing(flow, offers, said) {
	const heading = headingOf(counted("chooseHeading", offers.length));
	const search = element("input", {
		id: "search",
		type: "search",
		"aria-label": text("searchPages"),
		placeholder: text("searchPages"),
		autocomplete: "off"
	});
	const list = element("ul", {
		class: "offers",
		id: "offers"
	});
	const more = paragraph("", {
		class: "quiet",
		role: "status"
	});
	const show = () => {
		const wanted = search.value.trim().toLowerCase();
		const found = offers.filter(({ label }) => label.toLowerCase().includes(wanted));
		list.replaceChildren(...found.slice(0, MOST_SHOWN).map(offerEntry));
		more.textContent = found.length > MOST_SHOWN ? counted("morePages", found.length - MOST_SHOWN) : "";
	};
	search.addEventListener("input", show);
	show();
	const back = button(text("newPage"), () => flow.toStart(), { id: "new" });
	return card(flow, heading, [
		paragraph(said),
		search,
		list,
		more
	], [back]);
}
function offerEntry({ label, small, take }) {
	const choose = button(label, take);
	choose.append(element("small", { class: "quiet" }, small));
	return element("li", {}, choose);
}
// src/svg.ts
function svg(name, attributes = {}, ...children) {
	const made = document.createElementNS("http://www.w3.org/2000/svg", name);
	for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, String(value));
	made.append(...children);
	return made;
}
// src/crawl/graph.ts
/** More dots are unreadable. */
var MOST_CANDIDATES = 72;
function graphOf(crawl) {
	if (!crawl.key) return {
		pages: [],
		candidates: [],
		links: [],
		clique: /* @__PURE__ */ new Set()
	};
	const pages = [crawl.key, ...crawl.pages];
	const numbers = /* @__PURE__ */ new Map();
	for (const [number, page] of pages.entries()) for (const url of [page.url, page.foundAt]) if (!numbers.has(plain(url))) numbers.set(plain(url), number);
	const links = linksBetween(pages.map((page) => targetsOf(page, numbers)));
	return {
		pages,
		candidates: candidatesOf(crawl.key, numbers),
		links,
		clique: cliqueOf(pages, links)
	};
}
/** Normalised URL for comparing links. */
function plain(url) {
	return url.replace(/#.*$/, "").replace(/\/(?:index\.html?)?$/, "");
}
function targetsOf(page, numbers) {
	const found = page.links.map((url) => numbers.get(plain(url)));
	return new Set(found.filter((number) => number !== void 0));
}
function linksBetween(leads) {
	const links = [];
	for (const [from, targets] of leads.entries()) for (const to of targets) {
		if (to === from) continue;
		const isMutual = leads[to]?.has(from) ?? false;
		if (!isMutual || from < to) links.push({
			from,
			to,
			isMutual
		});
	}
	return links;
}
function candidatesOf(key, numbers) {
	const seen = /* @__PURE__ */ new Set();
	return key.links.filter((url) => {
		const isNew = !numbers.has(plain(url)) && !seen.has(plain(url));
		seen.add(plain(url));
		return isNew;
	}).slice(0, MOST_CANDIDATES);
}
/** Step limit, to keep the search fast. */
var MOST_STEPS = 2e4;
/** Deterministic branch and bound. */
function cliqueOf(pages, links) {
	const beside = pages.map(() => /* @__PURE__ */ new Set());
	for (const { from, to, isMutual } of links) {
		if (!isMutual) continue;
		beside[from]?.add(to);
		beside[to]?.add(from);
	}
	let best = [0];
	let steps = MOST_STEPS;
	const grow = (chosen, open) => {
		if (chosen.length > best.length) best = chosen;
		for (const [at, next] of open.entries()) {
			steps -= 1;
			if (steps <= 0 || chosen.length + open.length - at <= best.length) return;
			const rest = open.slice(at + 1).filter((other) => beside[next]?.has(other));
			grow([...chosen, next], rest);
		}
	};
	const isLeftOut = (number) => ["rejected", "failed"].includes(pages[number]?.state ?? "");
	grow([0], [...beside[0] ?? []].filter((number) => !isLeftOut(number)).sort((a, b) => a - b));
	return new Set(best.length > 1 ? best : []);
}
/** The golden angle: spreads any number of points evenly. */
var TURN = Math.PI * (3 - Math.sqrt(5));
function layoutOf(graph) {
	const pages = graph.pages.map((_, number) => number === 0 ? {
		x: 0,
		y: 0
	} : asked(number - 1));
	const outside = ring(graph);
	const shown = new Set(graph.candidates.map(plain));
	return {
		pages,
		candidates: new Map([...outside].filter(([url]) => shown.has(url)))
	};
}
/** Start position of a page: its dot on the outer ring, or the centre. */
function originOf(graph, url) {
	return ring(graph).get(plain(url)) ?? {
		x: 0,
		y: 0
	};
}
function asked(at) {
	return onRing(at * TURN, 118 + at % 2 * 22);
}
/** All links of the key page, requested ones included, so that positions are stable. */
function ring(graph) {
	const all = [...new Set(graph.pages[0]?.links.map(plain) ?? [])].slice(0, 96);
	const rows = all.length > 40 ? 2 : 1;
	return new Map(all.map((url, at) => [url, onRing(at / all.length * 2 * Math.PI, 200 + at % rows * 16)]));
}
function onRing(angle, radius) {
	const round = (value) => Math.round(value * 10) / 10;
	return {
		x: round(Math.sin(angle) * radius * 1.18),
		y: round(-Math.cos(angle) * radius)
	};
}
// src/crawl/drawing.ts
var LONGEST_LABEL = 24;
var GraphDrawing = class {
	#links = svg("g");
	#candidates = svg("g");
	#pages = svg("g");
	node = svg("svg", {
		class: "graph",
		viewBox: "-300 -240 600 480",
		"aria-hidden": "true"
	}, this.#links, this.#candidates, this.#pages);
	#drawn = /* @__PURE__ */ new Map();
	show(crawl) {
		const graph = graphOf(crawl);
		const { pages, candidates } = layoutOf(graph);
		const left = new Set(this.#drawn.keys());
		const keep = (name, make) => {
			left.delete(name);
			const made = this.#drawn.get(name) ?? make();
			this.#drawn.set(name, made);
			return made;
		};
		for (const link of graph.links) this.#link(link, graph, pages, keep);
		for (const [url, place] of candidates) keep(`dot ${url}`, () => this.#dot(place));
		for (const [number, page] of graph.pages.entries()) {
			const place = pages[number] ?? {
				x: 0,
				y: 0
			};
			const drawn = keep(`page ${plain(page.url)}`, () => this.#page(page.url, number, place, graph));
			const state = number === 0 ? `key ${page.state}` : page.state;
			drawn.setAttribute("class", `node ${state}${graph.clique.has(number) ? " in-clique" : ""}`);
		}
		for (const name of left) {
			this.#drawn.get(name)?.remove();
			this.#drawn.delete(name);
		}
		return graph;
	}
	#link({ from, to, isMutual }, graph, places, keep) {
		const [start, end] = [places[from], places[to]];
		if (!start || !end) return;
		const [low, high] = from < to ? [from, to] : [to, from];
		const drawn = keep(`link ${low} ${high}`, () => {
			const line = svg("line", {
				x1: start.x,
				y1: start.y,
				x2: end.x,
				y2: end.y
			});
			this.#links.append(line);
			return line;
		});
		const isInside = isMutual && graph.clique.has(from) && graph.clique.has(to);
		drawn.setAttribute("class", `link${isMutual ? " mutual" : ""}${isInside ? " in-clique" : ""}`);
		if (isInside && drawn.nextSibling) this.#links.append(drawn);
	}
	#dot({ x, y }) {
		const dot = svg("circle", {
			class: "dot",
			r: 2.5,
			cx: x,
			cy: y
		});
		this.#candidates.append(dot);
		return dot;
	}
	#page(url, number, place, graph) {
		const radius = number === 0 ? 13 : 8;
		const drawn = svg("g", {}, svg("circle", {
			class: "halo",
			r: radius + 7
		}), svg("circle", {
			class: "disc",
			r: radius
		}), svg("text", labelPlace(number, place), labelOf(url)), svg("title", {}, url));
		this.#pages.append(drawn);
		move(drawn, number === 0 ? place : originOf(graph, url));
		if (number !== 0) {
			drawn.getBoundingClientRect?.();
			move(drawn, place);
		}
		return drawn;
	}
};
function move(drawn, { x, y }) {
	drawn.style.transform = `translate(${x}px, ${y}px)`;
}
/** Label position: beside the disc, away from the centre. */
function labelPlace(number, { x, y }) {
	if (number === 0) return {
		y: 36,
		"text-anchor": "middle"
	};
	if (Math.abs(x) < 40) return {
		y: y < 0 ? -20 : 28,
		"text-anchor": "middle"
	};
	return {
		x: x < 0 ? -19 : 19,
		y: 4,
		"text-anchor": x < 0 ? "end" : "start"
	};
}
/** Short label: the last segment of the path. */
function labelOf(url) {
	const path = pathOf(url).replace(/\/(?:index\.\w+)?$/, "");
	const last = [...path.slice(path.lastIndexOf("/") + 1)];
	if (last.length === 0) return "/";
	return last.length <= LONGEST_LABEL ? last.join("") : `${last.slice(0, 23).join("")}…`;
}
// src/views/graph-legend.ts
var SIGNS = [
	["key", "legendKey"],
	["dot", "legendLink"],
	["accepted", "legendAccepted"],
	["rejected", "legendRefused"],
	["in-clique", "legendClique"]
];
function graphLegend() {
	return element("ul", {
		class: "graph-legend",
		"aria-hidden": "true"
	}, ...SIGNS.map(([name, label]) => element("li", {}, element("i", { class: `sign ${name}` }), text(label))));
}
// src/views/crawling.ts
var crawling = (state, flow) => {
	const heading = headingOf(headingWords(state));
	const stage = paragraph("", {
		id: "stage",
		class: "quiet"
	});
	const linked = paragraph("", { id: "linked" });
	const drawing = new GraphDrawing();
	const progress = new ProgressView();
	const cancel = () => flow.cancel(state.input, state.beside);
	const picture = element("figure", { class: "crawl-graph" }, graphLegend(), linked);
	picture.prepend(drawing.node);
	const list = element("section", { class: "crawl-list" }, heading, stage, ...progress.nodes, element("p", { class: "actions" }, cancelButton(cancel)));
	const show = ({ crawl }) => {
		stage.textContent = stageWords(crawl);
		linked.textContent = linkedWords(drawing.show(crawl));
		progress.show({
			items: crawl.pages.map(itemOf),
			done: crawl.done
		});
	};
	show(state);
	return {
		nodes: [brand(flow), element("main", { class: "crawl" }, picture, list)],
		heading,
		update: (next) => {
			if (next.name !== "crawling" || next.input !== state.input || next.beside !== state.beside) return false;
			show(next);
			return true;
		},
		leave: onEscape(cancel)
	};
};
function headingWords({ input, beside }) {
	const name = nameOf(input);
	const host = URL.canParse(name) ? new URL(name).host : name;
	return beside ? text("crawlBeside", { host }) : text("crawlHeading", { host });
}
function stageWords({ stage, ahead, key }) {
	if (stage === "queued") return ahead > 0 ? counted("queued", ahead) : text("sending");
	if (stage === "sitemap") return text("listing");
	if (stage === "stylesheets") return text("loadingStyle");
	if (stage === "writing") return text("writingResult");
	return text(key?.state === "loading" ? "loadingKey" : "comparing");
}
function linkedWords({ clique }) {
	return clique.size < 2 ? "" : counted("linkedMutually", clique.size);
}
function itemOf({ url, why, state, cause }) {
	if (state === "rejected" || state === "failed") return {
		url,
		why,
		state: "left-out",
		cause
	};
	return {
		url,
		why,
		state: state === "loading" ? "loading" : "taken",
		cause: void 0
	};
}
// src/summary.ts
function summaryOf(result) {
	return {
		url: result.page,
		nodes: result.nodes,
		templateNodes: result.template_nodes,
		templateSupport: result.template_support,
		compared: result.compared,
		visits: result.visits,
		loaded: result.loaded.slice(1),
		scripted: result.scripted,
		needsRendering: result.needs_rendering ?? void 0
	};
}
function writtenBy(server, id) {
	return new Written({ write: (name) => server.output(id, name) });
}
var UNITS = [
	["day", 86400],
	["hour", 3600],
	["minute", 60],
	["second", 1]
];
/** Formats an age in the largest unit: "3 minutes ago". */
function ageOf(seconds) {
	const [unit, length] = UNITS.find(([, length]) => seconds >= length) ?? UNITS[3];
	return new Intl.RelativeTimeFormat(language$1(), { numeric: "auto" }).format(-Math.round(seconds / length), unit);
}
// src/views/actions.ts
/** Time for the browser to start the download. */
var KEPT_FOR = 6e4;
function resultActions(result, flow, hasToken) {
	const canRepeat = inputOf(result) !== void 0;
	return [
		...canRepeat ? [compareButton(result, flow)] : [],
		...canRepeat && result.summary.learned ? [anewButton(result, flow)] : [],
		downloadAll(result, flow, hasToken),
		copyAddressButton(),
		newButton(flow)
	];
}
/** The current URL. */
function copyAddressButton() {
	return shareButton(location.href, announce);
}
function newButton(flow) {
	return button(text("newPage"), () => flow.toStart(), {
		id: "new",
		class: "main"
	});
}
function compareButton(result, flow) {
	return button(text(otherMethod(result.summary) === "paper" ? "comparedPaper" : "comparedHusk"), () => void flow.compare(result), { id: "compare" });
}
function anewButton(result, flow) {
	return button(text("extractAnew"), () => void flow.anew(result), { id: "anew" });
}
/** A plain link, unless a token is needed. */
function downloadAll({ summary }, flow, hasToken) {
	const { id, page } = summary;
	if (!hasToken) return downloadAllLink(flow.server.archiveAddress(id));
	const save = async () => {
		try {
			saveBlob(await flow.server.archive(id), fileName(page, "zip"));
			announce(text("downloading"));
		} catch {
			announce(text("notDownloaded"));
		}
	};
	return button(text$1("downloadAll"), () => void save(), { id: "download-all" });
}
function saveBlob(blob, name) {
	const url = URL.createObjectURL(blob);
	element("a", {
		href: url,
		download: name
	}).click();
	setTimeout(() => URL.revokeObjectURL(url), KEPT_FOR);
}
// src/views/comparison.ts
function comparison(pair, flow) {
	const [{ summary }] = pair;
	const heading = headingOf(text("compareHeading", { title: summary.title?.trim() || addressOf$1(summary.page) }));
	const header = element("header", { class: "top" }, element("div", { class: "about" }, heading, element("p", { class: "host" }, link(addressOf$1(summary.page), summary.page)), paragraph(difference(pair), { id: "difference" })), element("div", { class: "actions" }, copyAddressButton(), newButton(flow)));
	const sides = pair.map((result, at) => side(result, nameIn(pair, at), flow));
	const layers = element("div", {
		class: "shared-layers",
		"aria-busy": "true"
	});
	tint(layers, pair, sides, flow);
	const main = element("main", { class: "comparison" }, layers, ...sides);
	return {
		nodes: [
			brand(flow),
			header,
			main
		],
		heading
	};
}
/** Shows both pages with shared layer checkboxes. */
async function tint(layers, pair, sides, flow) {
	try {
		const outputs = await Promise.all(pair.map(({ summary }) => writtenBy(flow.server, summary.id).get("inspect-page")));
		const html = outputs.map((output) => output.html).join("");
		layers.replaceChildren(...shownIfLight(html, () => {
			const pages = outputs.map((output) => new TintedPage(output));
			for (const [at, page] of pages.entries()) {
				const about = element("div", { class: "about-part" }, page.description);
				sides[at]?.append(about, page.spoken, page.stage);
			}
			return [layerBoxes(pages), ...pages.slice(0, 1).map((page) => page.hint)];
		}));
	} catch {
		layers.replaceChildren(note(text$1("notWritten")));
	}
	layers.removeAttribute("aria-busy");
}
function side(result, name, flow) {
	return element("section", {
		class: "side",
		"aria-label": name
	}, element("h2", {}, name), button(text("showAlone"), () => flow.alone(result), { class: "alone" }), meter(result), paragraph(facts(summaryOf(result.summary)), { class: "quiet" }));
}
/** Bar with the share of template nodes. */
function meter({ summary }) {
	const part = shareOf(summary);
	const bar = element("span", {
		class: "meter",
		"aria-hidden": "true"
	}, element("i"));
	bar.style.setProperty("--part", String(part));
	return element("p", { class: "share" }, element("strong", {}, share(part)), text("compareTemplate"), bar);
}
function shareOf(summary) {
	return summary.template_nodes / Math.max(1, summary.nodes);
}
/** Names the results by method, if they differ. */
function nameIn(pair, at) {
	const [one, other] = pair.map(({ summary }) => summary.method);
	if (one === other) return text(at === 0 ? "compareFirst" : "compareSecond");
	return text(pair[at]?.summary.method === "paper" ? "comparePaper" : "compareHusk");
}
function difference(pair) {
	const [one, other] = [pair[0].summary.template_nodes, pair[1].summary.template_nodes];
	if (one === other) return text("compareSame");
	return text("compareMore", {
		name: nameIn(pair, one > other ? 0 : 1),
		count: number(Math.abs(one - other))
	});
}
// src/views/linked-pages.ts
function linkedPagesPanel(result) {
	return (context) => {
		const pages = pagesPanel(context);
		const fill = (panel) => {
			pages.fill(panel);
			const crawl = result.crawl ?? crawlOf(result);
			if (crawl.pages.length === 0) return;
			panel.classList.add("with-graph");
			panel.prepend(picture(crawl));
		};
		return {
			...pages,
			fill
		};
	};
}
function picture(crawl) {
	const drawing = new GraphDrawing();
	const { clique } = drawing.show(crawl);
	const said = clique.size < 2 ? text("finalGraph") : counted("linkedMutually", clique.size);
	const figure = element("figure", { class: "crawl-graph still" }, graphLegend(), element("figcaption", {}, said));
	figure.prepend(drawing.node);
	return figure;
}
/** Rebuilds the crawl from a summary. */
function crawlOf({ summary }) {
	const linksOf = (url) => {
		const place = url === void 0 ? -1 : summary.loaded.indexOf(url);
		return summary.links.filter(([from]) => from === place).map(([, to]) => summary.loaded[to]).filter((target) => target !== void 0);
	};
	const others = summary.visits.map(({ url, found_at, why, outcome, cause }) => ({
		url,
		foundAt: found_at ?? url,
		why,
		state: outcome === "compared" ? "accepted" : "rejected",
		cause: cause ?? void 0,
		links: linksOf(found_at ?? url)
	}));
	const isMissing = ({ url, foundAt }) => !summary.loaded.includes(url) && !summary.loaded.includes(foundAt);
	const missing = others.filter((page) => page.why !== "listed" && isMissing(page)).map(({ url }) => url);
	const key = {
		url: summary.page,
		foundAt: summary.loaded[0] ?? summary.page,
		why: void 0,
		state: "loaded",
		cause: void 0,
		links: [...linksOf(summary.loaded[0]), ...missing]
	};
	return {
		...NO_CRAWL,
		key,
		pages: others,
		stage: "writing",
		done: 1
	};
}
// src/views/finished.ts
var finished = ({ result, other }, flow) => other ? comparison([result, other], flow) : alone(result, flow);
function alone(result, flow) {
	const { id, title } = result.summary;
	const panels = [
		pagePanel,
		templatePanel,
		contentPanel,
		menuPanel,
		pageletsPanel,
		sourcePanel,
		linkedPagesPanel(result)
	];
	const view = resultsView({
		title: title ?? "",
		summary: summaryOf(result.summary),
		written: writtenBy(flow.server, id),
		actions: resultActions(result, flow, flow.hasToken),
		panels
	});
	view.heading.parentElement?.append(madeBy(result));
	return {
		...view,
		nodes: [brand(flow), ...view.nodes]
	};
}
/** The method, or the learned template. */
function madeBy({ summary: { learned, method } }) {
	return paragraph(learned ? text("learnedSaid", {
		site: learned.site,
		age: ageOf(learned.age_seconds)
	}) : text(method === "paper" ? "foundByPaper" : "foundByHusk"), {
		id: "made-by",
		class: "quiet"
	});
}
// src/views/retry.ts
function retryButton(flow, seconds) {
	const made = button("", () => void flow.again(), {
		id: "again",
		class: "main"
	});
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
	}, 1e3);
	show();
	return {
		button: made,
		leave: () => clearInterval(timer)
	};
}
// src/views/problem.ts
/** Heading and advice. */
var SAID = {
	offline: ["offlineHeading", "offlineSaid"],
	unauthorized: ["unauthorizedHeading", "unauthorizedSaid"],
	"private-address": ["privateHeading", "privateSaid"],
	"not-found": ["goneHeading", "goneSaid"],
	"bad-request": ["badRequestHeading", "badRequestSaid"],
	"too-large": ["tooLargeHeading", "tooLargeSaid"],
	"page-required": ["whichPageHeading", "whichPageSaid"],
	"no-sibling": ["noSiblingHeading", "noSiblingSaid"],
	"page-not-loaded": ["notLoadedHeading", "notLoadedSaid"],
	"queue-full": ["busyHeading", "busySaid"],
	timeout: ["timedOutHeading", "timedOutSaid"],
	"shutting-down": ["shuttingDownHeading", "shuttingDownSaid"],
	broken: ["brokenHeading", "brokenSaid"]
};
/** Errors where a retry may help. */
var WORTH_ANOTHER_TRY = [
	"offline",
	"page-not-loaded",
	"timeout",
	"shutting-down",
	"broken"
];
var problem = ({ problem, input }, flow) => {
	const [heading, said] = SAID[problem.kind];
	const shown = [paragraph(text(said)), ...detailsOf(problem)];
	if (problem.kind === "unauthorized") return tokenView(headingOf(text(heading)), shown, flow);
	const retry = problem.kind === "queue-full" ? retryButton(flow, problem.retryAfter ?? 5) : void 0;
	return {
		...card(flow, headingOf(text(heading)), shown, [
			...retry ? [retry.button] : [],
			...WORTH_ANOTHER_TRY.includes(problem.kind) ? [againButton(() => void flow.again(), void 0, { class: "main" })] : [],
			...instead(problem, input, flow),
			button(text("newPage"), () => flow.toStart(input?.kind === "url" ? input.url : ""), { id: "new" })
		]),
		leave: () => retry?.leave()
	};
};
/** The server's message, in English. */
function detailsOf({ kind, detail }) {
	if (detail === "") return [];
	return kind === "broken" ? [details$1(detail)] : [paragraph(detail, {
		class: "detail",
		lang: "en"
	})];
}
/** A single saved page can be loaded from the web instead. */
function instead({ kind }, input, flow) {
	if (kind !== "no-sibling" || input?.kind !== "pages") return [];
	const { url } = input.page;
	if (new URL(url).hostname.endsWith(".invalid")) return [];
	const load = () => void flow.begin({
		kind: "url",
		url
	});
	return [button(text("loadInstead", { host: new URL(url).host }), load, {
		class: "main",
		id: "load-instead"
	})];
}
function tokenView(heading, said, flow) {
	const field = element("input", {
		id: "token",
		type: "password",
		autocomplete: "current-password",
		required: true
	});
	const form = element("form", { class: "token-form" }, element("label", { for: "token" }, text("token")), field, element("button", {
		type: "submit",
		class: "main"
	}, text("useToken")));
	form.addEventListener("submit", (event) => {
		event.preventDefault();
		if (field.value.trim() !== "") flow.withToken(field.value);
	});
	return {
		...card(flow, heading, [...said, form], []),
		focus: field
	};
}
// src/views/illustration.ts
function illustration() {
	return svg("svg", {
		class: "illustration",
		viewBox: "0 0 300 120",
		"aria-hidden": "true"
	}, ...[
		[14, 22],
		[30, 14],
		[46, 6]
	].map(([x = 0, y = 0]) => sheet(x, y, "sheet")), svg("path", {
		class: "arrow",
		d: "M132 60h30m-8-7 8 7-8 7"
	}), svg("g", { transform: "translate(176 8)" }, ...husk()), svg("g", { transform: "translate(252 30)" }, ...grain()));
}
function sheet(x, y, name) {
	return svg("g", {
		class: name,
		transform: `translate(${x} ${y})`
	}, svg("rect", {
		class: "paper",
		width: 70,
		height: 92,
		rx: 6
	}), svg("rect", {
		class: "frame",
		x: 8,
		y: 8,
		width: 54,
		height: 10,
		rx: 2
	}), svg("rect", {
		class: "aside",
		x: 8,
		y: 24,
		width: 14,
		height: 60,
		rx: 2
	}), svg("path", {
		class: "lines",
		d: "M30 28h30M30 37h32M30 46h24M30 55h31M30 64h28M30 73h20"
	}));
}
/** The template alone. */
function husk() {
	return [
		svg("rect", {
			class: "paper",
			width: 70,
			height: 92,
			rx: 6
		}),
		svg("rect", {
			class: "frame",
			x: 8,
			y: 8,
			width: 54,
			height: 10,
			rx: 2
		}),
		svg("rect", {
			class: "aside",
			x: 8,
			y: 24,
			width: 14,
			height: 60,
			rx: 2
		}),
		svg("rect", {
			class: "slot",
			x: 28,
			y: 24,
			width: 34,
			height: 60,
			rx: 3
		})
	];
}
function grain() {
	return [svg("rect", {
		class: "content",
		width: 38,
		height: 60,
		rx: 4
	}), svg("path", {
		class: "content-lines",
		d: "M7 11h22M7 20h24M7 29h17M7 38h23M7 47h14"
	})];
}
// src/views/options.ts
var METHODS = ["husk", "paper"];
function optionsOf(flow) {
	const methods = METHODS.map((method) => methodChoice(flow, method));
	const fields = element("div", { class: "fields" }, element("fieldset", {}, element("legend", {}, text("method")), ...methods), pagesField(flow), freshField(flow));
	return element("details", { class: "options" }, element("summary", {}, text("options")), fields);
}
function methodChoice(flow, method) {
	const id = `method-${method}`;
	const choice = element("input", {
		type: "radio",
		name: "method",
		value: method,
		id
	});
	choice.checked = flow.choices.method === method;
	choice.addEventListener("change", () => flow.choose({
		...flow.choices,
		method
	}));
	const [name, said] = method === "husk" ? METHOD_HUSK : METHOD_PAPER;
	return element("p", { class: "choice" }, choice, element("label", { for: id }, text(name), element("small", { class: "quiet" }, text(said))));
}
var METHOD_HUSK = ["methodHusk", "methodHuskSaid"];
var METHOD_PAPER = ["methodPaper", "methodPaperSaid"];
function pagesField(flow) {
	const field = element("input", {
		type: "number",
		id: "pages",
		min: "1",
		max: "30",
		placeholder: "–"
	});
	if (flow.choices.pagesToCompare !== void 0) field.value = String(flow.choices.pagesToCompare);
	field.addEventListener("change", () => {
		const count = field.validity.valid && field.value !== "" ? Math.round(Number(field.value)) : void 0;
		flow.choose({
			...flow.choices,
			pagesToCompare: count
		});
	});
	return element("p", {}, element("label", { for: "pages" }, text("pagesToCompare")), field, remark(text("pagesToCompareSaid")));
}
function freshField(flow) {
	const field = element("input", {
		type: "checkbox",
		id: "fresh"
	});
	field.checked = flow.choices.fresh;
	field.addEventListener("change", () => flow.choose({
		...flow.choices,
		fresh: field.checked
	}));
	const said = element("small", { class: "quiet" }, text("freshSaid"));
	return element("p", { class: "choice" }, field, element("label", { for: "fresh" }, text("fresh"), said));
}
function remark(words) {
	return element("small", { class: "quiet" }, words);
}
// src/views/start.ts
var start = ({ url, refused }, flow) => {
	const heading = headingOf(text("startHeading"));
	const form = new AddressForm(flow, url);
	const drop = new DropPlace(flow, (address) => form.fill(address));
	const main = element("main", { class: "start" }, element("div", { class: "hero" }, illustration(), heading, paragraph(text("startSaid"), { class: "lead" })), form.node, ...refused ? [paragraph(refusal(refused), {
		class: "note",
		role: "alert",
		id: "refused"
	})] : [], drop.node, optionsOf(flow));
	const foot = element("footer", { class: "foot quiet" }, paragraph(text("startFoot")));
	return {
		nodes: [
			brand(flow),
			main,
			foot
		],
		heading,
		focus: form.field,
		leave: () => drop.leave()
	};
};
var AddressForm = class {
	field = element("input", {
		id: "url",
		name: "url",
		type: "text",
		inputmode: "url",
		autocomplete: "url",
		autocapitalize: "none",
		spellcheck: "false",
		enterkeyhint: "go",
		placeholder: "example.org/article",
		"aria-describedby": "url-wrong"
	});
	#wrong = element("p", {
		id: "url-wrong",
		class: "wrong",
		role: "alert"
	});
	node = element("form", {
		class: "address-form",
		novalidate: true
	}, element("label", { for: "url" }, text("urlLabel")), element("div", { class: "address-bar" }, this.field, element("button", {
		type: "submit",
		class: "main",
		id: "extract"
	}, text("extract"))), this.#wrong);
	constructor(flow, url) {
		this.field.value = url;
		this.node.addEventListener("submit", (event) => {
			event.preventDefault();
			const address = typedAddress(this.field.value);
			if (address) flow.begin({
				kind: "url",
				url: address
			});
			else this.#complain();
		});
		this.field.addEventListener("input", () => {
			this.field.removeAttribute("aria-invalid");
			this.#wrong.textContent = "";
		});
	}
	fill(address) {
		this.field.value = address;
		this.field.focus();
	}
	#complain() {
		this.field.setAttribute("aria-invalid", "true");
		this.#wrong.textContent = text(this.field.value.trim() === "" ? "urlMissing" : "urlWrong");
		this.field.focus();
	}
};
/** Drop area; files may be dropped anywhere on the page. */
var DropPlace = class {
	#files = element("input", {
		type: "file",
		id: "files",
		hidden: true,
		multiple: true
	});
	#folder = element("input", {
		type: "file",
		id: "folder",
		hidden: true,
		webkitdirectory: true
	});
	node = element("section", {
		class: "drop",
		"aria-labelledby": "drop-heading"
	}, element("h2", { id: "drop-heading" }, text("dropHeading")), paragraph(text("dropSaid"), { class: "quiet" }), element("p", { class: "actions" }, button(text("chooseFile"), () => this.#files.click(), { id: "choose-file" }), button(text("chooseFolder"), () => this.#folder.click(), { id: "choose-folder" })), this.#files, this.#folder);
	#listening = new AbortController();
	constructor(flow, fill) {
		this.#files.accept = ".html,.htm,.xhtml,.warc,.gz,text/html";
		for (const input of [this.#files, this.#folder]) input.addEventListener("change", () => {
			const files = chosen(input.files ?? []);
			if (files.length > 0) flow.give(Promise.resolve(files));
		});
		const listen = (name, act) => document.addEventListener(name, act, { signal: this.#listening.signal });
		listen("dragover", (event) => {
			event.preventDefault();
			this.node.classList.add("over");
		});
		listen("dragleave", (event) => {
			if (event.relatedTarget === null) this.node.classList.remove("over");
		});
		listen("drop", (event) => {
			event.preventDefault();
			this.node.classList.remove("over");
			const transfer = event.dataTransfer;
			if (!transfer) return;
			const link = transfer.files.length === 0 && typedAddress(transfer.getData("text/uri-list"));
			if (link) fill(link);
			else if (transfer.items.length > 0 && transfer.types.includes("Files")) flow.give(dropped(transfer));
			else announce(text("dropNothing"));
		});
	}
	leave() {
		this.#listening.abort();
	}
};
function refusal(refused) {
	if (refused.kind === "nothing") return text("refusedFiles", { names: refused.names.join(", ") });
	const megabytes = (bytes) => number(Math.ceil(bytes / 1024 / 1024));
	return text("refusedSize", {
		name: refused.name,
		size: megabytes(refused.bytes),
		most: megabytes(MOST_BYTES)
	});
}
// src/views/waiting.ts
var reading = (_state, flow) => card(flow, headingOf(text("readingFiles")), [], []);
var opening = (_state, flow) => card(flow, headingOf(text("openingResult")), [], []);
// src/screen.ts
var VIEWS = {
	start,
	reading,
	"choosing-file": choosingFile,
	"choosing-page": choosingPage,
	opening,
	crawling,
	finished,
	failed: problem
};
var Screen = class {
	place;
	#view;
	constructor(place) {
		this.place = place;
	}
	show(state, flow) {
		if (this.#view?.update?.(state)) return;
		this.#view?.leave?.();
		const view = viewOf(state, flow);
		this.#view = view;
		this.place.replaceChildren(...view.nodes);
		document.body.setAttribute("data-state", state.name);
		const isStart = state.name === "start";
		document.title = isStart ? "Husk" : `${view.heading.textContent} · Husk`;
		scrollTo?.({
			top: 0,
			behavior: "instant"
		});
		(view.focus ?? view.heading).focus({ preventScroll: true });
	}
};
function viewOf(state, flow) {
	const view = VIEWS[state.name];
	return view(state, flow);
}
// src/main.ts
var place = document.getElementById("results");
if (place) {
	speakWith(wordsFor(navigator.languages));
	speak(document, "Husk");
	document.body.append(announcements());
	const token = new Token(sessionStorage);
	const screen = new Screen(place);
	const flow = new Flow(new Server(token), token, window, (state) => screen.show(state, flow));
	addEventListener("popstate", () => void flow.open());
	flow.open();
}
