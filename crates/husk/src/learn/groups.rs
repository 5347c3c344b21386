//! Clusters pages into layouts: similarities of pages in, groups out.

/// Pages of one layout, by their numbers, and the one that stands for them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    /// The page that is most similar to the others.
    pub(super) model: usize,
    /// All pages of the group, in order.
    pub(super) pages: Vec<usize>,
}

/// Average-linkage clustering: joins the two most similar groups until none is similar enough. Ties go to the first.
pub(super) fn groups(count: usize, alike: f32, likeness: impl Fn(usize, usize) -> f32) -> Vec<Group> {
    let mut groups: Vec<Vec<usize>> = (0..count).map(|page| vec![page]).collect();
    // Sums of similarities between groups; those of joined groups are added up.
    let mut sums: Vec<Vec<f32>> = (0..count)
        .map(|one| (0..count).map(|other| likeness(one, other)).collect())
        .collect();
    while let Some((one, other)) = most_alike(&groups, &sums, alike) {
        let joined = std::mem::take(&mut groups[other]);
        groups[one].extend(joined);
        groups[one].sort_unstable();
        let taken = std::mem::take(&mut sums[other]);
        for (third, sum) in taken.into_iter().enumerate() {
            sums[one][third] += sum;
            if third != other && !sums[third].is_empty() {
                sums[third][one] += sums[third][other];
            }
        }
    }
    let groups = groups.into_iter().filter(|group| !group.is_empty());
    let mut groups: Vec<Group> = groups
        .map(|pages| Group {
            model: model(&pages, &likeness),
            pages,
        })
        .collect();
    groups.sort_by_key(|group| group.pages[0]);
    groups
}

fn most_alike(groups: &[Vec<usize>], sums: &[Vec<f32>], alike: f32) -> Option<(usize, usize)> {
    let mut best: Option<(f32, usize, usize)> = None;
    for one in 0..groups.len() {
        for other in one + 1..groups.len() {
            if groups[one].is_empty() || groups[other].is_empty() {
                continue;
            }
            let pairs = groups[one].len() * groups[other].len();
            let mean = sums[one][other] / pairs as f32;
            if mean >= alike && best.is_none_or(|(most, ..)| mean > most) {
                best = Some((mean, one, other));
            }
        }
    }
    best.map(|(_, one, other)| (one, other))
}

/// The page that is most similar to the others of its group.
fn model(pages: &[usize], likeness: &impl Fn(usize, usize) -> f32) -> usize {
    let sum = |page: usize| -> f32 { pages.iter().map(|&other| likeness(page, other)).sum() };
    let mut best = (f32::NEG_INFINITY, pages[0]);
    for &page in pages {
        let sum = sum(page);
        if sum > best.0 {
            best = (sum, page);
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_that_are_alike_come_together() {
        // By the distance of their numbers on a line.
        let places: [f32; 6] = [0.0, 5.0, 0.1, 0.3, 5.2, 9.0];
        let likeness = |one: usize, other: usize| 1.0 - (places[one] - places[other]).abs();
        let groups = groups(6, 0.5, likeness);
        let pages: Vec<_> = groups.iter().map(|group| group.pages.clone()).collect();
        assert_eq!(pages, [vec![0, 2, 3], vec![1, 4], vec![5]]);
        assert_eq!(groups[0].model, 2, "the one in the middle");
    }

    #[test]
    fn nothing_comes_of_nothing() {
        assert!(groups(0, 0.5, |_, _| 1.0).is_empty());
        assert_eq!(groups(1, 0.5, |_, _| 1.0).len(), 1);
    }
}
