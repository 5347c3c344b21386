//! Applies the votes on one page, the model, to another page of its layout that was compared with no page.

use husk_dom::{Dom, NodeId};
use serde::{Deserialize, Serialize};

use super::nature::{Kind, Unit, natures_by_kind, natures_like};
use super::{Said, Tally, Vote, Votes, cuts, read_the_same, slot_cost, vote};
use crate::mapping::{Alignment, NodeSet, Side};
use crate::thresholds::Thresholds;

/// The stored votes on one node: enough to continue counting.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Standing {
    pub(crate) kind: Kind,
    pub(crate) times: u32,
    pub(crate) tally: Tally,
}

impl Standing {
    /// A comment or blank text.
    pub(crate) const NOT_COMPARED: Self = Self {
        kind: Kind::NotCompared,
        times: 1,
        tally: Tally::NONE,
    };

    /// The same with valid numbers, whoever wrote the file.
    pub(crate) fn sound(self) -> Self {
        Self {
            times: self.times.max(1),
            ..self
        }
    }
}

/// How many of the pages that voted on the model have a node.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct NodeSupport {
    pub(crate) pages: u32,
    /// Those that have it with the same text or target.
    pub(crate) verbatim: u32,
}

impl Votes {
    /// The votes on each node, to be stored.
    pub(crate) fn standings(&self) -> impl Iterator<Item = Standing> + '_ {
        let nodes = self.natures.iter().zip(&self.tallies);
        nodes.map(|(nature, &tally)| Standing {
            kind: nature.kind,
            times: nature.times,
            tally,
        })
    }

    /// Restores stored votes.
    pub(crate) fn resume(dom: &Dom, standings: &[Standing], pages: u32, thresholds: &Thresholds) -> Self {
        let known = standings.iter().map(|standing| (standing.kind, standing.times));
        Self {
            natures: natures_by_kind(dom, known, thresholds).collect(),
            tallies: standings.iter().map(|standing| standing.tally).collect(),
            pages,
        }
    }

    /// The template of another page. These are the votes on `model`, and the alignment pairs its nodes with the
    /// page's.
    ///
    /// A node that agrees with the model has its votes; one that differs has all pages against it that have its
    /// counterpart.
    pub(crate) fn template_of(
        &self,
        page: Side<'_>,
        model: Side<'_>,
        alignment: &Alignment,
        thresholds: &Thresholds,
    ) -> (NodeSet, Vec<NodeSupport>) {
        // A node with the same text or target is of the same kind. Other elements may have had more in them when the
        // model was complete.
        let known = |node| {
            let mate = alignment.mate(node)?;
            let says = page.fingerprints.get(node).says;
            let kind = self.natures[mate.index()].kind;
            let is_same = says != 0 && says == model.fingerprints.get(mate).says;
            (is_same && matches!(kind, Kind::Text | Kind::Target | Kind::Neutral)).then_some(kind)
        };
        let natures = natures_like(page, known, thresholds);
        let weighed = self.pages_weighed();
        let scale = weighed / f64::from(self.pages.max(1));
        let mut is_muted = vec![false; page.dom.len()];
        let mut evidence = vec![0.0; page.dom.len()];
        let mut founds = vec![NodeSupport::default(); page.dom.len()];
        for (node, nature) in page.dom.nodes().zip(natures) {
            let index = node.index();
            if nature.kind == Kind::NotCompared {
                continue;
            }
            let parent = page.dom.parent(node);
            is_muted[index] = parent.is_some_and(|parent| is_muted[parent.index()]);
            let said = match alignment.mate(node) {
                None => self.missing(parent.and_then(|parent| alignment.mate(parent)), thresholds),
                Some(mate) => {
                    let vote = vote(page, model, node, mate, nature.kind);
                    is_muted[index] |= match nature.unit {
                        Unit::Link => vote == Vote::Differ,
                        Unit::Heading => !read_the_same(page, model, node, mate),
                        Unit::None => false,
                    };
                    let tally = &self.tallies[mate.index()];
                    let says_the_same = page.fingerprints.get(node).says == model.fingerprints.get(mate).says;
                    founds[index] = NodeSupport {
                        pages: tally.found,
                        verbatim: if says_the_same { tally.verbatim } else { 0 },
                    };
                    said_of(tally, vote, is_muted[index], thresholds)
                }
            };
            evidence[index] = said.times(scale).evidence(&nature, weighed, thresholds);
        }
        let nodes = cuts::best_template(
            page.dom,
            page.fingerprints,
            |node| evidence[node.index()],
            slot_cost(weighed, thresholds),
        );
        (nodes, founds)
    }

    /// The votes on a node that the model lacks; `parent` is the counterpart of its parent.
    fn missing(&self, parent: Option<NodeId>, thresholds: &Thresholds) -> Said {
        let have_parent = parent.map_or(0, |parent| self.tallies[parent.index()].found);
        let lack_parent = self.pages.saturating_sub(have_parent);
        Said {
            missing: f64::from(have_parent) + thresholds.missing_with_parent * f64::from(lack_parent),
            ..Said::default()
        }
    }
}

fn said_of(tally: &Tally, vote: Vote, is_muted: bool, thresholds: &Thresholds) -> Said {
    let said = Said::by(tally, thresholds);
    let found = f64::from(tally.found);
    match vote {
        Vote::Agree if !is_muted => said,
        Vote::Differ => Said {
            agree: 0.0,
            differ: found,
            ..said
        },
        _ => Said { agree: 0.0, ..said },
    }
}
