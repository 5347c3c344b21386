//! How important the elements of a style tree are: from 0, the same on all pages, to 1, on each page another.

use super::style_tree::{Element, StyleTree};

/// The weight of an element's own styles against its descendants': the paper's gamma.
const ATTENUATION: f64 = 0.9;

/// For each element, the greatest importance among itself and its descendants.
pub(super) fn greatest_importance(tree: &StyleTree) -> Vec<f64> {
    let elements = tree.elements();
    let mut own = vec![0.0; elements.len()];
    let mut greatest = vec![0.0; elements.len()];
    // Backwards, so that descendants come first.
    for (place, element) in elements.iter().enumerate().rev() {
        own[place] = match element.styles.is_empty() {
            true => of_leaf(element),
            false => of_inner(element, &own),
        };
        let below = element.styles.iter().flat_map(|style| &style.elements);
        greatest[place] = below
            .map(|below| greatest[below.index()])
            .fold(own[place], f64::max);
    }
    greatest
}

/// The more evenly its features are spread over the pages, the less important a leaf is. What says nothing, as a
/// `<br>`, says the same everywhere.
fn of_leaf(leaf: &Element) -> f64 {
    if leaf.pages <= 1 {
        return 1.0;
    }
    let mut features = leaf.features.clone();
    features.sort_unstable();
    let spreads: Vec<f64> = features
        .chunk_by(|(one, _), (other, _)| one == other)
        .map(|feature| {
            let by_page = feature.chunk_by(|(_, one), (_, other)| one == other);
            entropy(by_page.map(<[_]>::len), feature.len(), leaf.pages)
        })
        .collect();
    if spreads.is_empty() {
        return 0.0;
    }
    1.0 - spreads.iter().sum::<f64>() / spreads.len() as f64
}

/// The more styles an element has, the more they count, and the less what is below.
fn of_inner(element: &Element, importance: &[f64]) -> f64 {
    let pages = f64::from(element.pages);
    let of_styles = if element.pages <= 1 {
        1.0
    } else {
        let counts = element.styles.iter().map(|style| style.pages as usize);
        entropy(counts, element.pages as usize, element.pages)
    };
    let below: f64 = element
        .styles
        .iter()
        .map(|style| {
            let sum: f64 = style.elements.iter().map(|below| importance[below.index()]).sum();
            f64::from(style.pages) / pages * sum / style.elements.len() as f64
        })
        .sum();
    let attenuation = ATTENUATION.powf(element.styles.len() as f64);
    (1.0 - attenuation) * of_styles + attenuation * below
}

/// The entropy of parts of a whole, so that it is 1 for as many equal parts as there are pages.
fn entropy(parts: impl Iterator<Item = usize>, whole: usize, pages: u32) -> f64 {
    let shares = parts.map(|part| part as f64 / whole as f64);
    let entropy: f64 = shares.map(|share| -share * share.ln()).sum();
    entropy / f64::from(pages).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baselines::test_source::url;
    use husk::Page;

    /// The greatest importance of the first child of the body.
    fn check(pages: &[&str], expect: f64) {
        let mut tree = StyleTree::default();
        for html in pages {
            tree.add(&Page::parse(url("/"), html));
        }
        let found = greatest_importance(&tree)[1];
        assert!((found - expect).abs() < 1e-9, "{found} is not {expect}");
    }

    #[test]
    fn words_on_all_pages_are_not_important() {
        check(&["the end", "the end"], 0.0);
        check(&["the end", "THE  END"], 0.0);
        check(&["the end", "a start"], 1.0);
        // One word on both pages, two on one each.
        check(&["the end", "the start"], 2.0 / 3.0);
        check(&["alone"], 1.0);
        check(&["<br>", "<br>"], 0.0);
        check(&["<img src=a>", "<img src=b>"], 1.0);
    }

    #[test]
    fn styles_and_what_is_below_them_count() {
        check(&["<p><i></i></p>", "<p><i></i></p>"], 0.0);
        // Two styles of equal share, each with a leaf that one page has: 0.19 * 1 + 0.81 * 1.
        check(&["<p><i></i></p>", "<p><b></b></p>"], 1.0);
    }
}
