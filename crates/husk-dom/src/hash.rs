//! Hashes of subtrees, made in one pass from the last node to the first when they are first asked for.

use web_atoms::{LocalName, local_name};
use xxhash_rust::xxh3::xxh3_64;

use crate::dom::{Dom, Hashes, NodeId, NodeKind};

impl Dom {
    /// The hash of the subtree's structure: kinds and names of its nodes, blank texts and comments aside.
    ///
    /// The same on every machine and in every run.
    pub fn structure_hash(&self, node: NodeId) -> u64 {
        self.hashes(node).structure
    }

    /// The hash of the subtree's structure with its texts and attributes, so with its links too. Blank texts and
    /// comments are left aside, and neither the order of attributes nor white space around a text matters.
    pub fn content_hash(&self, node: NodeId) -> u64 {
        self.hashes(node).content
    }

    fn hashes(&self, node: NodeId) -> Hashes {
        self.hashes.get_or_init(|| subtree_hashes(self))[node.index()]
    }
}

const TEXT: u64 = 0x9E37_79B9_7F4A_7C15;
const ATTRIBUTE: u64 = 0xC2B2_AE3D_27D4_EB4F;

/// Order matters: `mix(mix(a, b), c)` differs from `mix(mix(a, c), b)`.
fn mix(state: u64, value: u64) -> u64 {
    let product = u128::from(state ^ 0x2D35_8DCC_AA6C_78A5) * u128::from(value ^ 0x8BB8_4B93_962E_ACC9);
    (product as u64) ^ ((product >> 64) as u64)
}

/// Children come after their parent in document order: when a node's turn comes, going backwards, the hashes of
/// its children are already gathered in its own place.
fn subtree_hashes(dom: &Dom) -> Vec<Hashes> {
    let mut hashes = vec![Hashes::default(); dom.len()];
    let mut names = NameHashes::new();
    for node in dom.nodes().rev() {
        let below = hashes[node.index()];
        let own = match dom.kind(node) {
            NodeKind::Comment | NodeKind::Doctype => continue,
            NodeKind::Text => {
                let text = dom.text_of(node).trim_ascii();
                if text.is_empty() {
                    continue;
                }
                Hashes {
                    structure: TEXT,
                    content: mix(TEXT, xxh3_64(text.as_bytes())),
                }
            }
            NodeKind::Element | NodeKind::Document | NodeKind::Fragment => {
                let name = names.of(dom.name(node)) ^ dom.kind(node) as u64;
                // A sum, so that the order of attributes does not matter.
                let attributes = dom.attributes(node).fold(0u64, |sum, attribute| {
                    let name = mix(ATTRIBUTE, names.of(attribute.name));
                    sum.wrapping_add(mix(name, xxh3_64(attribute.value.as_bytes())))
                });
                Hashes {
                    structure: mix(name, below.structure),
                    content: mix(mix(name, attributes), below.content),
                }
            }
        };
        hashes[node.index()] = own;
        if let Some(parent) = dom.parent(node) {
            let above = &mut hashes[parent.index()];
            above.structure = mix(above.structure, own.structure);
            above.content = mix(above.content, own.content);
        }
    }
    hashes
}

/// The hashes of names met before. A page has few names and many nodes.
struct NameHashes {
    /// Where an interned name goes by its bits; the last one that came stays.
    known: [(LocalName, u64); 256],
}

impl NameHashes {
    fn new() -> Self {
        let empty = hash_of_letters("");
        Self {
            known: std::array::from_fn(|_| (local_name!(""), empty)),
        }
    }

    /// Of the letters, not of the interned form, which changes from run to run.
    fn of(&mut self, name: &LocalName) -> u64 {
        // A short name is interned as its letters, so any of its bits may be those that differ.
        let place = name.get_hash().wrapping_mul(TEXT) >> 56;
        let place = &mut self.known[place as usize];
        if place.0 != *name {
            *place = (name.clone(), hash_of_letters(name));
        }
        place.1
    }
}

fn hash_of_letters(name: &str) -> u64 {
    xxh3_64(name.as_bytes())
}

#[cfg(test)]
mod tests {
    use crate::Dom;

    fn body_hashes(html: &str) -> (u64, u64) {
        let dom = Dom::parse(html);
        let body = dom.part(&crate::name!("body")).unwrap();
        (dom.structure_hash(body), dom.content_hash(body))
    }

    fn check(one: &str, other: &str, same_structure: bool, same_content: bool) {
        let (one_structure, one_content) = body_hashes(one);
        let (other_structure, other_content) = body_hashes(other);
        assert_eq!(
            one_structure == other_structure,
            same_structure,
            "structure of {one} and {other}"
        );
        assert_eq!(
            one_content == other_content,
            same_content,
            "content of {one} and {other}"
        );
    }

    #[test]
    fn tell_structure_from_content() {
        check("<p>a</p><p>b</p>", "<p>a</p>\n <p>b</p><!-- c -->", true, true);
        check("<p>a b</p>", "<p> a b\n</p>", true, true);
        check("<p>a</p><p>b</p>", "<p>b</p><p>a</p>", true, false);
        check("<a href=x id=y>a</a>", "<a id=y href=x>a</a>", true, true);
        check("<a href=x>a</a>", "<a href=z>a</a>", true, false);
        check("<p>a</p><div>b</div>", "<div>a</div><p>b</p>", false, false);
        check("<p>a<b>c</b></p>", "<p>a</p><b>c</b>", false, false);
        check("<p></p>", "<p>x</p>", false, false);
        check("<p a=bc></p>", "<p ab=c></p>", true, false);
    }

    #[test]
    fn do_not_change_between_versions() {
        // Learned templates are stored with them.
        assert_eq!(
            body_hashes("<p class=x>hello <b>world"),
            (15273463105947075678, 4699864427883982074)
        );
    }
}
