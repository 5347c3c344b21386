//! Maps values to coordinates.

/// Maps values to coordinates.
#[derive(Debug, Clone, Copy)]
pub struct Scale {
    /// The values at both ends.
    pub values: [f64; 2],
    /// The coordinates at both ends.
    pub places: [f64; 2],
}

impl Scale {
    /// The coordinate of a value, clamped to the ends.
    pub fn at(&self, value: f64) -> f64 {
        let ([low, high], [start, end]) = (self.values, self.places);
        let share = ((value - low) / (high - low)).clamp(0.0, 1.0);
        start + share * (end - start)
    }

    /// About four round values between the ends.
    pub fn ticks(&self) -> Vec<f64> {
        let [low, high] = self.values;
        let step = round_step((high - low) / 4.0);
        // Multiplied, since sums of steps accumulate errors.
        let (first, last) = ((low / step).ceil() as i64, (high / step + 1e-9).floor() as i64);
        (first..=last).map(|count| count as f64 * step).collect()
    }
}

/// The smallest of 1, 2, 2.5 and 5 times a power of ten that is at least the value.
fn round_step(value: f64) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    let steps = [1.0, 2.0, 2.5, 5.0, 10.0];
    let fitting = steps
        .iter()
        .map(|step| step * power)
        .find(|&step| step >= value - 1e-12);
    fitting.unwrap_or(10.0 * power)
}

/// A round end for a scale from 0 that includes the value.
pub fn round_end(value: f64) -> f64 {
    let step = round_step(value.max(1.0) / 4.0);
    (value.max(1.0) / step).ceil() * step
}

/// A number without trailing zeros.
pub(crate) fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_clamped() {
        let scale = Scale {
            values: [0.5, 1.0],
            places: [100.0, 0.0],
        };
        assert_eq!([0.75, 1.0, 0.2].map(|value| scale.at(value)), [50.0, 0.0, 100.0]);
    }

    #[track_caller]
    fn check_ticks(values: [f64; 2], expect: &[&str]) {
        let scale = Scale {
            values,
            places: [0.0, 1.0],
        };
        let ticks: Vec<_> = scale.ticks().into_iter().map(number).collect();
        assert_eq!(ticks, expect);
    }

    #[test]
    fn ticks_are_round() {
        check_ticks([0.0, 1.0], &["0", "0.25", "0.5", "0.75", "1"]);
        check_ticks([0.7, 1.0], &["0.7", "0.8", "0.9", "1"]);
        check_ticks([0.0, 20.0], &["0", "5", "10", "15", "20"]);
        check_ticks([0.0, 500.0], &["0", "200", "400"]);
    }

    #[test]
    fn round_ends_include_the_value() {
        assert_eq!(
            [0.2, 3.0, 18.0, 26.0, 99.0].map(round_end),
            [1.0, 3.0, 20.0, 30.0, 100.0]
        );
    }
}
