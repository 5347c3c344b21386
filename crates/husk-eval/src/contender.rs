//! The methods that can be measured: the engine's own and its rivals.

use husk::Method;
use serde::{Deserialize, Serialize};

use crate::rivals::{BlockCount, Hybex, Rival, RtdmTd, Sst};

/// A method to find the template of a page: one of the engine's, or a rival's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Contender {
    /// The default, see [`Method::Husk`].
    Husk,
    /// The paper's, see [`Method::Paper`].
    Paper,
    /// The later settings of the paper's authors: three pages, two votes.
    Hybex,
    /// Restricted top-down mapping over a random sample of the site, by Reis, Vieira and others.
    RtdmTd,
    /// The Site Style Tree of Yi, Liu and Li.
    Sst,
    /// Blocks that recur across the site, counted by their hashes, after Gibson, Punera and Tomkins.
    BlockCount,
}

impl Contender {
    /// All of them, the engine's own first.
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

    /// The engine's method, if it is one.
    pub fn method(self) -> Option<Method> {
        match self {
            Self::Husk => Some(Method::Husk),
            Self::Paper => Some(Method::Paper),
            Self::Hybex | Self::RtdmTd | Self::Sst | Self::BlockCount => None,
        }
    }

    /// The rival, if it is one.
    pub fn rival(self) -> Option<&'static dyn Rival> {
        match self {
            Self::Husk | Self::Paper => None,
            Self::Hybex => Some(&Hybex),
            Self::RtdmTd => Some(&RtdmTd),
            Self::Sst => Some(&Sst),
            Self::BlockCount => Some(&BlockCount),
        }
    }
}

impl From<Method> for Contender {
    fn from(method: Method) -> Self {
        match method {
            Method::Husk => Self::Husk,
            Method::Paper => Self::Paper,
        }
    }
}
