//! The language of pages and links, to keep translations apart: they share a layout, but not its texts.

use husk_dom::{Dom, NodeId, name};
use url::Url;

/// The language that a page declares in `<html lang>`, without region: `pt` of `pt-BR`.
pub(crate) fn of_page(dom: &Dom) -> Option<String> {
    primary(dom.attribute(dom.root(), &name!("lang"))?)
}

/// Whether two languages are known and differ.
pub(crate) fn differ(one: Option<&str>, other: Option<&str>) -> bool {
    one.zip(other).is_some_and(|(one, other)| one != other)
}

/// The language of a page, by what it declares and by its URL.
#[derive(Debug, Clone)]
pub(crate) struct PageLanguage {
    declared: Option<String>,
    in_url: Option<String>,
}

impl PageLanguage {
    pub(crate) fn of(url: &Url, dom: &Dom) -> Self {
        Self {
            declared: of_page(dom),
            in_url: of_url(url),
        }
    }

    /// Whether a link of a page in this language leads to another language.
    pub(crate) fn differs_from(&self, url: &Url, dom: &Dom, link: NodeId) -> bool {
        let hreflang = dom.attribute(link, &name!("hreflang")).and_then(primary);
        differ(self.declared.as_deref(), hreflang.as_deref()) || self.differs_from_url(url)
    }

    /// Whether a URL has a language in its path, and another one.
    pub(crate) fn differs_from_url(&self, url: &Url) -> bool {
        let other = of_url(url);
        other.is_some() && other != self.in_url && other != self.declared
    }
}

/// The language in a URL: one of the first two folders, such as `fr` or `pt-br`.
fn of_url(url: &Url) -> Option<String> {
    let folders = url.path().rsplit_once('/')?.0;
    folders.split('/').skip(1).take(2).find_map(|folder| {
        let (language, region) = folder.split_once(['-', '_']).unwrap_or((folder, ""));
        let is_tag = language.len() == 2 && matches!(region.len(), 0 | 2);
        is_tag.then(|| primary(language)).flatten()
    })
}

/// The first part of a BCP 47 tag, in small letters, if it is one.
fn primary(tag: &str) -> Option<String> {
    let first = tag.trim().split(['-', '_']).next()?;
    let is_language = matches!(first.len(), 2 | 3) && first.bytes().all(|byte| byte.is_ascii_alphabetic());
    is_language.then(|| first.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, expect: Option<&str>) {
        let url = Url::parse("https://example.org/").unwrap().join(path).unwrap();
        assert_eq!(of_url(&url).as_deref(), expect, "{path}");
    }

    #[test]
    fn the_language_of_a_url_is_one_of_its_first_folders() {
        check("/fr/a.html", Some("fr"));
        check("/docs/pt-BR/a/b.html", Some("pt"));
        check("/en", None);
        check("/a/b/fr/c", None);
        check("/docs/a.html", None);
        check("/a-b/c", None);
    }

    #[test]
    fn pages_of_other_languages_differ() {
        let differs = |one: &str, other: &str| {
            let language = |lang: &str| of_page(&Dom::parse(&format!("<html {lang}>")));
            differ(language(one).as_deref(), language(other).as_deref())
        };
        assert!(differs("lang=en-US", "lang=fr"));
        assert!(!differs("lang=en-US", "lang=EN_gb"));
        assert!(!differs("", "lang=fr"));
        assert!(!differs("lang='{{lang}}'", "lang=fr"));
    }

    #[test]
    fn links_to_other_languages_differ() {
        let base = Url::parse("https://example.org/fr/a/").unwrap();
        let dom = Dom::parse("<html lang=fr><a hreflang=de href=/x></a><a href=/x></a>");
        let language = PageLanguage::of(&base, &dom);
        let links: Vec<NodeId> = dom
            .nodes()
            .filter(|&node| dom.is_element(node, &name!("a")))
            .collect();
        let differs =
            |path: &str, link: usize| language.differs_from(&base.join(path).unwrap(), &dom, links[link]);
        assert!(differs("/x", 0) && !differs("/x", 1));
        assert!(differs("/de/a/", 1) && !differs("/fr/b/", 1));
    }
}
