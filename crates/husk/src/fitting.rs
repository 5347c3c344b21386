//! What `husk-lab fit` needs to fit the model of blocks. No part of the public interface.

use husk_dom::{NodeId, NodeKind, name};

use crate::blocks::{Description, NearDuplicates, ShortTextIndex, Siblings};
use crate::content;
use crate::hints::NameReader;
use crate::page::Page;
use crate::template::Template;

/// A block of a page as the model sees it.
#[derive(Debug, Clone)]
pub struct DescribedBlock {
    /// Its texts.
    pub texts: Vec<NodeId>,
    /// The number of its words.
    pub words: u32,
    /// The values of [`feature_names`].
    pub features: Vec<f32>,
}

/// The names of the features.
pub fn feature_names() -> Vec<String> {
    let dom = husk_dom::Dom::parse("<p>One");
    let mut names = Vec::new();
    if let Some(body) = dom.part(&name!("body")) {
        let page = Description::of(&dom, body, None, &mut NameReader::new());
        page.describer().describe(0, &mut |group, name, _| {
            names.push(format!("{group} {name}").trim().to_owned());
        });
    }
    names
}

/// The blocks of a page, without its template if that is known from some pages.
pub fn describe(page: &Page, siblings: Option<(&Template, &[Page])>) -> Vec<DescribedBlock> {
    let dom = &page.dom;
    let Some(body) = dom.part(&name!("body")) else {
        return Vec::new();
    };
    let index = ShortTextIndex::of(siblings.map_or(&[][..], |(_, pages)| pages));
    let near_duplicates = siblings.map(|(template, _)| NearDuplicates::of(page, template, &index));
    let siblings = siblings
        .zip(near_duplicates.as_ref())
        .map(|((template, _), near_duplicates)| Siblings {
            template,
            near_duplicates,
        });
    let described = Description::of(dom, body, siblings, &mut NameReader::new());
    let is_own = |node: &NodeId| siblings.is_none_or(|siblings| !siblings.template.contains(*node));
    let mut describer = described.describer();
    let block = |number: usize| {
        let block = &described.blocks.list[number];
        let mut features = Vec::new();
        describer.describe(number, &mut |_, _, value| features.push(value));
        DescribedBlock {
            texts: (block.first.index()..=block.last.index())
                .map(NodeId::from_index)
                .filter(|&node| dom.kind(node) == NodeKind::Text && !dom.is_blank_text(node))
                .filter(is_own)
                .collect(),
            words: block.counts.words,
            features,
        }
    };
    (0..described.blocks.list.len()).map(block).collect()
}

/// Which blocks are content, by their probabilities and words.
pub fn choose(probabilities: &[f64], words: &[u32], has_siblings: bool) -> Vec<bool> {
    content::choose(probabilities, words, has_siblings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_was_fitted_to_these_features() {
        assert_eq!(
            crate::blocks::MODEL_FEATURES,
            feature_names(),
            "fit the model again"
        );
    }
}
