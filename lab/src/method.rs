//! The methods that can be measured: the engine's own and the baselines.

use clap::ValueEnum;
use husk::Method;
use serde::{Deserialize, Serialize};

use crate::baselines::{Baseline, BlockCount, Hybex, RtdmTd, Sst};

/// A method that finds the template of a page: one of the engine's, or a baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum EvalMethod {
    /// The default, see [`Method::Husk`]
    #[value(help = "The default: similar pages first, until they agree; nodes scored by votes")]
    Husk,
    /// The published method, see [`Method::Paper`]
    #[value(
        help = "The published method: links in document order, a clique of pages, the intersection of their mappings"
    )]
    Paper,
    /// Baseline: later settings of the paper's authors, three pages and two votes
    Hybex,
    /// Baseline: restricted top-down mapping over a random sample of the site, by Reis, Vieira and others
    RtdmTd,
    /// Baseline: the Site Style Tree of Yi, Liu and Li
    Sst,
    /// Baseline: blocks that recur across the site, counted by their hashes, after Gibson, Punera and Tomkins
    BlockCount,
}

impl EvalMethod {
    /// All methods, the engine's own first.
    pub const ALL: [Self; 6] = [
        Self::Husk,
        Self::Paper,
        Self::Hybex,
        Self::RtdmTd,
        Self::Sst,
        Self::BlockCount,
    ];

    /// The name it has on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Husk => Method::Husk.name(),
            Self::Paper => Method::Paper.name(),
            Self::Hybex => "hybex",
            Self::RtdmTd => "rtdm-td",
            Self::Sst => "sst",
            Self::BlockCount => "block-count",
        }
    }

    /// The engine's method; none for a baseline.
    pub fn engine_method(self) -> Option<Method> {
        match self {
            Self::Husk => Some(Method::Husk),
            Self::Paper => Some(Method::Paper),
            Self::Hybex | Self::RtdmTd | Self::Sst | Self::BlockCount => None,
        }
    }

    /// The baseline; none for the engine's methods.
    pub fn baseline(self) -> Option<&'static dyn Baseline> {
        match self {
            Self::Husk | Self::Paper => None,
            Self::Hybex => Some(&Hybex),
            Self::RtdmTd => Some(&RtdmTd),
            Self::Sst => Some(&Sst),
            Self::BlockCount => Some(&BlockCount),
        }
    }
}
