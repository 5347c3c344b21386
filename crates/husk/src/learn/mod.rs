//! Templates that are learned once for a whole site and removed from any number of its pages.
//!
//! Pages in, [`SiteTemplates`] out, which has a template for each [`Layout`] of the site; a [`Stripper`] removes
//! these from further pages, one at a time, without any other page.

mod numbers;

mod paths;

mod groups;

mod known;

mod layout;

mod lesson;

mod fit;

mod strip;

mod series;

mod drift;

mod format;

pub(crate) use drift::short_text;
pub(crate) use fit::shown_nodes;

pub use drift::{Change, ChangedPart, Drift, DriftCheck, LayoutDrift, PageFit, PageState, Verdict};
pub use format::FormatError;
pub use layout::Layout;
pub use lesson::Lesson;
pub use strip::{Stripped, Stripper, Warning};

use crate::thresholds::Thresholds;
use known::{KnownPages, KnownUrls};

/// The layouts of a site, each with its template.
#[derive(Debug)]
pub struct SiteTemplates {
    site: String,
    layouts: Vec<Layout>,
    pages: u64,
    known: KnownPages,
    urls: KnownUrls,
    thresholds: Thresholds,
}

impl SiteTemplates {
    /// Templates of a site without any page yet.
    pub fn new(site: impl Into<String>) -> Self {
        Self {
            site: site.into(),
            layouts: Vec::new(),
            pages: 0,
            known: KnownPages::default(),
            urls: KnownUrls::default(),
            thresholds: thresholds(),
        }
    }

    /// The name of the site.
    pub fn site(&self) -> &str {
        &self.site
    }

    /// The known layouts, oldest first.
    pub fn layouts(&self) -> &[Layout] {
        &self.layouts
    }

    /// Number of pages that were read, each counted once.
    pub fn pages(&self) -> u64 {
        self.pages
    }

    /// Removes the templates from pages.
    pub fn stripper(&self) -> Stripper<&Self> {
        Stripper::new(self)
    }
}

/// The thresholds to learn and strip with: a file must be used with those it was made with.
fn thresholds() -> Thresholds {
    Thresholds::default()
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::*;
    use crate::content::{Content, ContentMethod};
    use crate::navigation::Navigation;
    use crate::output::{OutputOptions, nodes_text, to_html};
    use crate::page::Page;

    const MENU: &str =
        "<nav class=menu><a href=/>Home</a><a href=/a>About us</a><a href=/b>Products</a></nav>";
    const FOOTER: &str = "<footer class=foot><p>All rights reserved by the makers</p></footer>";
    const WORDS: [&str; 8] = [
        "owls hunt mice in the old wood at night, and rest by day",
        "bats hang from the roof of a barn until dusk comes",
        "foxes dig their dens where the hill is dry and warm",
        "hedgehogs eat slugs, worms and beetles under our hedge",
        "badgers keep their setts clean and are seldom seen",
        "otters came back to the river after many years away",
        "deer leave the forest in winter to look for grass",
        "hares sleep in the open field, with both eyes open",
    ];

    fn url(path: &str) -> Url {
        Url::parse("https://example.org/").unwrap().join(path).unwrap()
    }

    fn article(number: usize) -> Page {
        let words = WORDS[number % WORDS.len()];
        let html = format!(
            "<title>Animal {number}</title>{MENU}<main class=text><h1>Animal {number}</h1><p>Once {number} {words}.</p>\
             <p>It is said that {words}, as {number} people saw.</p></main><aside class=box>Write to the editors</aside>{FOOTER}"
        );
        Page::parse(url(&format!("/animal/{number}")), &html)
    }

    fn listing(number: usize) -> Page {
        let items: String = (0..6)
            .map(|item| format!("<tr class=row><td class=name><a href=/p{number}{item}>Item {number} {item} {}</a></td><td class=price>{number}{item}</td></tr>", WORDS[item]))
            .collect();
        let html = format!(
            "<title>List {number}</title>{MENU}<div class=grid><h2>List {number}</h2><table class=list>{items}</table>\
             <ul class=pager><li class=page>{number}</li></ul></div>{FOOTER}"
        );
        Page::parse(url(&format!("/list/{number}")), &html)
    }

    fn site(articles: usize, listings: usize) -> Vec<Page> {
        (0..articles)
            .map(article)
            .chain((0..listings).map(listing))
            .collect()
    }

    /// A name as generators of ids make them.
    fn random_id(seed: usize) -> String {
        let letters = (0..8).map(|place| seed.wrapping_mul(2_654_435_761) >> (4 * place) & 15);
        letters.map(|letter| char::from(b'a' + letter as u8)).collect()
    }

    /// A page that names itself in its classes, as many content management systems do, with ids that are made for each
    /// page.
    fn page_with_own_classes(kind: &str, number: usize, main: &str) -> Page {
        let words = WORDS[number % WORDS.len()];
        let slug = words.replace([' ', ','], "-");
        let widget = |place: usize, inside: &str| {
            let id = random_id(number * 10 + place);
            format!("<div class='widget box-{place}' id=uid_{id}><div class=inner>{inside}</div></div>")
        };
        // Such pages have many blocks that do not depend on the page.
        let blocks: String = [
            "logo", "claim", "phone", "login", "basket", "language", "banner", "trail", "news", "hint",
        ]
        .iter()
        .map(|name| {
            format!("<div class={name}><p class={name}-text><a href=/{name}>Go to our {name}</a></p></div>")
        })
        .collect();
        let top =
            format!("<header class=site><div class=wrap>{blocks}<div class=bar>{MENU}</div></div></header>");
        let end = format!(
            "<div class=bottom><div class=wrap><div class=column><ul class=links><li><a href=/c>Contact</a></ul></div><div class=column>{FOOTER}</div></div></div>"
        );
        let html = format!(
            "<title>{kind} {number}</title><body class='{kind} {kind}-standard {kind}id-{number} {slug}-{number} tag-{}'>{top}\
             <div class=columns>{main}<div class=side>{}{}{}</div></div>{end}",
            random_id(number / 3),
            widget(
                1,
                "<form class=search><label>Search this site</label><input name=s></form>"
            ),
            widget(
                2,
                "<h4>About us</h4><p>We write about the animals that live around our house.</p>"
            ),
            widget(
                3,
                "<ul><li><a href=/x>Imprint of the site</a><li><a href=/y>Privacy of readers</a></ul>"
            ),
        );
        Page::parse(url(&format!("/{kind}/{number}")), &html)
    }

    fn post_with_own_classes(number: usize) -> Page {
        let words = WORDS[number % WORDS.len()];
        let main = format!(
            "<article id=post-{number} class='post tag-{} author-{}'><header class=top><h1>Post {number}: {words}</h1></header>\
             <div class=entry><div class=rich><div class=lead><p>Once {number} {words}.</p></div><div class=body><p>It is said that {words}, as {number} people saw.</p>\
             <blockquote class=quote><p><em>{words}</em></p></blockquote></div></div></div></article>",
            random_id(number / 3),
            random_id(number / 7),
        );
        page_with_own_classes("single", number, &main)
    }

    fn archive_with_own_classes(number: usize) -> Page {
        let item = |item: usize| {
            let words = WORDS[(number + item) % WORDS.len()];
            format!(
                "<li id=item-{} class=teaser><figure class=small><img src=/{number}/{item}.jpg></figure><h3 class=name><a href=/single/{item}>{words}</a></h3>\
                 <p class=lead>{item} of {number}: {words}</p><span class=more><a href=/more/{number}/{item}>Go on</a></span></li>",
                random_id(number * 100 + item)
            )
        };
        let items: String = (0..6).map(item).collect();
        let main = format!(
            "<section class=list><h2 class=head>Archive {number}</h2><ul class=teasers>{items}</ul><nav class=pager><a href=?p={number}>Older ones</a></nav></section>"
        );
        page_with_own_classes("archive", number, &main)
    }

    fn learned() -> SiteTemplates {
        let mut templates = SiteTemplates::new("example.org");
        templates.learn(&site(5, 5));
        templates
    }

    fn strip(templates: &SiteTemplates, page: &Page) -> (Stripped, String) {
        let stripped = templates.stripper().strip(page);
        let text = nodes_text(page, &stripped.content.nodes);
        (stripped, text)
    }

    #[test]
    fn layouts_are_told_apart() {
        let mut templates = SiteTemplates::new("example.org");
        let lesson = templates.learn(&site(5, 4));
        assert_eq!((lesson.pages, lesson.new_layouts), (9, 2));
        let layouts: Vec<_> = lesson.layout_of.iter().map(|layout| layout.unwrap()).collect();
        assert_eq!(layouts, [0, 0, 0, 0, 0, 1, 1, 1, 1]);
        assert_eq!(
            (templates.layouts()[0].pages(), templates.layouts()[1].pages()),
            (5, 4)
        );
        assert_ne!(templates.layouts()[0].id(), templates.layouts()[1].id());
    }

    #[test]
    fn pages_that_name_themselves_in_their_classes_share_a_layout() {
        let pages: Vec<Page> = (0..60)
            .map(post_with_own_classes)
            .chain((0..12).map(archive_with_own_classes))
            .collect();
        let mut templates = SiteTemplates::new("example.org");
        let lesson = templates.learn(&pages);
        assert!(lesson.new_layouts <= 2, "{:?}", lesson.layout_of);
        assert!(lesson.layout_of.iter().all(Option::is_some));
        for number in 100..140 {
            let (stripped, text) = strip(&templates, &post_with_own_classes(number));
            assert_eq!(
                (stripped.content.method, &*stripped.warnings),
                (ContentMethod::Template, &[][..])
            );
            assert!(
                text.contains(&format!("Post {number}")) && text.contains("It is said"),
                "{text}"
            );
            assert!(!text.contains("About us") && !text.contains("Imprint"), "{text}");
        }
    }

    #[test]
    fn each_language_has_its_own_layout() {
        let page = |number: usize, language: &str, footer: &str| {
            let page = article(number);
            let html = husk_dom::serialize(&page.dom, page.dom.document())
                .replace("<html>", &format!("<html lang={language}>"))
                .replace("All rights reserved by the makers", footer);
            Page::parse(url(&format!("/{language}/animal/{number}")), &html)
        };
        let english = |number| page(number, "en", "All rights reserved by the makers");
        let french = |number| page(number, "fr", "Tous droits réservés aux auteurs");
        let mut templates = SiteTemplates::new("example.org");
        let pages: Vec<Page> = (0..4).map(english).chain((0..4).map(french)).collect();
        assert_eq!(templates.learn(&pages).new_layouts, 2);
        for (page, layout, footer) in [(english(7), 0, "rights"), (french(7), 1, "droits")] {
            let (stripped, text) = strip(&templates, &page);
            assert_eq!(stripped.layout, Some(layout));
            assert!(text.contains("hares") && !text.contains(footer), "{text}");
        }
    }

    #[test]
    fn the_template_comes_off_pages_that_were_never_seen() {
        let templates = learned();
        let (stripped, text) = strip(&templates, &article(7));
        assert_eq!(stripped.layout, Some(0));
        assert_eq!(
            (stripped.content.method, &*stripped.warnings),
            (ContentMethod::Template, &[][..])
        );
        assert!(text.starts_with("Animal 7\n\nOnce 7 hares sleep"), "{text}");
        assert!(
            !text.contains("Home") && !text.contains("rights") && !text.contains("editors"),
            "{text}"
        );
        let (stripped, _) = strip(&templates, &listing(9));
        assert_eq!(stripped.layout, Some(1));
    }

    /// An article whose title names the site, with a heading of the template above its own.
    fn titled(number: usize, title: &str) -> Page {
        let words = WORDS[number % WORDS.len()];
        let html = format!(
            "<title>{title}</title>{MENU}<h1>The Zoo</h1><main class=text><h1>Animal {number}</h1><p>Once {number} {words}.</p>\
             <p>It is said that {words}, as {number} people saw.</p></main>{FOOTER}"
        );
        Page::parse(url(&format!("/animal/{number}")), &html)
    }

    fn has_text(stored: &[u8], text: &str) -> bool {
        stored.windows(text.len()).any(|window| window == text.as_bytes())
    }

    fn title_of(templates: &SiteTemplates, page: &Page) -> Option<String> {
        templates.stripper().strip(page).metadata(page).title
    }

    #[test]
    fn titles_are_without_what_all_pages_have() {
        let mut templates = SiteTemplates::new("example.org");
        let pages: Vec<Page> = (0..6)
            .map(|number| titled(number, &format!("Number {number} – The Zoo")))
            .collect();
        templates.learn(&pages);
        let page = titled(9, "Number 9 – The Zoo");
        assert_eq!(title_of(&templates, &page).as_deref(), Some("Number 9"));
        let read = SiteTemplates::from_bytes(&templates.to_bytes()).unwrap();
        assert_eq!(title_of(&read, &page).as_deref(), Some("Number 9"));
    }

    #[test]
    fn a_title_of_all_pages_is_none() {
        let mut templates = SiteTemplates::new("example.org");
        let pages: Vec<Page> = (0..6).map(|number| titled(number, "The Zoo")).collect();
        templates.learn(&pages);
        let page = titled(9, "The Zoo");
        assert_eq!(title_of(&templates, &page).as_deref(), Some("Animal 9"));
    }

    #[test]
    fn what_was_stripped_is_as_good_as_extracted() {
        let (page, templates) = (article(7), learned());
        let (stripped, text) = strip(&templates, &page);
        let extraction = stripped.into_extraction(page);
        let content = Content::of(&extraction);
        assert_eq!(content.method, ContentMethod::Template);
        assert_eq!(nodes_text(&extraction.key_page, &content.nodes), text);
        let navigation = Navigation::of(&extraction);
        let labels: Vec<&str> = navigation
            .main()
            .unwrap()
            .entries
            .iter()
            .map(|entry| &*entry.label)
            .collect();
        assert_eq!(labels, ["Home", "About us", "Products"]);
    }

    #[test]
    fn pages_of_an_unknown_layout_lose_nothing() {
        let templates = learned();
        let html = "<form id=f><table><tr><td>Name<td><input><tr><td>Your words to us go here, dear reader<td><textarea></textarea></table></form>";
        let (stripped, text) = strip(&templates, &Page::parse(url("/form"), html));
        assert_eq!(
            (stripped.layout, &*stripped.warnings),
            (None, &[Warning::UnknownLayout][..])
        );
        assert!(text.contains("dear reader"), "{text}");
        let (stripped, _) = strip(&SiteTemplates::new("none"), &article(1));
        assert_eq!(stripped.warnings, [Warning::UnknownLayout]);
    }

    #[test]
    fn what_is_shared_comes_off_pages_of_other_layouts() {
        let templates = learned();
        let html = format!(
            "{MENU}<section id=odd><blockquote>A page like no other says this, once and for all.</blockquote></section>"
        );
        let (stripped, text) = strip(&templates, &Page::parse(url("/odd"), &html));
        assert!(
            stripped.warnings.contains(&Warning::PartialMatch),
            "{:?}",
            stripped.warnings
        );
        assert!(
            text.contains("like no other") && !text.contains("About us"),
            "{text}"
        );
    }

    #[test]
    fn a_page_without_content_is_empty() {
        let templates = learned();
        let html = format!(
            "<title>x</title>{MENU}<main class=text></main><aside class=box>Write to the editors</aside>{FOOTER}"
        );
        let (stripped, text) = strip(&templates, &Page::parse(url("/empty"), &html));
        assert_eq!((&*stripped.warnings, &*text), (&[Warning::NoContent][..], ""));
    }

    #[test]
    fn the_template_does_not_come_back_on_thin_pages() {
        let templates = learned();
        let page = |own: &str| {
            let html = format!(
                "<title>x</title>{MENU}<main class=text><h1>Animal 9</h1>{own}</main><aside class=box>Write to the editors</aside>{FOOTER}"
            );
            strip(&templates, &Page::parse(url("/thin"), &html))
        };
        for own in ["", "<p>Gone away.</p>", "<p>See <a href=/animal/7>seven</a></p>"] {
            let (stripped, text) = page(own);
            assert_eq!(stripped.warnings, [Warning::LowCoverage], "{own}");
            assert!(text.contains("Animal 9"), "{text}");
            for template in ["Home", "rights", "editors"] {
                assert!(!text.contains(template), "{own}: {text}");
            }
        }
    }

    #[test]
    fn learning_goes_on() {
        let mut templates = SiteTemplates::new("example.org");
        templates.learn(&site(4, 0));
        let before = templates.layouts()[0].support();
        let lesson = templates.learn(&[article(5), article(6), listing(1), listing(2), listing(3)]);
        assert_eq!((lesson.new_layouts, templates.layouts().len()), (1, 2));
        assert_eq!(lesson.layout_of, [Some(0), Some(0), Some(1), Some(1), Some(1)]);
        assert_eq!(templates.layouts()[0].support(), before + 2);
        assert_eq!(templates.pages(), 9);
        let (stripped, text) = strip(&templates, &article(7));
        assert_eq!(stripped.layout, Some(0));
        assert!(!text.contains("editors") && text.contains("hares"), "{text}");
    }

    #[test]
    fn the_same_pages_teach_nothing_more() {
        let mut pages = site(5, 5);
        pages.push(Page::parse(
            url("/on"),
            "<meta http-equiv=refresh content='0; url=/animal/1'>",
        ));
        pages.push(Page::parse(
            url("/odd"),
            "<form><input><p>Like no other page of this site</form>",
        ));
        let mut templates = SiteTemplates::new("example.org");
        assert_eq!(templates.learn(&pages).known, 0);
        let stored = templates.to_bytes();
        let mut back = SiteTemplates::from_bytes(&stored).unwrap();
        let again = back.learn(&pages);
        // But for the one that is like no other: it may find company some day.
        assert_eq!((again.pages, again.known, again.new_layouts), (1, 10, 0));
        assert_eq!(back.to_bytes(), stored);
        // A page that says something else now is a new one.
        let changed = Page::parse(
            url("/animal/1"),
            "<p>Gone away, all of them, and nobody knows where",
        );
        let lesson = back.learn(&[article(1), changed]);
        assert_eq!((lesson.pages, lesson.known), (1, 1));
        assert_eq!(back.pages(), templates.pages());
    }

    #[test]
    fn what_turns_out_to_be_content_leaves_the_template() {
        let page = |number: usize, note: &str| {
            let html = article(number);
            let note = format!("<aside class=box>{note}");
            let html = husk_dom::serialize(&html.dom, html.dom.document())
                .replace("<aside class=\"box\">Write to the editors", &note);
            Page::parse(url(&format!("/animal/{number}")), &html)
        };
        let same: Vec<Page> = (0..4)
            .map(|number| page(number, "Written in May by Ann of our staff"))
            .collect();
        let mut templates = SiteTemplates::new("example.org");
        templates.learn(&same);
        let has = |templates: &SiteTemplates| has_text(&templates.to_bytes(), "Written in May");
        assert!(has(&templates));
        let others = [
            "Told by Ben",
            "Seen by Cleo",
            "Heard by Dan",
            "Drawn by Eve",
            "Sung by Flo",
            "Made by Gus",
            "Sent by Hal",
            "Lent by Ina",
            "Kept by Jo",
        ];
        let others: Vec<Page> = others
            .iter()
            .enumerate()
            .map(|(number, note)| page(number + 4, note))
            .collect();
        templates.learn(&others);
        assert!(!has(&templates));
    }

    #[test]
    fn what_was_learned_is_stored_and_read_back() {
        let templates = learned();
        let stored = templates.to_bytes();
        let back = SiteTemplates::from_bytes(&stored).unwrap();
        assert_eq!(back.to_bytes(), stored);
        for page in [
            article(7),
            listing(8),
            Page::parse(url("/odd"), "<p>What is this page?"),
        ] {
            assert_eq!(strip(&back, &page).1, strip(&templates, &page).1);
        }
        assert!(!has_text(&stored, "hunt mice"), "content is not stored");
    }

    #[test]
    fn what_cannot_be_read_is_told() {
        #[track_caller]
        fn check(stored: &[u8], expect: &str) {
            let error = SiteTemplates::from_bytes(stored).unwrap_err().to_string();
            assert!(error.contains(expect), "{error}");
        }
        check(b"", "no templates that were learned");
        check(
            b"{\"format\":\"x\",\"version\":1}",
            "no templates that were learned",
        );
        check(
            b"{\"format\":\"husk site templates\",\"version\":1,\"site\"",
            "version 1, and",
        );
        let stored = learned().to_bytes();
        let version = "husk site templates".len() + 1;
        let with = |place: usize, byte: u8| [&stored[..place], &[byte], &stored[place + 1..]].concat();
        check(&with(1, b'H'), "no templates that were learned");
        check(&with(version, 99), "version 99, and");
        check(&stored[..stored.len() / 2], "damaged");
        check(&[&stored[..], b"x"].concat(), "damaged");
        // Whatever the bytes are, reading ends.
        for place in version + 1..stored.len().min(2_000) {
            let _ = SiteTemplates::from_bytes(&with(place, 0xFF));
        }
    }

    #[test]
    fn a_layout_is_shown_with_its_slots() {
        let templates = learned();
        let html = to_html(&templates.layouts()[0].extraction(), &OutputOptions::default());
        assert!(
            html.contains("About us") && html.contains("slot") && !html.contains("owls"),
            "{html}"
        );
    }

    #[test]
    fn copies_and_pages_that_lead_on_teach_nothing() {
        let mut templates = SiteTemplates::new("example.org");
        let on = Page::parse(url("/on"), "<meta http-equiv=refresh content='0; url=/animal/1'>");
        let lesson = templates.learn(&[article(1), article(1), on, article(2), article(3)]);
        assert_eq!(lesson.pages, 3);
        assert_eq!(lesson.layout_of, [Some(0), None, None, Some(0), Some(0)]);
        assert_eq!(SiteTemplates::new("x").learn(&[]), Lesson::default());
        let alone = SiteTemplates::new("x").learn(&[article(1)]);
        assert_eq!((alone.pages, alone.new_layouts), (1, 0));
    }

    #[test]
    fn redirect_stubs_have_neither_a_layout_nor_content() {
        let mut templates = SiteTemplates::new("example.org");
        let pages: Vec<Page> = (0..6).map(article).collect();
        templates.learn(&pages);
        let stub = "<html><head><title>Page has moved</title><meta http-equiv=refresh content='0; url=/a'></head>\
            <body><h3><a href=/a>Click here...</a></h3></body></html>";
        let page = Page::parse(url("/old"), stub);
        let stripped = templates.stripper().strip(&page);
        assert_eq!((stripped.layout, stripped.layout_fit), (None, None));
        assert_eq!(stripped.content.nodes.iter().count(), 0);
        assert_eq!(stripped.warnings, [Warning::NoContent]);
    }
}
