//! Compares two captures of a site: what changed in the template, and on which pages the content changed.
//!
//! The templates of both captures and pairs of pages in, one pair at a time; [`SiteChanges`] out. A change belongs to the
//! template if the learned templates say so and several pages have it, or if so many pages have it that no editor made it.

mod pair;

use indexmap::{IndexMap, IndexSet};
use serde::Serialize;
use url::Url;

use crate::learn::{Change, SiteTemplates, Stripper};
use crate::links::Address;
use crate::page::Page;
use pair::{Description, Event, Pair};

/// What changed on a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PageChange {
    /// Nothing that counts.
    Neither,
    /// Its content.
    Content,
    /// The template around it.
    Template,
    /// Both.
    Both,
    /// Only the later capture has it.
    Added,
    /// Only the earlier capture has it.
    Removed,
    /// The server answered with an error in the later capture.
    Error,
}

impl PageChange {
    /// The name in outputs, which is stable.
    pub fn name(self) -> &'static str {
        match self {
            Self::Neither => "neither",
            Self::Content => "content",
            Self::Template => "template",
            Self::Both => "both",
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Error => "error",
        }
    }
}

/// A page of either capture.
#[derive(Debug, Clone, Serialize)]
pub struct ComparedPage {
    /// Its URL.
    pub url: Url,
    /// What changed.
    pub change: PageChange,
}

/// A change of the template.
#[derive(Debug, Clone, Serialize)]
pub struct TemplateChange {
    /// What happened.
    pub change: Change,
    /// A CSS selector for the part, on the earlier pages; what was added is named on the later ones.
    pub selector: String,
    /// The start of its text.
    pub text: String,
    /// The start of its text now, if it has another one.
    pub new_text: Option<String>,
    /// The pages that have the change, as indices into the list of pages.
    pub pages: Vec<usize>,
}

/// What changed between two captures of a site.
#[derive(Debug, Clone, Serialize)]
pub struct SiteChanges {
    /// All pages: those of both captures in the order they were compared, then the added and the removed ones.
    pub pages: Vec<ComparedPage>,
    /// The changes of the template, those on most pages first.
    pub template_changes: Vec<TemplateChange>,
    /// Changes of lists of pages, such as menus and recent posts, that follow from pages that were added or removed. They do
    /// not count as changes of the template.
    pub list_changes: Vec<TemplateChange>,
}

impl SiteChanges {
    /// Number of pages with a change.
    pub fn count(&self, change: PageChange) -> usize {
        self.pages.iter().filter(|page| page.change == change).count()
    }
}

/// Pages that must have a change before it can be one of the template.
const FEWEST_PAGES: usize = 2;

/// The share of a layout's pages that must have a change in what the learned templates take for template. Some pages
/// have their own.
const SHARE_OF_TEMPLATE: f64 = 0.1;

/// The same for other changes: no editor changes so many pages in the same way.
const SHARE_OF_CONTENT: f64 = 0.4;

/// Compares pages of two captures of a site.
pub struct SiteDiff<'a> {
    old: Stripper<&'a SiteTemplates>,
    new: Stripper<&'a SiteTemplates>,
    /// Pages that only one of the captures has.
    only_one: IndexSet<Address>,
    pages: Vec<ComparedPage>,
    pairs: Vec<Pair>,
    /// Pairs of each layout.
    of_layout: IndexMap<Option<usize>, usize>,
    /// The labels of all elements of the earlier and of the later pages.
    labels: [IndexSet<u64>; 2],
    groups: IndexMap<u64, Group>,
}

/// The same change on several pages.
struct Group {
    pages: Vec<usize>,
    layouts: IndexSet<Option<usize>>,
    /// The key of the change on its first page: elements of a kind may say something else on each.
    what: u64,
    description: Description,
}

impl<'a> SiteDiff<'a> {
    /// Prepares to compare. The templates are those of the earlier and of the later capture; `added` and `removed` are the
    /// pages that only one of them has.
    pub fn new(
        old: &'a SiteTemplates,
        new: &'a SiteTemplates,
        added: impl IntoIterator<Item = Url>,
        removed: impl IntoIterator<Item = Url>,
    ) -> Self {
        let compared = |change| move |url| ComparedPage { url, change };
        let mut pages: Vec<ComparedPage> = added.into_iter().map(compared(PageChange::Added)).collect();
        pages.extend(removed.into_iter().map(compared(PageChange::Removed)));
        Self {
            old: old.stripper(),
            new: new.stripper(),
            only_one: pages.iter().map(|page| Address::of(&page.url)).collect(),
            pages,
            pairs: Vec::new(),
            of_layout: IndexMap::new(),
            labels: Default::default(),
            groups: IndexMap::new(),
        }
    }

    /// Adds a page as it was and as it is.
    pub fn add(&mut self, old: &Page, new: &Page) {
        let number = self.pairs.len();
        let (pair, described) = Pair::of(self, old, new);
        *self.of_layout.entry(pair.layout).or_default() += 1;
        for (key, what, description) in described {
            let group = self.groups.entry(key).or_insert_with(|| Group {
                pages: Vec::new(),
                layouts: IndexSet::new(),
                what,
                description,
            });
            if group.what != what {
                group.description.forget_text();
            }
            if group.pages.last() != Some(&number) {
                group.pages.push(number);
                group.layouts.insert(pair.layout);
            }
        }
        self.pairs.push(pair);
    }

    /// What changed.
    pub fn finish(self) -> SiteChanges {
        let mut found: IndexMap<(u64, bool), Vec<usize>> = IndexMap::new();
        let mut pages = Vec::with_capacity(self.pairs.len() + self.pages.len());
        for (number, pair) in self.pairs.iter().enumerate() {
            let (mut has_template, mut has_content) = (false, false);
            for event in &pair.events {
                let key = self.template_key(event);
                // A new kind of element is template, what each page says in it is not.
                has_content |= event.says_something && key != Some(event.key);
                let Some(key) = key else { continue };
                has_template |= !event.is_list;
                let pages = found.entry((key, event.is_list)).or_default();
                if pages.last() != Some(&number) {
                    pages.push(number);
                }
            }
            let change = match (has_template, has_content && pair.says_otherwise) {
                (false, false) => PageChange::Neither,
                (false, true) => PageChange::Content,
                (true, false) => PageChange::Template,
                (true, true) => PageChange::Both,
            };
            pages.push(ComparedPage {
                url: pair.url.clone(),
                change,
            });
        }
        pages.extend(self.pages);
        let told = |is_list: bool| {
            let groups = found.iter().filter(move |((_, list), _)| *list == is_list);
            let mut told: Vec<TemplateChange> = groups
                .filter_map(|((key, _), pages)| Some(self.groups.get(key)?.description.told(pages)))
                .collect();
            told.sort_by_key(|change| std::cmp::Reverse(change.pages.len()));
            told
        };
        let (template_changes, list_changes) = (told(false), told(true));
        SiteChanges {
            pages,
            template_changes,
            list_changes,
        }
    }

    /// The group that makes a change one of the template, if any does.
    fn template_key(&self, event: &Event) -> Option<u64> {
        let share = if event.is_template {
            SHARE_OF_TEMPLATE
        } else {
            SHARE_OF_CONTENT
        };
        if self.is_on_share(event.key, share) {
            return Some(event.key);
        }
        // An element of a kind that the other capture lacks.
        let (kind, label) = event.new_kind?;
        let is_unknown = !self.labels[usize::from(kind == Change::Gone)].contains(&label);
        let key = event.kind_key();
        (is_unknown && self.is_on_share(key, SHARE_OF_CONTENT)).then_some(key)
    }

    fn is_on_share(&self, key: u64, share: f64) -> bool {
        self.groups.get(&key).is_some_and(|group| {
            let layouts = group
                .layouts
                .iter()
                .filter_map(|layout| self.of_layout.get(layout));
            let all: usize = layouts.sum();
            let pages = group.pages.len();
            pages >= FEWEST_PAGES && pages as f64 >= share * all as f64
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: [&str; 6] = [
        "owls hunt mice in the old wood at night, and rest by day",
        "bats hang from the roof of a barn until dusk comes",
        "foxes dig their dens where the hill is dry and warm",
        "hedgehogs eat slugs, worms and beetles under our hedge",
        "otters came back to the river after many years away",
        "hares sleep in the open field, with both eyes open",
    ];

    fn url(path: &str) -> Url {
        Url::parse("https://example.org/").unwrap().join(path).unwrap()
    }

    fn html(number: usize) -> String {
        let words = WORDS[number];
        format!(
            "<title>Animal {number}</title><nav class=menu><ul><li><a href=/0>First animal</a><li><a href=/1>Second animal</a>\
             <li><a href=/2>Third animal</a></ul></nav><main><h1>Animal {number}</h1><p>Once {number} {words}.</p>\
             <p>It is said that {words}, as {number} people saw.</p></main><footer class=foot><p>All rights reserved 2025</p>\
             <p><a href=/{number}#talk>Talk about it</a></p></footer>"
        )
    }

    /// Compares the site with a changed copy of it.
    fn diff(change: impl Fn(usize, String) -> String, added: &[&str]) -> SiteChanges {
        let page = |number: usize, html: &str| Page::parse(url(&format!("/{number}")), html);
        let old: Vec<Page> = (0..6).map(|number| page(number, &html(number))).collect();
        let new: Vec<Page> = (0..6)
            .map(|number| page(number, &change(number, html(number))))
            .collect();
        let templates = [&old, &new].map(|pages| {
            let mut templates = SiteTemplates::new("example.org");
            templates.learn(pages);
            templates
        });
        let added: Vec<Url> = added.iter().map(|path| url(path)).collect();
        let mut diff = SiteDiff::new(&templates[0], &templates[1], added, []);
        old.iter().zip(&new).for_each(|(old, new)| diff.add(old, new));
        diff.finish()
    }

    #[track_caller]
    fn check(changes: &SiteChanges, expect: [PageChange; 6], template: &[(Change, &str, usize)]) {
        let found: Vec<PageChange> = changes.pages.iter().take(6).map(|page| page.change).collect();
        assert_eq!(found, expect, "{changes:#?}");
        let told = changes.template_changes.iter();
        let told: Vec<_> = told
            .map(|change| (change.change, &*change.text, change.pages.len()))
            .collect();
        assert_eq!(told, template);
    }

    #[test]
    fn nothing_changes() {
        check(&diff(|_, html| html, &[]), [PageChange::Neither; 6], &[]);
        // Years and white space are nothing.
        let changes = diff(
            |_, html| html.replace("2025", "2026").replace("<p>", "\n <p>"),
            &[],
        );
        check(&changes, [PageChange::Neither; 6], &[]);
    }

    #[test]
    fn a_change_of_the_template_is_one_for_all_pages() {
        let changes = diff(|_, html| html.replace("All rights", "Some rights"), &[]);
        let expect = (Change::Text, "All rights reserved 2025", 6);
        check(&changes, [PageChange::Template; 6], &[expect]);
        assert_eq!(
            changes.template_changes[0].new_text.as_deref(),
            Some("Some rights reserved 2025")
        );
        let changes = diff(|_, html| html.replace("class=foot", "class=bottom"), &[]);
        assert_eq!(changes.template_changes.len(), 1);
        assert_eq!(changes.template_changes[0].change, Change::Restyled);
        assert_eq!(changes.count(PageChange::Template), 6);
    }

    #[test]
    fn links_of_each_page_are_one_block() {
        let talk = |number: usize| format!("<p><a href=/{number}#talk>Talk about it</a></p>");
        let changes = diff(|number, html| html.replace(&talk(number), ""), &[]);
        check(
            &changes,
            [PageChange::Template; 6],
            &[(Change::Gone, "Talk about it", 6)],
        );
    }

    #[test]
    fn content_is_told_from_template() {
        let edit = |number: usize, html: String| match number {
            2 => html.replace("dry and warm", "high above the river"),
            _ => html,
        };
        let mut expect = [PageChange::Neither; 6];
        expect[2] = PageChange::Content;
        check(&diff(edit, &[]), expect, &[]);
        let both = |number: usize, html: String| edit(number, html).replace("All rights", "Some rights");
        let mut expect = [PageChange::Template; 6];
        expect[2] = PageChange::Both;
        check(
            &diff(both, &[]),
            expect,
            &[(Change::Text, "All rights reserved 2025", 6)],
        );
    }

    #[test]
    fn content_stays_content_after_a_redesign() {
        let changes = diff(|number, _| new_design(number, WORDS[number]), &[]);
        assert_eq!(changes.count(PageChange::Template), 6, "{changes:#?}");
    }

    #[test]
    fn lists_of_pages_follow_the_pages() {
        let entry = "<li><a href=/new>A new animal</a><li><a href=/0>";
        let add = |_, html: String| html.replacen("<li><a href=/0>", entry, 1);
        let changes = diff(add, &["/new"]);
        assert_eq!(
            (changes.template_changes.len(), changes.list_changes.len()),
            (0, 1),
            "{changes:#?}"
        );
        assert_eq!(changes.count(PageChange::Added), 1);
        assert_eq!(changes.count(PageChange::Neither), 6);
        // The page was there before, so it is the menu that changed.
        let changes = diff(add, &[]);
        check(
            &changes,
            [PageChange::Template; 6],
            &[(Change::Added, "A new animal", 6)],
        );
    }

    /// The pages in another design, with some articles.
    fn new_design(number: usize, words: &str) -> String {
        format!(
            "<title>Animal {number}</title><div id=top><b>The animal house</b></div><section class=post><h2>Animal {number}</h2>\
             <div class=lead>Once {number} {words}.</div><div>It is said that {words}, as {number} people saw.</div></section>"
        )
    }

    #[test]
    fn content_that_changes_with_the_design_is_both() {
        let other =
            |number: usize| format!("boat {number} sails far out into a calm sea of {number}{number} waves");
        let changes = diff(|number, _| new_design(number, &other(number)), &[]);
        assert_eq!(changes.count(PageChange::Both), 6, "{changes:#?}");
        // What each page says is no change of the template.
        let texts = changes.template_changes.iter().map(|change| &*change.text);
        assert!(
            texts
                .clone()
                .all(|text| !text.contains("owls") && !text.contains("boat")),
            "{changes:#?}"
        );
        let some = |number: usize| match number {
            1 | 2 => other(number),
            _ => WORDS[number].to_owned(),
        };
        let changes = diff(|number, _| new_design(number, &some(number)), &[]);
        assert_eq!(
            (
                changes.count(PageChange::Both),
                changes.count(PageChange::Template)
            ),
            (2, 4)
        );
        // One and the same page instead of each.
        let parked = "<title>For sale</title><h1>This domain is for sale</h1><p>Make an offer to buy it";
        let changes = diff(|_, _| parked.to_owned(), &[]);
        assert_eq!(changes.count(PageChange::Both), 6, "{changes:#?}");
    }
}
