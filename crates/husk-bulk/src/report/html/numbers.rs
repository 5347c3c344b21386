//! Formats numbers.

/// A whole number: 1,234,567.
pub(super) fn whole(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A count: 1 page, 2 pages.
pub(super) fn several(value: u64, one: &str, more: &str) -> String {
    format!("{} {}", whole(value), if value == 1 { one } else { more })
}

/// A number for an axis: 500, 2k, 1.5M.
pub(super) fn short(value: f64) -> String {
    let (value, unit) = match value {
        _ if value >= 1e9 => (value / 1e9, "G"),
        _ if value >= 1e6 => (value / 1e6, "M"),
        _ if value >= 1e3 => (value / 1e3, "k"),
        _ => (value, ""),
    };
    let text = format!("{value:.1}");
    format!("{}{unit}", text.strip_suffix(".0").unwrap_or(&text))
}

/// A size: 512 bytes, 3.4 MB.
pub(super) fn bytes(value: u64) -> String {
    const UNITS: [&str; 5] = ["kB", "MB", "GB", "TB", "PB"];
    if value < 1_000 {
        return several(value, "byte", "bytes");
    }
    let mut amount = value as f64 / 1e3;
    let mut unit = 0;
    // Not 1000 kB but 1.0 MB.
    while amount >= 999.5 && unit + 1 < UNITS.len() {
        amount /= 1e3;
        unit += 1;
    }
    let digits = if amount < 9.95 { 1 } else { 0 };
    format!("{amount:.digits$} {}", UNITS[unit])
}

/// A share in per cent, or a dash.
pub(super) fn per_cent(share: Option<f64>) -> String {
    share.map_or("–".to_owned(), |share| format!("{:.1} %", 100.0 * share))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        assert_eq!(
            [0, 12, 999, 1_000, 1_234_567].map(whole),
            ["0", "12", "999", "1,000", "1,234,567"]
        );
        assert_eq!(several(1, "page", "pages"), "1 page");
        assert_eq!(several(2_000, "page", "pages"), "2,000 pages");
    }

    #[test]
    fn large_numbers_are_short() {
        assert_eq!(
            [0.0, 5.0, 250.0, 1e3, 2.5e6, 3e9].map(short),
            ["0", "5", "250", "1k", "2.5M", "3G"]
        );
        let sizes = [1, 999, 1_000, 34_567, 999_499, 999_999, 1_234_567_890, u64::MAX].map(bytes);
        assert_eq!(
            sizes,
            [
                "1 byte",
                "999 bytes",
                "1.0 kB",
                "35 kB",
                "999 kB",
                "1.0 MB",
                "1.2 GB",
                "18447 PB"
            ]
        );
        assert_eq!(
            [Some(0.4567), Some(1.0), None].map(per_cent),
            ["45.7 %", "100.0 %", "–"]
        );
    }
}
