//! The search for a clique, one page at a time.
//!
//! Algorithm 1 of the paper looks at all subsets of the links processed so far. Only those with the newest link
//! can be new, and within these only the pages that link to it and back can take part: that is a search for the
//! largest clique among the neighbours of one page, done here by branch and bound.

/// Finds the largest set of pages that all link to each other, one page at a time.
///
/// Pages are numbers: the index of their link on the key page.
#[derive(Debug, Clone)]
pub struct CliqueSearch {
    wanted: usize,
    /// The pages so far, in order.
    known: Vec<Known>,
    /// For each candidate its index in `known`.
    place: Vec<Option<u32>>,
    /// Indices in `known` of the largest clique so far.
    best: Vec<usize>,
}

#[derive(Debug, Clone)]
struct Known {
    candidate: usize,
    /// The candidates it links to, sorted.
    links_to: Vec<u32>,
    /// Indices of the pages that link to it and that it links to.
    mutual: Set,
}

impl CliqueSearch {
    /// A search for `wanted` pages among so many candidates.
    pub fn new(candidates: usize, wanted: usize) -> Self {
        Self {
            wanted,
            known: Vec::new(),
            place: vec![None; candidates],
            best: Vec::new(),
        }
    }

    /// Adds a page and the candidates it links to. Returns whether the clique is complete.
    pub fn add(&mut self, page: usize, links_to: impl IntoIterator<Item = usize>) -> bool {
        let mut links_to: Vec<u32> = links_to.into_iter().map(|link| link as u32).collect();
        links_to.sort_unstable();
        let newest = self.known.len();
        let mut mutual = Set::default();
        for &link in &links_to {
            let Some(&Some(place)) = self.place.get(link as usize) else {
                continue;
            };
            let other = &mut self.known[place as usize];
            if other.links_to.binary_search(&(page as u32)).is_ok() {
                other.mutual.insert(newest);
                mutual.insert(place as usize);
            }
        }
        self.known.push(Known {
            candidate: page,
            links_to,
            mutual,
        });
        self.place[page] = Some(newest as u32);

        let clique = self.largest_with(newest);
        if clique.len() > self.best.len() {
            self.best = clique;
        }
        self.is_complete()
    }

    /// Whether the clique has the wanted size.
    pub fn is_complete(&self) -> bool {
        self.best.len() >= self.wanted
    }

    /// The largest clique so far, in the order of adding; the first found of equally large ones.
    pub fn best(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.best.iter().map(|&place| self.known[place].candidate)
    }

    /// The largest clique with the newest page, up to the wanted size; of equally large ones that with the earliest
    /// pages.
    fn largest_with(&self, newest: usize) -> Vec<usize> {
        let goal = self.wanted.saturating_sub(1);
        let mut branch = Branch {
            known: &self.known,
            goal,
            best: Vec::new(),
        };
        if goal > 0 {
            branch.explore(self.known[newest].mutual.clone());
        }
        let mut clique = branch.best;
        clique.push(newest);
        clique
    }
}

/// The search among the neighbours of one page.
struct Branch<'a> {
    known: &'a [Known],
    goal: usize,
    best: Vec<usize>,
}

impl Branch<'_> {
    /// Depth first, in the order of links, with an explicit stack: the depth is up to the size of the clique, which the
    /// user sets.
    fn explore(&mut self, candidates: Set) {
        let mut members: Vec<usize> = Vec::new();
        let mut levels = vec![candidates];
        while let Some(level) = levels.last_mut() {
            let room = self.goal.min(members.len() + self.colours(level));
            let next = if room > self.best.len() {
                level.first()
            } else {
                None
            };
            let Some(page) = next else {
                levels.pop();
                members.pop();
                continue;
            };
            level.remove(page);
            let below = level.intersection(&self.known[page].mutual);
            members.push(page);
            if members.len() > self.best.len() {
                self.best.clone_from(&members);
                if members.len() == self.goal {
                    return;
                }
            }
            levels.push(below);
        }
    }

    /// An upper bound of the clique size in the set: the colours of a greedy colouring.
    fn colours(&self, set: &Set) -> usize {
        let mut uncoloured = set.clone();
        let mut colours = 0;
        while uncoloured.first().is_some() {
            colours += 1;
            let mut free = uncoloured.clone();
            while let Some(page) = free.first() {
                uncoloured.remove(page);
                free.remove(page);
                free.subtract(&self.known[page].mutual);
            }
        }
        colours
    }
}

/// A set of small numbers.
#[derive(Debug, Clone, Default)]
struct Set(Vec<u64>);

impl Set {
    fn insert(&mut self, number: usize) {
        if self.0.len() <= number / 64 {
            self.0.resize(number / 64 + 1, 0);
        }
        self.0[number / 64] |= 1 << (number % 64);
    }

    fn remove(&mut self, number: usize) {
        self.0[number / 64] &= !(1 << (number % 64));
    }

    fn first(&self) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(word * 64 + self.0[word].trailing_zeros() as usize)
    }

    fn intersection(&self, other: &Self) -> Self {
        Self(
            self.0
                .iter()
                .zip(&other.0)
                .map(|(one, other)| one & other)
                .collect(),
        )
    }

    fn subtract(&mut self, other: &Self) {
        for (one, other) in self.0.iter_mut().zip(&other.0) {
            *one &= !other;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn finds_the_pages_behind_a_menu() {
        let mut search = CliqueSearch::new(6, 3);
        // 0, 2 and 4 link to each other; 1 and 3 are linked to but do not link back.
        assert!(!search.add(0, [1, 2, 4]));
        assert!(!search.add(1, [5]));
        assert!(!search.add(2, [0, 1, 4]));
        assert!(search.best().eq([0, 2]));
        assert!(!search.add(3, []));
        assert!(search.add(4, [0, 1, 2, 3]));
        assert!(search.best().eq([0, 2, 4]));
    }

    #[test]
    fn one_page_is_a_clique() {
        let mut search = CliqueSearch::new(2, 4);
        assert_eq!(search.best().len(), 0);
        assert!(!search.add(1, [0]));
        assert!(search.best().eq([1]));
        assert!(CliqueSearch::new(2, 1).add(0, []));
    }

    /// The definition, to the letter: all subsets with the newest link whose members all link to each other.
    fn by_definition(outgoing: &[Vec<usize>], processed: &[usize], newest: usize) -> usize {
        (0u32..1 << processed.len())
            .map(|bits| {
                (0..processed.len())
                    .filter(|i| bits & (1 << i) != 0)
                    .map(|i| processed[i])
                    .collect::<Vec<_>>()
            })
            .filter(|set| set.contains(&newest))
            .filter(|set| {
                set.iter()
                    .all(|a| set.iter().all(|b| a == b || outgoing[*a].contains(b)))
            })
            .map(|set| set.len())
            .max()
            .unwrap_or(0)
    }

    proptest! {
        #[test]
        fn agrees_with_the_definition(
            links in prop::collection::vec(prop::collection::vec(prop::bool::weighted(0.7), 9), 9),
            wanted in 1usize..7,
        ) {
            let outgoing: Vec<Vec<usize>> =
                links.iter().map(|row| (0..9).filter(|&to| row[to]).collect()).collect();
            let mut search = CliqueSearch::new(9, wanted);
            let mut processed = Vec::new();
            let mut best = 0;
            for page in 0..9 {
                processed.push(page);
                let complete = search.add(page, outgoing[page].iter().copied());
                best = best.max(by_definition(&outgoing, &processed, page));
                prop_assert_eq!(search.best().len(), best);
                for a in search.best() {
                    for b in search.best() {
                        prop_assert!(a == b || outgoing[a].contains(&b));
                    }
                }
                prop_assert_eq!(complete, best == wanted);
                if complete {
                    break;
                }
            }
        }
    }
}
