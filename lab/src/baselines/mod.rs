//! Published methods, implemented as their papers describe them, to compare with on the same pages.

mod loader;

mod support;

mod sample;

mod label;

mod hybex;

mod rtdm;

mod sst;

mod block_count;

#[cfg(test)]
mod test_source;

use husk::{Extraction, Page, SameSite};
use husk_sources::Source;

pub(crate) use block_count::BlockCount;
pub(crate) use hybex::Hybex;
pub(crate) use rtdm::RtdmTd;
pub(crate) use sst::Sst;

/// A method that selects and loads pages itself.
///
/// Pages that fail to load are recorded in the extraction. Runs are reproducible: random choices use a fixed seed.
pub trait Baseline {
    /// Finds the template of a key page.
    fn extract(&self, key_page: Page, source: &mut dyn Source, same_site: SameSite) -> Extraction;
}

#[cfg(test)]
mod tests {
    use super::test_source::TestSource;
    use crate::method::EvalMethod;

    fn baselines() -> impl Iterator<Item = (&'static str, &'static dyn super::Baseline)> {
        EvalMethod::ALL
            .into_iter()
            .filter_map(|method| Some((method.name(), method.baseline()?)))
    }

    const MENU: &str =
        "<ul><li><a href=/>Home</a><li><a href=/a>A</a><li><a href=/b>B</a><li><a href=/c>C</a></ul>";

    fn site(page: impl Fn(&str) -> String) -> TestSource {
        TestSource::new(["/", "/a", "/b", "/c"].map(|path| (path, page(path))))
    }

    #[test]
    fn have_the_names_of_their_methods() {
        for (name, baseline) in baselines() {
            assert_eq!(site(|_| MENU.to_owned()).extract(baseline, "/").method, name);
        }
    }

    #[test]
    fn do_the_same_every_time() {
        let page = |path: &str| format!("{MENU}<main><h1>{path}</h1><p>{}</p></main>", path.repeat(9));
        for (name, baseline) in baselines() {
            let run = || {
                let extraction = site(page).extract(baseline, "/");
                let nodes: Vec<_> = extraction.template.nodes().collect();
                (nodes, extraction.loaded, extraction.compared)
            };
            assert_eq!(run(), run(), "{name}");
        }
    }

    #[test]
    fn a_page_alone_is_compared_with_nothing() {
        for (name, baseline) in baselines() {
            let extraction = TestSource::new([("/", MENU.to_owned())]).extract(baseline, "/");
            assert!(extraction.compared.is_empty(), "{name}");
            assert_eq!(extraction.loaded.len(), 1, "{name}");
        }
    }

    #[test]
    fn pages_that_fail_to_load_are_recorded() {
        for (name, baseline) in baselines() {
            let mut site = TestSource::new([("/", MENU.to_owned()), ("/a", MENU.to_owned())]).without_list();
            let extraction = site.extract(baseline, "/");
            assert_eq!(
                (extraction.loaded.len(), extraction.failures.len()),
                (2, 2),
                "{name}"
            );
        }
    }

    #[test]
    fn hostile_pages_come_to_an_end() {
        let hostile = [
            String::new(),
            "<div>".repeat(50_000),
            "<li>x".repeat(20_000),
            "<frameset><frame>".to_owned(),
            "<b>".repeat(5_000) + &"</b><p>".repeat(5_000),
            format!("{}{}", "<template>".repeat(600), MENU),
        ];
        for (name, baseline) in baselines() {
            for (number, own) in hostile.iter().enumerate() {
                let mut site = site(|path| format!("{MENU}{own}{path}"));
                let compared = site.extract(baseline, "/").compared.len();
                assert_eq!(compared, 3, "{name} on {number}");
            }
        }
    }
}
