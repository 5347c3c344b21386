//! A small cache for what is computed from names and URLs.

/// Values by the hash of their key. A site has few names and many elements, so the last ones are kept.
#[derive(Debug)]
pub(crate) struct Known<T> {
    places: Vec<(u64, T)>,
}

/// Number of slots.
const KEPT: usize = 2048;

impl<T: Copy + Default> Known<T> {
    pub(crate) fn new() -> Self {
        Self {
            places: vec![(0, T::default()); KEPT],
        }
    }

    /// The value for a hash; computed if it is not cached.
    pub(crate) fn get(&mut self, hash: u64, find_out: impl FnOnce() -> T) -> T {
        // No key has the hash of an empty slot.
        let hash = hash | 1;
        let place = &mut self.places[(hash >> 1) as usize % KEPT];
        if place.0 != hash {
            *place = (hash, find_out());
        }
        place.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_not_found_out_again() {
        let mut known = Known::new();
        assert_eq!(known.get(6, || 1), 1);
        assert_eq!(known.get(6, || 2), 1);
    }

    #[test]
    fn places_are_taken_by_what_is_met_last() {
        let mut known = Known::new();
        let same_place = 6 + 2 * KEPT as u64;
        assert_eq!(known.get(6, || 1), 1);
        assert_eq!(known.get(same_place, || 2), 2);
        assert_eq!(known.get(6, || 3), 3);
        assert_eq!(known.get(0, || 4), 4, "as the hash of an empty place");
    }
}
