//! The navigation of a page: its menus and other blocks of links around the site.
//!
//! An [`Extraction`] in, [`Navigation`] out. [`survey`] counts, [`candidates`] finds and scores elements that could
//! be blocks, [`choice`] picks the blocks and their kinds, [`entries`] makes trees of their links.

mod numbers;

mod survey;

mod parts;

mod candidates;

mod choice;

mod entries;

use husk_dom::{Dom, NodeId};
use url::Url;

use crate::extraction::Extraction;
use survey::Survey;

/// The navigation of a page, in document order.
#[derive(Debug, Clone, Default)]
pub struct Navigation {
    /// Its blocks.
    pub blocks: Vec<NavigationBlock>,
}

/// A block of links.
#[derive(Debug, Clone)]
pub struct NavigationBlock {
    /// Its kind.
    pub kind: NavigationKind,
    /// The smallest subtrees that contain the links, in document order; they are disjoint.
    pub roots: Vec<NodeId>,
    /// The links as a tree.
    pub entries: Vec<MenuItem>,
}

/// The kind of a block of links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NavigationKind {
    /// The main menu of the site.
    Main,
    /// The menu of a section, or another menu besides the main one.
    Sub,
    /// The path from the home page to this page.
    Breadcrumb,
    /// Links at the bottom of every page.
    Footer,
    /// Previous, next, page 3 of 7.
    Pagination,
    /// The same page in other languages.
    Language,
}

/// An item of a menu.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MenuItem {
    /// Its label.
    pub label: String,
    /// Its target as an absolute URL; none if it only groups others. Never a script.
    pub url: Option<Url>,
    /// Whether it is the page itself; if no item is, whether it is the deepest one marked as active; if none is
    /// marked, whether its URL shares the most folders with the page's.
    pub is_active: bool,
    /// The items below it.
    pub children: Vec<MenuItem>,
    /// The element with the label.
    pub node: NodeId,
}

impl Navigation {
    /// Finds the navigation of a page.
    ///
    /// The main menu is part of the template; a page without one has none. Other blocks may differ from page to page,
    /// as breadcrumbs do. A second copy of the main menu, as for small screens, is a [`NavigationKind::Sub`].
    pub fn of(extraction: &Extraction) -> Self {
        let survey = Survey::of(extraction);
        let mut blocks = choice::blocks(&survey);
        for block in &mut blocks {
            block.entries = entries::entries(&survey, &block.roots);
        }
        // Drops blocks whose links are all of this page only, or cannot be read.
        blocks.retain(|block| !block.entries.is_empty());
        Self { blocks }
    }

    /// The main menu, if there is one.
    pub fn main(&self) -> Option<&NavigationBlock> {
        self.blocks
            .iter()
            .find(|block| block.kind == NavigationKind::Main)
    }
}

impl NavigationBlock {
    /// All its nodes, in document order.
    pub fn nodes<'a>(&'a self, dom: &'a Dom) -> impl Iterator<Item = NodeId> + 'a {
        self.roots.iter().flat_map(|&root| dom.subtree(root))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;
    use crate::page::Page;
    use crate::session::Session;

    const NAMES: [&str; 5] = ["visit", "history", "stories", "shop", "contact"];

    fn address(name: &str) -> Url {
        Url::parse(&format!("https://example.org/{name}")).unwrap()
    }

    /// What is found on the page `visit` of a site with five pages, each of which has such a body.
    fn extraction(body: impl Fn(&str) -> String) -> Extraction {
        let page = |name: &str| Page::parse(address(name), &body(name));
        let mut session = Session::new(page("visit"), Options::default());
        while let Some(url) = session.next_wanted().cloned() {
            let name = url.path().trim_start_matches('/');
            if NAMES.contains(&name) {
                session.give(page(name));
            } else {
                session.give_up("not there".to_owned());
            }
        }
        session.finish()
    }

    /// Text that only one page has.
    fn text(name: &str) -> String {
        let words = format!("What is only told about the {name}, and at such a length. ");
        format!(
            "<h1>The {name}</h1><p>{}</p><p>{name} {}</p>",
            words.repeat(4),
            words.repeat(3)
        )
    }

    fn menu() -> String {
        let item = |name: &&str| format!("<li><a href=/{name}>{name}</a></li>");
        format!(
            "<ul class=menu>{}</ul>",
            NAMES.iter().map(item).collect::<String>()
        )
    }

    /// Labels with what is below them in brackets, a star at the active ones, a dash at those without address.
    fn show(entries: &[MenuItem]) -> String {
        let line = |entry: &MenuItem| {
            let star = if entry.is_active { "*" } else { "" };
            let dash = if entry.url.is_none() { "-" } else { "" };
            let below = match show(&entry.children) {
                below if below.is_empty() => below,
                below => format!("[{below}]"),
            };
            format!("{dash}{}{star}{below}", entry.label)
        };
        entries.iter().map(line).collect::<Vec<_>>().join(" ")
    }

    fn all_shown(navigation: &Navigation) -> Vec<String> {
        let line = |block: &NavigationBlock| format!("{:?}: {}", block.kind, show(&block.entries));
        navigation.blocks.iter().map(line).collect()
    }

    /// The blocks of the page `visit` where each page has this in front of its text and that behind it.
    #[track_caller]
    fn check(before: &str, behind: &str, expect: &[&str]) {
        let found = extraction(|name| format!("{before}<main>{}</main>{behind}", text(name)));
        assert!(found.compared.len() >= 3, "compared with {:?}", found.compared);
        assert_eq!(all_shown(&Navigation::of(&found)), expect, "{before}");
    }

    const PLAIN: &str = "Main: visit* history stories shop contact";

    /// The tree of a menu alone.
    #[track_caller]
    fn check_tree(menu: &str, expect: &str) {
        let links: String = NAMES.iter().map(|name| format!("<a href=/{name}></a>")).collect();
        let found = extraction(|name| format!("<header>{menu}</header>{}<p>{links}</p>", text(name)));
        let navigation = Navigation::of(&found);
        let main = navigation.main().expect("there is a main menu");
        assert_eq!(show(&main.entries), expect, "{menu}");
    }

    #[test]
    fn the_menu_is_told_from_logo_and_footer() {
        let footer = "<footer><ul><li><a href=/terms>Terms</a><li><a href=/privacy>Privacy</a></ul></footer>";
        check(
            &format!(
                "<header><a href=/><img src=logo.png alt=Logo></a><nav>{}</nav></header>",
                menu()
            ),
            footer,
            &[PLAIN, "Footer: Terms Privacy"],
        );
        // Names are no more than hints.
        check(
            &format!("<div><a href=/>Logo</a></div><div>{}</div>", menu()),
            &footer.replace("footer", "div"),
            &[PLAIN, "Footer: Terms Privacy"],
        );
    }

    #[test]
    fn every_kind_of_block_is_told() {
        check(
            &format!(
                "<header><nav>{}</nav><div class=languages><a href=/de/visit hreflang=de>Deutsch</a> \
                <a href=/fr/visit hreflang=fr>Français</a></div></header>\
                <p><a href=/>Home</a> » <a href=/places>Places</a> » here</p>\
                <aside><h3>Places</h3><ul><li><a href=/places/a>Tower</a><li><a href=/places/b>Pier</a></ul></aside>",
                menu()
            ),
            "<div class=pager><a href=/visit?page=2>2</a> <a href=/visit?page=3>3</a></div>",
            &[
                PLAIN,
                "Language: Deutsch Français",
                "Breadcrumb: Home Places",
                "Sub: Tower Pier",
                "Pagination: 2 3",
            ],
        );
    }

    #[test]
    fn contents_of_a_site_are_a_menu() {
        let few = "<p><a href=/up>Up</a> <a href=/index>Index</a> <a href=/help>Help</a></p>";
        let contents = format!("<div class=toc>{}</div>", menu().replace(" class=menu", ""));
        let sub = "Sub: Up Index Help";
        check(&format!("{few}{contents}"), "", &[sub, PLAIN]);
        // Those of the page are not.
        let places = contents.replace("href=/", "href=#");
        check(&format!("<nav>{}</nav>{places}", menu()), "", &[PLAIN]);
    }

    #[test]
    fn a_logo_or_links_elsewhere_are_no_menu() {
        let links: String = NAMES.iter().map(|name| format!("<a href=/{name}></a>")).collect();
        for menu in [
            "<nav><a href=/><img src=logo.png alt=Logo></a></nav>",
            "<nav><a href=https://example.com/a>Get the book</a></nav>",
            "<nav><a href=https://example.com/a>Books</a><a href=/>Stories</a><a href=https://example.com/b>Maps</a></nav>",
            "<div><a href=/>Home</a></div>",
            "<div><a href=/>Home</a> &gt; <a href=/places>Places</a> &gt; here</div>",
        ] {
            let found = extraction(|name| format!("<header>{menu}</header>{}<p>{links}</p>", text(name)));
            let main = Navigation::of(&found).main().map(|main| show(&main.entries));
            assert_eq!(main, None, "{menu}");
        }
        let footer =
            "<footer><p>© Acme</p><a href=/imprint>Imprint</a> <a href=/privacy>Privacy</a></footer>";
        let header = "<header><h1><a href=/>Acme</a></h1><a href=/login>Log in</a></header>";
        let found = extraction(|name| format!("{header}{}<p>{links}</p>{footer}", text(name)));
        let main = Navigation::of(&found).main().map(|main| show(&main.entries));
        assert_eq!(main, None);
    }

    #[test]
    fn links_tell_steps_and_signs_tell_trails() {
        let menu = menu();
        check(
            &menu,
            "<p><a class=go-prev href=/p1>Back</a> <a rel=next href=/p2>On</a></p>",
            &[PLAIN, "Pagination: Back On"],
        );
        let trail = "<div><a href=/>Home</a> <b>»</b> here</div>";
        check(&format!("{menu}{trail}"), "", &[PLAIN, "Breadcrumb: Home"]);
        let quotation = "<div>include &lt;<a href=/clock>clock</a>&gt;</div>";
        check(&format!("{menu}{quotation}"), "", &[PLAIN]);
    }

    #[test]
    fn of_two_copies_one_is_the_main_menu() {
        let found = extraction(|name| {
            let menu = menu();
            format!(
                "<header><nav>{menu}</nav></header><div class=drawer>{menu}</div>{}",
                text(name)
            )
        });
        let navigation = Navigation::of(&found);
        let kinds: Vec<_> = navigation.blocks.iter().map(|block| block.kind).collect();
        assert_eq!(kinds, [NavigationKind::Main, NavigationKind::Sub]);
    }

    #[test]
    fn roots_are_the_smallest_elements_around_the_links() {
        let found = extraction(|name| {
            format!(
                "<header><div><nav id=n><a href=/>Logo</a><div>{}</div></nav></div></header>{}",
                menu(),
                text(name)
            )
        });
        let main = Navigation::of(&found).main().unwrap().clone();
        let dom = &found.key_page.dom;
        let names: Vec<_> = main
            .roots
            .iter()
            .map(|&root| dom.name(root).to_string())
            .collect();
        assert_eq!(names, ["ul"]);
        assert_eq!(main.nodes(dom).count(), 1 + NAMES.len() * 3);
    }

    #[test]
    fn menus_need_no_lists() {
        let links = |between: &str| {
            let link = |name: &&str| format!("<a href=/{name}>{name}</a>");
            NAMES.iter().map(link).collect::<Vec<_>>().join(between)
        };
        check(&format!("<div>{}</div>", links("")), "", &[PLAIN]);
        check(&format!("<p>{}</p>", links(" | ")), "", &[PLAIN]);
        check(&format!("<table><tr><td>{}</table>", links("<td>")), "", &[PLAIN]);
        check(
            &format!("<table><tr><td>{}</table>", links("<tr><td>")),
            "",
            &[PLAIN],
        );
        let pictures = NAMES.map(|name| format!("<a href=/{name}><img src={name}.gif alt={name}></a>"));
        check(&format!("<div>{}</div>", pictures.concat()), "", &[PLAIN]);
    }

    /// The whole bar is the menu, not one of its panels.
    #[test]
    fn menus_of_panels_need_no_lists() {
        let panel = |names: &[&str]| {
            let link = |name: &&str| format!("<a href=/more/{name}><b>{name}</b></a>");
            format!(
                "<div class=panel><div>{}</div></div>",
                names.iter().map(link).collect::<String>()
            )
        };
        let group = |label: &str, names: &[&str]| format!("<div class=item>{label}{}</div>", panel(names));
        let near = ["tower", "pier", "lake", "park"];
        let far = ["hills", "coast", "caves"];
        let single = "<a class=item href=/shop>Shop</a><a class=item href=/contact>Contact</a>";
        let header = |bar: String| {
            let rest = "<a href=/><img src=logo.png alt=Logo></a>";
            format!("<div>{rest}<div><div>{bar}</div></div><a href=/login>Log in</a></div>")
        };
        let two = "-Near[tower pier lake park] -Far[hills coast caves] Shop Contact";
        let labels: [fn(&str) -> String; 5] = [
            |name| format!("<button>{name}</button>"),
            |name| format!("<div><span>{name}</span><svg></svg></div>"),
            |name| format!("<a href='#'>{name}</a>"),
            |name| format!("<a href='javascript:void(0)'>{name}</a>"),
            |name| format!("<div role=button>{name}</div>"),
        ];
        for label in labels {
            let bar = [group(&label("Near"), &near), group(&label("Far"), &far)].concat() + single;
            check_tree(&header(bar), two);
        }
        // Labels and panels side by side.
        let flat = ["Near", "Far"].map(|name| format!("<button>{name}</button>"));
        let bar = format!("{}{}{}{}", flat[0], panel(&near), flat[1], panel(&far));
        let found = extraction(|name| format!("{}{}<p>{single}</p>", header(bar.clone()), text(name)));
        let main = Navigation::of(&found)
            .main()
            .map(|main| main.nodes(&found.key_page.dom).count());
        assert_eq!(main, Some(1 + 2 * 2 + 2 * 2 + 7 * 3));
        // One panel among links.
        let bar = format!(
            "<a class=item href=/visit>Visit</a>{}{single}",
            group("<button>Near</button>", &near)
        );
        check_tree(&header(bar), "Visit* -Near[tower pier lake park] Shop Contact");
    }

    #[test]
    fn tools_of_the_page_next_to_the_menu_are_not_of_it() {
        let found = extraction(|name| {
            let tools: String = ["History", "Source", "Print"]
                .map(|tool| format!("<a href=/{tool}/{name}>{tool}</a>"))
                .concat();
            let links = NAMES.map(|name| format!("<a href=/{name}>{name}</a>")).concat();
            format!(
                "<div><div class=box><h3>Site</h3><div>{links}</div></div><div class=box><h3>Tools</h3><div>{tools}</div>\
                </div></div>{}",
                text(name)
            )
        });
        let main = Navigation::of(&found).main().map(|main| show(&main.entries));
        assert_eq!(main.as_deref(), Some("visit* history stories shop contact"));
    }

    #[test]
    fn links_to_log_in_are_no_menu() {
        let menu = NAMES
            .map(|name| format!("<li><a href=/{name}>{name}</a></li>"))
            .concat();
        let bar = ["login", "prefs", "help", "about", "register"]
            .map(|name| format!("<li><a href=/{name}.html>{name}</a></li>"))
            .concat();
        check(
            &format!(
                "<header><div class=nav><ul>{bar}</ul></div></header><div class=nav><ul>{menu}</ul></div>"
            ),
            "",
            &["Sub: login prefs help about register", PLAIN],
        );
    }

    #[test]
    fn the_title_of_the_page_next_to_the_links_is_not_of_the_menu() {
        let found = extraction(|name| {
            let links = NAMES
                .map(|name| format!("[<a href=/{name}>{name}</a>] "))
                .concat();
            format!(
                "<table><tr><td><ul><li>About {name}</ul>{links}</table>{}",
                text(name)
            )
        });
        let main = Navigation::of(&found).main().unwrap().clone();
        let dom = &found.key_page.dom;
        let are_links = main.roots.iter().all(|&root| &**dom.name(root) == "a");
        assert!(are_links && main.roots.len() == NAMES.len());
    }

    /// Copied by hand, a menu has an entry of its own on some pages.
    #[test]
    fn an_entry_of_one_page_is_of_the_menu() {
        let found = extraction(|name| {
            let cells = NAMES
                .map(|name| format!("<td><a href=/{name}>{name}</a></td>"))
                .concat();
            let more = if name == "visit" {
                "<td><a href=/map>map</a></td>"
            } else {
                ""
            };
            format!("<table><tr>{cells}{more}</table>{}", text(name))
        });
        let main = Navigation::of(&found).main().map(|main| show(&main.entries));
        assert_eq!(main.as_deref(), Some("visit* history stories shop contact map"));
    }

    #[test]
    fn a_row_in_several_wrappers_is_one_menu() {
        let links = NAMES.map(|name| format!("<a href=/{name}>{name}</a>"));
        check(
            &format!(
                "<div><b><font size=1>{} </font></b><font size=1><b> | {}</b></font></div>",
                links[..3].join(" | "),
                links[3..].join(" | ")
            ),
            "",
            &[PLAIN],
        );
    }

    #[test]
    fn what_stands_below_a_label_is_below_it() {
        check_tree(
            "<ul><li><a href=/visit>Visit</a><ul><li><a href=/a>A</a><li><a href=/b>B</a></ul><li><a href=/shop>Shop</a></ul>",
            "Visit*[A B] Shop",
        );
        check_tree(
            "<ul><li><span>Places</span><ul><li><a href=/a>A</a><li><a href=/b>B</a></ul><li><a href=/shop>Shop</a></ul>",
            "-Places[A B] Shop",
        );
        check_tree(
            "<ul><li><a href='#'>Places</a><button>Open</button><div><div><h4>Near</h4><a href=/a>A</a><a href=/b>B</a></div>\
            </div><li><a href=javascript:void(0)>Shop</a><li><a href=/contact>Contact</a></ul>",
            "-Places[-Near[A B]] -Shop Contact",
        );
        check_tree(
            "<dl><dt>Near<dd><a href=/a>A</a><dd><a href=/b>B</a><dt><a href=/far>Far</a><dd><a href=/c>C</a></dl>",
            "-Near[A B] Far[C]",
        );
        check_tree(
            "<nav><h3>Near</h3><ul><li><a href=/a>A</a><li><a href=/b>B</a></ul><h3>Far</h3><ul><li><a href=/c>C</a><li>\
            <a href=/d>D</a></ul></nav>",
            "-Near[A B] -Far[C D]",
        );
        check_tree(
            "<div><div class=i><a href=/a>A</a></div><div class=i><a href=/b>B</a><div><a href=/c>C</a><a href=/d>D</a></div>\
            </div><div class=i><a href=/e>E</a></div></div>",
            "A B[C D] E",
        );
    }

    #[test]
    fn labels_are_what_can_be_read() {
        check_tree(
            "<ul><li><a href=/a>  A\n<b>b</b> <script>no</script></a> (7)<li><a href=/b><img alt='B' src=b.png></a>\
            <li><a href=/c aria-label=C></a><li><a href=/d title=D><i></i></a><li><a href=/e></a><li><a href=/a>A b</a></ul>",
            "A b B C D",
        );
    }

    #[test]
    fn the_active_entry_is_the_page_or_marked_or_nearest() {
        let found = |menu: &str| {
            let page = |name: &str| {
                let url = Url::parse(&format!("https://example.org/places/near/{name}")).unwrap();
                Page::parse(url, &format!("<nav>{menu}</nav>{}", text(name)))
            };
            let session = Session::new(page("visit"), Options::default());
            let navigation = Navigation::of(&session.finish());
            show(&navigation.main().expect("there is a menu").entries)
        };
        let item = |href: &str, class: &str| format!("<li class='{class}'><a href='{href}'>{href}</a></li>");
        let list = |items: &[String]| format!("<ul>{}</ul>", items.concat());
        let nearest = [
            item("/", ""),
            item("/places", ""),
            item("/places/near/", ""),
            item("/shop", ""),
        ];
        assert_eq!(found(&list(&nearest)), "/ /places /places/near/* /shop");
        let marked = [item("/", ""), item("/places", ""), item("/shop", "is-active")];
        assert_eq!(found(&list(&marked)), "/ /places /shop*");
        let page = [
            item("/shop", "active"),
            item("visit", ""),
            item("visit#a", ""),
            item("/a", ""),
        ];
        assert_eq!(found(&list(&page)), "/shop visit* visit#a /a");
    }

    #[test]
    fn contents_of_the_page_unfolded_in_the_menu_are_not_the_menus() {
        let found = extraction(|name| {
            let items: String = NAMES
                .iter()
                .map(|other| {
                    let contents = if *other == name {
                        format!("<ul><li><a href=#x>On {name}</a><li><a href=#y>More on {name}</a></ul>")
                    } else {
                        String::new()
                    };
                    format!("<li><a href=/{other}>{other}</a>{contents}</li>")
                })
                .collect();
            format!("<nav><ul>{items}</ul></nav>{}", text(name))
        });
        assert_eq!(all_shown(&Navigation::of(&found)), [PLAIN]);
    }

    #[test]
    fn no_menu_is_none() {
        let found = extraction(|name| {
            let other = NAMES.iter().map(|other| {
                format!(
                    "<p>See <a href=/{other}>what is there of {other}</a> and more \
                that stands there, {name}, if you like to read it at all.</p>"
                )
            });
            format!("{}{}", text(name), other.collect::<String>())
        });
        assert!(Navigation::of(&found).main().is_none());
        for page in [
            "",
            "<p>x",
            "<frameset><frame src=a>",
            "<a href=x>y</a>",
            "<template><nav><a href=a>b</a></nav>",
        ] {
            let session = Session::new(Page::parse(address("visit"), page), Options::default());
            let _ = Navigation::of(&session.finish());
        }
    }

    #[test]
    fn scripts_and_files_are_no_addresses() {
        check_tree(
            "<ul><li><a href=/a>A</a><li><a href='JavaScript:x()'>B</a><li><a href='data:text/html,x'>C</a>\
            <li><a href='file:///etc/passwd'>D</a><li><a href=mailto:a@b.example>E</a><li><a href='http://['>F</a>\
            <li><a href=/g>G</a></ul>",
            "A -B -C -D E -F G",
        );
    }

    /// Pages that would take minutes if anything were done again for each node above another.
    #[test]
    fn large_and_deep_pages_take_no_longer() {
        let alone = |html: &str| {
            let session = Session::new(Page::parse(address("visit"), html), Options::default());
            Navigation::of(&session.finish())
        };
        let link = |number: usize| format!("<li><a href=/p{number}>Page {number}</a></li>");
        let many: String = (0..100_000).map(link).collect();
        let navigation = alone(&format!("<nav><ul>{many}</ul></nav>"));
        assert!(navigation.main().is_some_and(|main| main.entries.len() == 5_000));

        let deep: String = (0..500)
            .map(|number| format!("<ul>{}<li>", link(number)))
            .collect();
        let navigation = alone(&format!("<nav>{deep}</nav>"));
        assert!(!navigation.blocks.is_empty());

        let deep: String = (0..450)
            .map(|number| format!("<div><a href=/x{number}>x</a>"))
            .collect();
        alone(&format!(
            "{deep}{}",
            "<div><a href=/a>a</a><a href=/b>b</a></div>".repeat(100_000)
        ));
    }
}
