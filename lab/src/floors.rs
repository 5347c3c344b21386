//! The scores that a method must reach: a [`Comparison`] and earlier scores in, regressions out.
//!
//! One file holds the floors of several corpora, each under the digest of its pages and labels.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::comparison::{Comparison, MethodResult};
use crate::corpus::{Sample, Split};
use crate::evaluation::Evaluation;
use crate::method::EvalMethod;
use crate::part::Part;

/// Written at the top of the file.
const HEAD: &str = "\
# The scores that each method must reach on a corpus: mean F1 over nodes, words and links, the F1 of its worst key page,
# and how many pages it may load on average. `methods` holds the scores of templates; the main menu and the three kinds of
# main content (from page and site, from the page alone, by learned templates) have tables of their own.
# Written by `husk-lab eval CORPUS [--what PART] --floors FILE --raise`: see docs/evaluation.md.
";

/// Sums may differ in their last bits between machines.
const TOLERANCE: f64 = 1e-9;

/// The floors of methods on corpora.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Floors {
    #[serde(default, rename = "corpus")]
    corpora: Vec<CorpusFloors>,
}

/// The floors of methods on one corpus.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct CorpusFloors {
    /// For readers, as are the two counts: a corpus is identified by its digest.
    name: String,
    split: Option<Split>,
    sites: usize,
    key_pages: usize,
    digest: String,
    /// Templates. Here and below by the name of the method.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    methods: BTreeMap<String, FloorScores>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    menu: BTreeMap<String, FloorScores>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    content: BTreeMap<String, FloorScores>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    content_alone: BTreeMap<String, FloorScores>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    content_stripped: BTreeMap<String, FloorScores>,
}

/// The scores that a method must reach.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct FloorScores {
    nodes_f1: f64,
    words_f1: f64,
    links_f1: f64,
    worst_f1: f64,
    max_loaded: f64,
}

/// How floors may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FloorChange {
    /// Raised to the scores reached. A score below its floor is an error.
    RaiseOnly,
    /// Set to the scores reached, higher or lower.
    RaiseOrLower,
}

/// Why results do not pass the floors.
#[derive(Debug)]
pub enum FloorsError {
    /// The file is not TOML, or not of the form expected.
    Toml(toml::de::Error),
    /// The file has no floors for this corpus; the names of those it has.
    UnknownCorpus(Box<Sample>, Vec<String>),
    /// The file has no floors of this part for these methods on this corpus.
    UnknownMethods(Part, Vec<EvalMethod>),
    /// FloorScores below their floors.
    Below(Vec<MissedLimit>),
}

/// A score that misses its limit.
#[derive(Debug, Clone, PartialEq)]
pub struct MissedLimit {
    /// The method.
    pub method: EvalMethod,
    /// The part that was scored.
    pub part: Part,
    /// The name of the score.
    pub figure: &'static str,
    /// The limit in the file.
    pub limit: f64,
    /// The score reached.
    pub result: f64,
    /// Whether the limit is a floor or a ceiling.
    pub kind: LimitKind,
}

/// Whether a limit is a minimum or a maximum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitKind {
    /// A minimum.
    Floor,
    /// A maximum.
    Ceiling,
}

impl Floors {
    /// Reads the text of a file.
    pub fn parse(text: &str) -> Result<Self, FloorsError> {
        toml::from_str(text).map_err(FloorsError::Toml)
    }

    /// The text of a file.
    pub fn to_toml(&self) -> String {
        let tables = toml::to_string(self).expect("names and numbers can be written as TOML");
        format!("{HEAD}\n{tables}")
    }

    /// Fails if there are no floors for these sites. Can be checked before the methods run.
    pub fn require(&self, sample: &Sample) -> Result<(), FloorsError> {
        self.of(sample).map(|_| ())
    }

    /// Fails if a method misses a floor or has none.
    pub fn check(&self, comparison: &Comparison) -> Result<(), FloorsError> {
        let part = comparison.part;
        let figures = self.of(&comparison.sample)?.of(part);
        let has_figures = |entry: &&MethodResult| figures.contains_key(entry.method.name());
        let (known, unknown): (Vec<_>, Vec<_>) = comparison.results.iter().partition(has_figures);
        let missed_limits: Vec<_> = known
            .iter()
            .flat_map(|entry| figures[entry.method.name()].missed_limits(part, entry))
            .collect();
        if !missed_limits.is_empty() {
            return Err(FloorsError::Below(missed_limits));
        }
        if !unknown.is_empty() {
            let methods = unknown.iter().map(|entry| entry.method);
            return Err(FloorsError::UnknownMethods(part, methods.collect()));
        }
        Ok(())
    }

    /// Moves the floors of the methods to the scores reached, and adds missing ones.
    ///
    /// Nothing is changed if an error is returned.
    pub fn raise(&mut self, comparison: &Comparison, allowed: FloorChange) -> Result<(), FloorsError> {
        if allowed == FloorChange::RaiseOnly
            && let Err(cause @ FloorsError::Below(_)) = self.check(comparison)
        {
            return Err(cause);
        }
        let figures = self.of_mut(&comparison.sample).of_mut(comparison.part);
        for entry in &comparison.results {
            let reached = FloorScores::of(&entry.evaluation);
            figures
                .entry(entry.method.name().to_owned())
                .and_modify(|figures| figures.move_to(&reached, allowed))
                .or_insert(reached);
        }
        Ok(())
    }

    /// The digests of corpora with the same name and other pages or labels.
    pub fn namesakes(&self, sample: &Sample) -> impl Iterator<Item = &str> {
        self.corpora
            .iter()
            .filter(|floors| {
                (&floors.name, floors.split) == (&sample.name, sample.split) && floors.digest != sample.digest
            })
            .map(|floors| &*floors.digest)
    }

    fn of(&self, sample: &Sample) -> Result<&CorpusFloors, FloorsError> {
        let is_meant = |floors: &&CorpusFloors| floors.digest == sample.digest;
        self.corpora.iter().find(is_meant).ok_or_else(|| {
            let names = self.corpora.iter().map(|floors| floors.name.clone());
            FloorsError::UnknownCorpus(Box::new(sample.clone()), names.collect())
        })
    }

    fn of_mut(&mut self, sample: &Sample) -> &mut CorpusFloors {
        let is_meant = |floors: &CorpusFloors| floors.digest == sample.digest;
        let place = self.corpora.iter().position(is_meant).unwrap_or_else(|| {
            self.corpora.push(CorpusFloors::none(sample));
            self.corpora.len() - 1
        });
        &mut self.corpora[place]
    }
}

impl CorpusFloors {
    fn none(sample: &Sample) -> Self {
        Self {
            name: sample.name.clone(),
            split: sample.split,
            sites: sample.sites.len(),
            key_pages: sample.key_pages(),
            digest: sample.digest.clone(),
            methods: BTreeMap::new(),
            menu: BTreeMap::new(),
            content: BTreeMap::new(),
            content_alone: BTreeMap::new(),
            content_stripped: BTreeMap::new(),
        }
    }

    fn of(&self, part: Part) -> &BTreeMap<String, FloorScores> {
        match part {
            Part::Template => &self.methods,
            Part::Menu => &self.menu,
            Part::Content => &self.content,
            Part::ContentAlone => &self.content_alone,
            Part::ContentStripped => &self.content_stripped,
        }
    }

    fn of_mut(&mut self, part: Part) -> &mut BTreeMap<String, FloorScores> {
        match part {
            Part::Template => &mut self.methods,
            Part::Menu => &mut self.menu,
            Part::Content => &mut self.content,
            Part::ContentAlone => &mut self.content_alone,
            Part::ContentStripped => &mut self.content_stripped,
        }
    }
}

impl FloorScores {
    /// The scores of a method, rounded in its favour: floors down, the ceiling up.
    fn of(evaluation: &Evaluation) -> Self {
        let exact = Self::exactly_of(evaluation);
        let down = |value: f64| (value * 1000.0 + TOLERANCE).floor() / 1000.0;
        Self {
            nodes_f1: down(exact.nodes_f1),
            words_f1: down(exact.words_f1),
            links_f1: down(exact.links_f1),
            worst_f1: down(exact.worst_f1),
            max_loaded: (exact.max_loaded * 100.0 - TOLERANCE).ceil() / 100.0,
        }
    }

    fn exactly_of(evaluation: &Evaluation) -> Self {
        let mean = evaluation.mean();
        Self {
            nodes_f1: mean.scores.nodes.f1,
            words_f1: mean.scores.words.f1,
            links_f1: mean.scores.links.f1,
            worst_f1: evaluation.worst().map_or(0.0, |row| row.scores.nodes.f1),
            max_loaded: mean.loaded,
        }
    }

    /// Each score with its name and whether it is a floor or a ceiling.
    fn named(&self) -> [(&'static str, f64, LimitKind); 5] {
        [
            ("mean F1 over nodes", self.nodes_f1, LimitKind::Floor),
            ("mean F1 over words", self.words_f1, LimitKind::Floor),
            ("mean F1 over links", self.links_f1, LimitKind::Floor),
            ("F1 of the worst key page", self.worst_f1, LimitKind::Floor),
            ("pages loaded on average", self.max_loaded, LimitKind::Ceiling),
        ]
    }

    fn missed_limits(&self, part: Part, entry: &MethodResult) -> Vec<MissedLimit> {
        let results = Self::exactly_of(&entry.evaluation).named();
        let pairs = self.named().into_iter().zip(results);
        pairs
            .filter(|((_, limit, kind), (_, result, _))| match kind {
                LimitKind::Floor => *result < limit - TOLERANCE,
                LimitKind::Ceiling => *result > limit + TOLERANCE,
            })
            .map(|((figure, limit, kind), (_, result, _))| MissedLimit {
                method: entry.method,
                part,
                figure,
                limit,
                result,
                kind,
            })
            .collect()
    }

    fn move_to(&mut self, reached: &Self, allowed: FloorChange) {
        *self = match allowed {
            FloorChange::RaiseOrLower => *reached,
            FloorChange::RaiseOnly => Self {
                nodes_f1: self.nodes_f1.max(reached.nodes_f1),
                words_f1: self.words_f1.max(reached.words_f1),
                links_f1: self.links_f1.max(reached.links_f1),
                worst_f1: self.worst_f1.max(reached.worst_f1),
                max_loaded: self.max_loaded.min(reached.max_loaded),
            },
        };
    }
}

/// The name of a method, with the part that was scored unless that is the template.
fn titled(part: Part, method: EvalMethod) -> String {
    match part {
        Part::Template => method.name().to_owned(),
        _ => format!("{} of {}", part.name(), method.name()),
    }
}

impl fmt::Display for MissedLimit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (place, limit) = match self.kind {
            LimitKind::Floor => ("below its floor", self.limit),
            LimitKind::Ceiling => ("above its ceiling", self.limit),
        };
        write!(
            out,
            "{}: {} is {:.4}, {place} of {limit}",
            titled(self.part, self.method),
            self.figure,
            self.result
        )
    }
}

impl fmt::Display for FloorsError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Toml(cause) => write!(out, "{cause}"),
            Self::UnknownCorpus(sample, names) => {
                write!(
                    out,
                    "no floors for {} with digest {}",
                    sample.title(),
                    sample.digest
                )?;
                match &names[..] {
                    [] => write!(out, ", nor for any other corpus"),
                    names => write!(out, ", only for other pages or labels: {}", names.join(", ")),
                }
            }
            Self::UnknownMethods(part, methods) => {
                let names: Vec<_> = methods.iter().map(|&method| titled(*part, method)).collect();
                write!(out, "no floors for {} on this corpus", names.join(", "))
            }
            Self::Below(missed_limits) => {
                let lines: Vec<_> = missed_limits.iter().map(ToString::to_string).collect();
                out.write_str(&lines.join("\n  "))
            }
        }
    }
}

// Messages include their causes.
impl std::error::Error for FloorsError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::tests::evaluation;

    fn sample(digest: &str) -> Sample {
        Sample {
            name: "sites".to_owned(),
            digest: digest.to_owned(),
            ..Sample::default()
        }
    }

    /// A method that found so many nodes of four on each key page.
    fn comparison(digest: &str, hits: &[usize]) -> Comparison {
        Comparison {
            sample: sample(digest),
            part: Part::Template,
            results: vec![MethodResult {
                method: EvalMethod::Paper,
                evaluation: evaluation(hits),
            }],
        }
    }

    fn floors(hits: &[usize]) -> Floors {
        let mut floors = Floors::default();
        floors
            .raise(&comparison("1", hits), FloorChange::RaiseOnly)
            .unwrap();
        floors
    }

    #[test]
    fn what_was_reached_is_rounded_to_the_safe_side() {
        let expect = "\
[[corpus]]
name = \"sites\"
sites = 0
key-pages = 0
digest = \"1\"

[corpus.methods.paper]
nodes-f1 = 0.583
words-f1 = 0.583
links-f1 = 0.583
worst-f1 = 0.25
max-loaded = 4.34
";
        let text = floors(&[4, 2, 1]).to_toml();
        assert_eq!(text.strip_prefix(HEAD).unwrap().trim_start(), expect);
        assert_eq!(Floors::parse(&text).unwrap(), floors(&[4, 2, 1]));
    }

    #[test]
    fn the_same_results_and_better_ones_pass() {
        let floors = floors(&[4, 2, 1]);
        floors.check(&comparison("1", &[4, 2, 1])).unwrap();
        let mut better = comparison("1", &[4, 3, 1]);
        better.results[0].evaluation.rows[0].loaded = Some(2);
        floors.check(&better).unwrap();
    }

    #[test]
    fn every_figure_that_became_worse_is_named() {
        let message = floors(&[4, 4])
            .check(&comparison("1", &[4, 3]))
            .unwrap_err()
            .to_string();
        let expect = "\
paper: mean F1 over nodes is 0.8750, below its floor of 1
  paper: mean F1 over words is 0.8750, below its floor of 1
  paper: mean F1 over links is 0.8750, below its floor of 1
  paper: F1 of the worst key page is 0.7500, below its floor of 1";
        assert_eq!(message, expect);
        let mut dear = comparison("1", &[4, 4]);
        dear.results[0].evaluation.rows[0].loaded = Some(9);
        let message = floors(&[4, 4]).check(&dear).unwrap_err().to_string();
        assert_eq!(
            message,
            "paper: pages loaded on average is 7.5000, above its ceiling of 6"
        );
    }

    #[test]
    fn another_corpus_is_told_from_a_known_one() {
        let floors = floors(&[4]);
        let cause = floors.check(&comparison("2", &[4])).unwrap_err();
        assert_eq!(
            cause.to_string(),
            "no floors for sites with digest 2, only for other pages or labels: sites"
        );
        assert!(floors.require(&sample("2")).is_err());
        assert!(floors.require(&sample("1")).is_ok());
        assert_eq!(floors.namesakes(&sample("2")).collect::<Vec<_>>(), ["1"]);
        let nothing = Floors::default().require(&sample("2")).unwrap_err();
        assert!(nothing.to_string().ends_with("nor for any other corpus"));
    }

    #[test]
    fn a_method_without_figures_does_not_pass() {
        let mut floors = floors(&[4]);
        floors.corpora[0].methods.clear();
        let cause = floors.check(&comparison("1", &[4])).unwrap_err();
        assert_eq!(cause.to_string(), "no floors for paper on this corpus");
        floors
            .raise(&comparison("1", &[4]), FloorChange::RaiseOnly)
            .unwrap();
        floors.check(&comparison("1", &[4])).unwrap();
    }

    #[test]
    fn raising_never_lowers_unless_told() {
        let mut raised = floors(&[2, 2]);
        raised
            .raise(&comparison("1", &[3, 3]), FloorChange::RaiseOnly)
            .unwrap_err();
        assert_eq!(raised, floors(&[2, 2]), "more pages loaded: nothing is changed");
        let mut better = comparison("1", &[3, 3]);
        for row in &mut better.results[0].evaluation.rows {
            row.loaded = Some(3);
        }
        raised.raise(&better, FloorChange::RaiseOnly).unwrap();
        assert_eq!(raised.corpora[0].methods["paper"].worst_f1, 0.75);
        assert_eq!(raised.corpora[0].methods["paper"].max_loaded, 3.0);
        assert!(
            raised
                .raise(&comparison("1", &[2, 2]), FloorChange::RaiseOnly)
                .is_err()
        );
        raised
            .raise(&comparison("1", &[2, 2]), FloorChange::RaiseOrLower)
            .unwrap();
        assert_eq!(raised, floors(&[2, 2]));
    }

    #[test]
    fn corpora_are_kept_side_by_side() {
        let mut both = floors(&[4]);
        both.raise(&comparison("2", &[1]), FloorChange::RaiseOnly)
            .unwrap();
        both.check(&comparison("1", &[4])).unwrap();
        both.check(&comparison("2", &[1])).unwrap();
        assert!(both.check(&comparison("1", &[1])).is_err());
    }

    #[test]
    fn parts_are_kept_apart() {
        let mut floors = floors(&[4]);
        let mut menu = comparison("1", &[2]);
        menu.part = Part::Menu;
        let cause = floors.check(&menu).unwrap_err();
        assert_eq!(cause.to_string(), "no floors for menu of paper on this corpus");
        floors.raise(&menu, FloorChange::RaiseOnly).unwrap();
        let text = floors.to_toml();
        assert!(
            text.contains("[corpus.methods.paper]") && text.contains("[corpus.menu.paper]"),
            "{text}"
        );
        assert!(!text.contains("corpus.content"), "{text}");
        let floors = Floors::parse(&text).unwrap();
        floors.check(&menu).unwrap();
        floors.check(&comparison("1", &[4])).unwrap();
        menu.results[0].evaluation = evaluation(&[1]);
        let cause = floors.check(&menu).unwrap_err().to_string();
        assert!(
            cause.starts_with("menu of paper: mean F1 over nodes is 0.2500, below"),
            "{cause}"
        );
    }

    #[test]
    fn unknown_keys_are_named() {
        let cause = Floors::parse("[[corpora]]\n").unwrap_err().to_string();
        assert!(cause.contains("unknown field `corpora`"), "{cause}");
    }
}
