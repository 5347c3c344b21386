//! Draws axes, lines, text and marks.

use std::fmt::Write;

use husk::output::Escaped;

use crate::scale::{Scale, number};

/// Size of a mark.
#[derive(Debug, Clone, Copy)]
pub enum Size {
    /// Small and pale, for one of many.
    Dot,
    /// Large, for a summary.
    Mark,
}

/// An SVG picture.
#[derive(Debug)]
pub struct Picture {
    out: String,
}

impl Picture {
    /// Begins a picture. The title is its text alternative.
    pub fn new(width: f64, height: f64, title: &str) -> Self {
        let mut picture = Self { out: String::new() };
        picture.add(format_args!(
            "<svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">",
            Escaped(title)
        ));
        picture
    }

    /// Adds raw SVG. Text in it must be escaped.
    pub fn add(&mut self, part: std::fmt::Arguments<'_>) {
        // Writing to a string can't fail.
        let _ = self.out.write_fmt(part);
    }

    /// Draws a line.
    pub fn line(&mut self, class: &str, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) {
        self.add(format_args!(
            "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
        ));
    }

    /// Draws text. The class includes the anchor.
    pub fn text(&mut self, class: &str, [x, y]: [f64; 2], text: &str) {
        self.add(format_args!(
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>",
            Escaped(text)
        ));
    }

    /// Draws a mark with a tooltip. Its classes are `c` and `s` with the number of the look: `c` sets the colour, `s` is for
    /// showing and hiding.
    pub fn mark(&mut self, look: usize, size: Size, [x, y]: [f64; 2], tooltip: &str) {
        let (class, scale) = match size {
            Size::Dot => ("dot", 0.65),
            Size::Mark => ("mark", 1.2),
        };
        self.add(format_args!(
            "<path class=\"{class} c{look} s{look}\" transform=\"translate({x:.1} {y:.1}) scale({scale})\" d=\"{}\">\
            <title>{}</title></path>",
            shape(look),
            Escaped(tooltip)
        ));
    }

    /// Draws vertical grid lines at round values of `x`, with labels and a title below.
    pub fn x_axis(&mut self, x: &Scale, [top, bottom]: [f64; 2], title: &str) {
        let ticks = x.ticks().into_iter().map(|tick| (tick, number(tick)));
        self.x_axis_at(x, ticks, [top, bottom], title);
    }

    /// The same with given values and labels.
    pub fn x_axis_at(
        &mut self,
        x: &Scale,
        ticks: impl IntoIterator<Item = (f64, String)>,
        [top, bottom]: [f64; 2],
        title: &str,
    ) {
        for (tick, label) in ticks {
            let position = x.at(tick);
            self.line("grid", [position, top], [position, bottom]);
            self.text("tick mid", [position, bottom + 16.0], &label);
        }
        let middle = (x.places[0] + x.places[1]) / 2.0;
        self.text("axis mid", [middle, bottom + 34.0], title);
    }

    /// Draws horizontal grid lines at round values of `y`, with labels on the left and a title above.
    pub fn y_axis(&mut self, y: &Scale, [left, right]: [f64; 2], title: &str) {
        let ticks = y.ticks().into_iter().map(|tick| (tick, number(tick)));
        self.y_axis_at(y, ticks, [left, right], title);
    }

    /// The same with given values and labels.
    pub fn y_axis_at(
        &mut self,
        y: &Scale,
        ticks: impl IntoIterator<Item = (f64, String)>,
        [left, right]: [f64; 2],
        title: &str,
    ) {
        for (tick, label) in ticks {
            let position = y.at(tick);
            self.line("grid", [left, position], [right, position]);
            self.text("tick end", [left - 6.0, position + 4.0], &label);
        }
        self.text("axis", [2.0, y.places[1] - 12.0], title);
    }

    /// The finished SVG.
    pub fn finish(mut self) -> String {
        self.out.push_str("</svg>");
        self.out
    }
}

/// Number of looks (shape and colour). Further looks repeat them.
pub const LOOKS: usize = 8;

/// The outline of a mark around the origin. Shapes differ as well as colours, for colour-blind readers.
pub fn shape(look: usize) -> &'static str {
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
    SHAPES[look % LOOKS]
}
