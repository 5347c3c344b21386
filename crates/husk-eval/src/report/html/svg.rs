//! The little that the charts need of SVG: scales, a frame with axes, marks.

use std::fmt::Write;

use husk::output::Escaped;

/// From values to places in a picture.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    /// The values at both ends.
    pub(super) values: [f64; 2],
    /// The places at both ends.
    pub(super) places: [f64; 2],
}

impl Scale {
    /// The place of a value; what lies beyond an end stands at the end.
    pub(super) fn at(&self, value: f64) -> f64 {
        let ([low, high], [start, end]) = (self.values, self.places);
        let share = ((value - low) / (high - low)).clamp(0.0, 1.0);
        start + share * (end - start)
    }

    /// About four round values between the ends.
    pub(super) fn ticks(&self) -> Vec<f64> {
        let [low, high] = self.values;
        let step = round_step((high - low) / 4.0);
        // Counted in steps: sums of steps would not be round.
        let (first, last) = ((low / step).ceil() as i64, (high / step + 1e-9).floor() as i64);
        (first..=last).map(|count| count as f64 * step).collect()
    }
}

/// The next of 1, 2, 2.5 and 5 times a power of ten from a value on.
fn round_step(value: f64) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    let steps = [1.0, 2.0, 2.5, 5.0, 10.0];
    let fitting = steps
        .iter()
        .map(|step| step * power)
        .find(|&step| step >= value - 1e-12);
    fitting.unwrap_or(10.0 * power)
}

/// The end of a scale from zero that takes in a value: a round one.
pub(super) fn round_end(value: f64) -> f64 {
    let step = round_step(value.max(1.0) / 4.0);
    (value.max(1.0) / step).ceil() * step
}

/// How large a mark is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Size {
    /// One of many, small and pale.
    Dot,
    /// What all of them come to.
    Mark,
}

/// A picture: what it shows in words, and how large it is drawn.
pub(super) struct Picture {
    out: String,
}

impl Picture {
    /// Begins a picture. Its title is for those who cannot see it.
    pub(super) fn new(width: f64, height: f64, title: &str) -> Self {
        let mut picture = Self { out: String::new() };
        picture.add(format_args!(
            "<svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">",
            Escaped(title)
        ));
        picture
    }

    pub(super) fn add(&mut self, part: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.out.write_fmt(part);
    }

    /// A line of a class.
    pub(super) fn line(&mut self, class: &str, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) {
        self.add(format_args!(
            "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
        ));
    }

    /// A text; the class says where it is anchored too.
    pub(super) fn text(&mut self, class: &str, [x, y]: [f64; 2], text: &str) {
        self.add(format_args!(
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>",
            Escaped(text)
        ));
    }

    /// The mark of a method, with words that show when it is pointed at.
    pub(super) fn mark(&mut self, method: usize, size: Size, [x, y]: [f64; 2], words: &str) {
        let (class, scale) = match size {
            Size::Dot => ("dot", 0.65),
            Size::Mark => ("mark", 1.2),
        };
        self.add(format_args!(
            "<path class=\"{class} c{method} s{method}\" transform=\"translate({x:.1} {y:.1}) scale({scale})\" d=\"{}\">\
            <title>{}</title></path>",
            shape(method),
            Escaped(words)
        ));
    }

    /// Lines across the picture at the round values of `x`, their numbers below and a title below these.
    pub(super) fn x_axis(&mut self, x: &Scale, [top, bottom]: [f64; 2], title: &str) {
        for tick in x.ticks() {
            let place = x.at(tick);
            self.line("grid", [place, top], [place, bottom]);
            self.text("tick mid", [place, bottom + 16.0], &number(tick));
        }
        let middle = (x.places[0] + x.places[1]) / 2.0;
        self.text("axis mid", [middle, bottom + 34.0], title);
    }

    /// Lines along the picture at the round values of `y`, their numbers on the left and a title above these.
    pub(super) fn y_axis(&mut self, y: &Scale, [left, right]: [f64; 2], title: &str) {
        for tick in y.ticks() {
            let place = y.at(tick);
            self.line("grid", [left, place], [right, place]);
            self.text("tick end", [left - 6.0, place + 4.0], &number(tick));
        }
        self.text("axis", [2.0, y.places[1] - 12.0], title);
    }

    /// The end of the picture, and all of it.
    pub(super) fn finish(mut self) -> String {
        self.out.push_str("</svg>");
        self.out
    }
}

/// A number without zeros at its end.
fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// How many methods have shapes and colours of their own; further ones begin anew.
pub(super) const LOOKS: usize = 8;

/// The outline of a method's mark around the origin. Shapes differ as colours do, for those who cannot tell colours.
pub(super) fn shape(method: usize) -> &'static str {
    const SHAPES: [&str; LOOKS] = [
        "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z",
        "M-4.4-4.4h8.8v8.8h-8.8z",
        "M0-5.8L5.6 4.2H-5.6z",
        "M0-6.2L6.2 0L0 6.2L-6.2 0z",
        "M-1.9-5.6h3.8v3.7h3.7v3.8h-3.7v3.7h-3.8v-3.7h-3.7v-3.8h3.7z",
        "M0 5.8L5.6-4.2H-5.6z",
        "M0-6.2L1.8-2H6L2.6 1L3.8 5.4L0 2.9L-3.8 5.4L-2.6 1L-6-2H-1.8z",
        "M-6-2.6h12v5.2h-12z",
    ];
    SHAPES[method % LOOKS]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_places_within_the_ends() {
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
    fn round_values_are_not_below() {
        assert_eq!(
            [0.2, 3.0, 18.0, 26.0, 99.0].map(round_end),
            [1.0, 3.0, 20.0, 30.0, 100.0]
        );
    }
}
