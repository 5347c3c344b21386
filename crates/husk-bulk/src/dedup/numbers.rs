//! Numbers of seven bits a byte, and texts with their length before them.

use super::fault::{Broken, broken};

/// Writes a number; small ones take one byte.
pub(super) fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Writes bytes behind their length.
pub(super) fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// A number that may be negative, so that those near 0 stay small.
pub(super) fn folded(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)) as u64
}

pub(super) fn unfolded(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

/// Reads what was written, and no further.
#[derive(Debug, Clone, Copy)]
pub(super) struct Taker<'a> {
    rest: &'a [u8],
}

impl<'a> Taker<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub(super) fn number(&mut self) -> Result<u64, Broken> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.rest.split_first().ok_or(broken("a number is cut off"))?;
            self.rest = rest;
            number |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(broken("a number does not end"))
    }

    /// A number that counts something in memory.
    pub(super) fn count(&mut self) -> Result<usize, Broken> {
        usize::try_from(self.number()?).map_err(|_| broken("a number is too large"))
    }

    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], Broken> {
        let (taken, rest) = self
            .rest
            .split_at_checked(count)
            .ok_or(broken("something is cut off"))?;
        self.rest = rest;
        Ok(taken)
    }

    /// As many bytes as a number says.
    pub(super) fn bytes_of(&mut self, count: u64) -> Result<&'a [u8], Broken> {
        self.take(usize::try_from(count).map_err(|_| broken("a number is too large"))?)
    }

    /// All that is left.
    pub(super) fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.rest)
    }

    pub(super) fn bytes(&mut self) -> Result<&'a [u8], Broken> {
        let count = self.count()?;
        self.take(count)
    }

    pub(super) fn text(&mut self) -> Result<String, Broken> {
        let bytes = self.bytes()?;
        let text = std::str::from_utf8(bytes).map_err(|_| broken("a text is not UTF-8"))?;
        Ok(text.to_owned())
    }

    /// A number of eight bytes, the lowest first.
    pub(super) fn fixed(&mut self) -> Result<u64, Broken> {
        let mut number = [0; 8];
        number.copy_from_slice(self.take(8)?);
        Ok(u64::from_le_bytes(number))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_come_back(number: u64, signed: i64, text: String) {
            let mut out = Vec::new();
            put(&mut out, number);
            put(&mut out, folded(signed));
            put_bytes(&mut out, text.as_bytes());
            let mut taker = Taker::new(&out);
            prop_assert_eq!(taker.number().unwrap(), number);
            prop_assert_eq!(unfolded(taker.number().unwrap()), signed);
            prop_assert_eq!(taker.text().unwrap(), text);
            prop_assert!(taker.is_empty());
        }

        #[test]
        fn any_bytes_are_read_without_harm(bytes: Vec<u8>) {
            let mut taker = Taker::new(&bytes);
            while !taker.is_empty() && taker.number().is_ok() && taker.bytes().is_ok() {}
        }
    }
}
