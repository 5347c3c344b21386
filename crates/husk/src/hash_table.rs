//! A small table of numbers by hash, for counting and finding without sorting.

/// A number for each of some hashes, 0 for all others.
#[derive(Debug, Clone)]
pub(crate) struct HashTable {
    /// A power of two of them, at most half in use. Empty ones have the number 0.
    places: Vec<(u64, u32)>,
    used: usize,
}

/// Fewest places of a new table.
const FEWEST_PLACES: usize = 256;

impl HashTable {
    pub(crate) fn new() -> Self {
        Self::with_room(0)
    }

    /// A table that need not grow for this many hashes.
    pub(crate) fn with_room(hashes: usize) -> Self {
        let places = (2 * hashes).next_power_of_two().max(FEWEST_PLACES);
        Self {
            places: vec![(0, 0); places],
            used: 0,
        }
    }

    /// The number of a hash.
    pub(crate) fn get(&self, hash: u64) -> u32 {
        self.places[self.place_of(hash)].1
    }

    /// Changes the number of a hash to what `next` makes of it, which must not be 0.
    pub(crate) fn set(&mut self, hash: u64, next: impl FnOnce(u32) -> u32) {
        let place = self.place_of(hash);
        let old = self.places[place].1;
        self.places[place] = (hash, next(old));
        if old == 0 {
            self.used += 1;
            if 2 * self.used > self.places.len() {
                self.grow();
            }
        }
    }

    /// How many hashes have a number.
    pub(crate) fn len(&self) -> usize {
        self.used
    }

    /// The hashes with a number, in no order that matters.
    pub(crate) fn hashes(&self) -> impl Iterator<Item = u64> + '_ {
        let used = self.places.iter().filter(|(_, number)| *number != 0);
        used.map(|&(hash, _)| hash)
    }

    /// Where a hash is, or would be.
    fn place_of(&self, hash: u64) -> usize {
        let last = self.places.len() - 1;
        // The lower bits may be cut off or have another use.
        let mut place = (hash >> 32) as usize & last;
        while self.places[place].1 != 0 && self.places[place].0 != hash {
            place = (place + 1) & last;
        }
        place
    }

    fn grow(&mut self) {
        let more = vec![(0, 0); 2 * self.places.len()];
        for (hash, number) in std::mem::replace(&mut self.places, more) {
            if number != 0 {
                let place = self.place_of(hash);
                self.places[place] = (hash, number);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_hash_has_its_own_number() {
        let mut table = HashTable::new();
        // Some share their place, and the table grows.
        let hash = |number: u64| (number / 3) << 32 | number;
        for number in 0..2_000 {
            table.set(hash(number), |old| old + 1);
            table.set(hash(number), |old| old + number as u32 + 1);
        }
        assert_eq!(table.len(), 2_000);
        for number in 0..2_000 {
            assert_eq!(table.get(hash(number)), number as u32 + 2);
        }
        assert_eq!(table.get(hash(2_001)), 0);
        let mut hashes: Vec<u64> = table.hashes().collect();
        hashes.sort_unstable();
        assert!(hashes.into_iter().eq((0..2_000).map(hash)));
    }
}
