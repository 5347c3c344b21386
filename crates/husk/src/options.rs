//! Options of an extraction.

use serde::{Deserialize, Serialize};

use crate::links::SameSite;
use crate::mapping::{Equality, Label, LabelAttributes, Weighted};
use crate::thresholds::Thresholds;

/// Options of an extraction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Options {
    /// How templates are found.
    pub method: Method,
    /// How many pages to compare the key page with: for the method of the paper the size of the clique; for the
    /// default method one less if all agree, and some more if they do not.
    pub pages_to_compare: usize,
    /// Most pages to ask for, without the key page. By default as many as the default method finds useful, and all
    /// candidates for the method of the paper.
    pub max_pages: Option<usize>,
    /// When two pages belong to one site.
    pub same_site: SameSite,
    /// The numbers that the default method decides by.
    pub thresholds: Thresholds,
    /// When two nodes are equal, for the method of the paper.
    pub equality: EqualityPreset,
    /// Settings of the weighted equality.
    pub weighted: Weighted,
    /// Settings of the equality of labels and attributes.
    pub label_attributes: LabelAttributes,
}

/// "We have empirically approximated the optimal value for n, which is 4": the paper, section 4.1.
const PAGES_TO_COMPARE: usize = 4;

impl Default for Options {
    fn default() -> Self {
        Self {
            method: Method::default(),
            pages_to_compare: PAGES_TO_COMPARE,
            max_pages: None,
            same_site: SameSite::default(),
            thresholds: Thresholds::default(),
            equality: EqualityPreset::default(),
            weighted: Weighted::default(),
            label_attributes: LabelAttributes::default(),
        }
    }
}

impl Options {
    /// The equality that these options select.
    pub fn equality(&self) -> Box<dyn Equality> {
        match self.equality {
            EqualityPreset::Label => Box::new(Label),
            EqualityPreset::LabelAttributes => Box::new(self.label_attributes.clone()),
            EqualityPreset::Weighted => Box::new(self.weighted.clone()),
        }
    }
}

/// How templates are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Similar pages first, aligned in order, decided by votes and evidence instead of an intersection.
    #[default]
    Husk,
    /// The paper's: a clique of pages, links in document order, and the intersection of the mappings.
    Paper,
}

impl Method {
    /// The name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Husk => "husk",
            Self::Paper => "paper",
        }
    }
}

/// When two nodes are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EqualityPreset {
    /// The same kind and name.
    Label,
    /// The same kind, name and attributes.
    LabelAttributes,
    /// A weighted sum over class, number of children, position and attributes.
    #[default]
    Weighted,
}
