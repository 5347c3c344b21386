//! The charts: methods as marks, key pages and sites as dots.

use crate::comparison::Comparison;
use crate::evaluation::{Evaluation, Row};
use crate::metrics::mean;
use husk_plot::{Picture, Scale, Size, round_end};

const WIDTH: f64 = 460.0;

/// The horizontal range of a chart with numbers on its left.
const ACROSS: [f64; 2] = [42.0, WIDTH - 14.0];

/// The horizontal range of a chart with names of methods on its left.
const BESIDE_NAMES: [f64; 2] = [104.0, WIDTH - 14.0];

/// A chart with its title and how to read it.
pub(super) struct Chart {
    pub(super) title: &'static str,
    pub(super) note: &'static str,
    pub(super) svg: String,
}

impl Comparison {
    /// All charts: those of the same height side by side.
    pub(super) fn charts(&self) -> [Chart; 4] {
        [
            self.precision_and_recall(),
            self.loaded_and_f1(),
            self.f1_by_site(),
            self.times(),
        ]
    }

    /// The methods with their places, names and results.
    fn methods(&self) -> impl Iterator<Item = (usize, &'static str, &Evaluation)> {
        let results = self.results.iter().enumerate();
        results.map(|(place, entry)| (place, entry.method.name(), &entry.evaluation))
    }

    fn precision_and_recall(&self) -> Chart {
        const TITLE: &str = "Precision and recall";
        const DOWN: [f64; 2] = [358.0, 30.0];
        let low = self.lowest_share();
        // Room for the values of the dashed lines.
        let across = [ACROSS[0], ACROSS[1] - 28.0];
        let [x, y] = [across, DOWN].map(|places| Scale {
            values: [low, 1.0],
            places,
        });
        let mut picture = Picture::new(WIDTH, 400.0, TITLE);
        picture.x_axis(&x, [DOWN[1], DOWN[0]], "recall");
        picture.y_axis(&y, across, "precision");
        for f1 in [0.5, 0.6, 0.7, 0.8, 0.9, 0.95] {
            draw_equal_f1(&mut picture, [&x, &y], f1);
        }
        for (place, name, evaluation) in self.methods() {
            let score = evaluation.mean().scores.nodes;
            let [px, py] = [x.at(score.recall), y.at(score.precision)];
            if let Some(interval) = evaluation.interval(|row| row.scores.nodes.recall) {
                let class = format!("whisker k{place} s{place}");
                picture.line(&class, [x.at(interval.low), py], [x.at(interval.high), py]);
            }
            if let Some(interval) = evaluation.interval(|row| row.scores.nodes.precision) {
                let class = format!("whisker k{place} s{place}");
                picture.line(&class, [px, y.at(interval.low)], [px, y.at(interval.high)]);
            }
            let words = format!(
                "{name}: precision {:.3}, recall {:.3}, F1 {:.3}",
                score.precision, score.recall, score.f1
            );
            picture.mark(place, Size::Mark, [px, py], &words);
        }
        Chart {
            title: TITLE,
            note: "Means over key pages, with 95 % intervals. On a dashed line F1 is the same. The axes do not begin at 0.",
            svg: picture.finish(),
        }
    }

    /// A round value below all means and their intervals.
    fn lowest_share(&self) -> f64 {
        let lowest = self.methods().flat_map(|(_, _, evaluation)| {
            let score = evaluation.mean().scores.nodes;
            let low =
                |value: fn(&Row) -> f64| evaluation.interval(value).map_or(1.0, |interval| interval.low);
            [
                score.precision,
                score.recall,
                low(|row| row.scores.nodes.precision),
                low(|row| row.scores.nodes.recall),
            ]
        });
        beginning(lowest)
    }

    /// A round value below the F1 on every key page.
    fn lowest_f1(&self) -> f64 {
        beginning(self.rows().map(|row| row.scores.nodes.f1))
    }

    fn f1_by_site(&self) -> Chart {
        const TITLE: &str = "F1 on each site";
        const TOP: f64 = 12.0;
        const ROW: f64 = 62.0;
        let bottom = TOP + ROW * self.results.len() as f64;
        let x = Scale {
            values: [self.lowest_f1(), 1.0],
            places: BESIDE_NAMES,
        };
        let mut picture = Picture::new(WIDTH, bottom + 42.0, TITLE);
        picture.x_axis(&x, [TOP, bottom], "F1 over nodes");
        for (place, name, evaluation) in self.methods() {
            let middle = TOP + ROW * (place as f64 + 0.5);
            picture.text(
                &format!("name end s{place}"),
                [BESIDE_NAMES[0] - 10.0, middle + 4.0],
                name,
            );
            draw_sites(&mut picture, place, &x, middle - 6.0, &f1_by_site(evaluation));
            draw_mean(
                &mut picture,
                place,
                &x,
                middle + ROW / 2.0 - 9.0,
                name,
                evaluation,
            );
        }
        Chart {
            title: TITLE,
            note: "A dot is a site, the mean of its key pages; the mark below is the mean over key pages with its 95 % interval.",
            svg: picture.finish(),
        }
    }

    fn loaded_and_f1(&self) -> Chart {
        const TITLE: &str = "Pages loaded and F1";
        const DOWN: [f64; 2] = [358.0, 30.0];
        let most = self.rows().filter_map(|row| row.loaded).max().unwrap_or(1);
        let x = Scale {
            values: [0.0, round_end(most as f64)],
            places: ACROSS,
        };
        let y = Scale {
            values: [self.lowest_f1(), 1.0],
            places: DOWN,
        };
        let mut picture = Picture::new(WIDTH, 400.0, TITLE);
        picture.x_axis(&x, [DOWN[1], DOWN[0]], "pages loaded, key page included");
        picture.y_axis(&y, ACROSS, "F1 over nodes");
        for (place, name, evaluation) in self.methods() {
            for row in &evaluation.rows {
                let Some(loaded) = row.loaded else { continue };
                let f1 = row.scores.nodes.f1;
                let words = format!(
                    "{name}: {} {}, {loaded} pages, F1 {f1:.3}",
                    row.site, row.key_page
                );
                // Beside each other: pages are whole, and methods often load as many.
                let aside = 2.5 * (place as f64 - (self.results.len() - 1) as f64 / 2.0);
                picture.mark(place, Size::Dot, [x.at(loaded as f64) + aside, y.at(f1)], &words);
            }
        }
        for (place, name, evaluation) in self.methods() {
            let mean = evaluation.mean();
            let words = format!(
                "{name}: {:.2} pages and F1 {:.3} on average",
                mean.loaded, mean.scores.nodes.f1
            );
            let point = [x.at(mean.loaded), y.at(mean.scores.nodes.f1)];
            picture.mark(place, Size::Mark, point, &words);
        }
        Chart {
            title: TITLE,
            note: "Further left is cheaper, further up is better. Pale: a key page, methods side by side. Full: the mean.",
            svg: picture.finish(),
        }
    }

    fn times(&self) -> Chart {
        const TITLE: &str = "Time for a key page";
        const TOP: f64 = 34.0;
        const ROW: f64 = 40.0;
        let bottom = TOP + ROW * self.results.len() as f64;
        let most = self.methods().map(|(_, _, evaluation)| total_ms(evaluation));
        let x = Scale {
            values: [0.0, round_end(most.fold(0.0, f64::max))],
            places: [BESIDE_NAMES[0], WIDTH - 46.0],
        };
        let mut picture = Picture::new(WIDTH, bottom + 42.0, TITLE);
        picture.x_axis(&x, [TOP, bottom], "milliseconds, mean over key pages");
        draw_time_legend(&mut picture);
        for (place, name, evaluation) in self.methods() {
            let middle = TOP + ROW * (place as f64 + 0.5);
            picture.text(
                &format!("name end s{place}"),
                [BESIDE_NAMES[0] - 10.0, middle + 4.0],
                name,
            );
            draw_times(&mut picture, place, &x, middle, evaluation);
        }
        Chart {
            title: TITLE,
            note: "Parsing is the same work for every method and every loaded page; the rest is the method's own. Baselines do not separate selection from mapping.",
            svg: picture.finish(),
        }
    }
}

/// The start of a scale that shows all of these shares. At most 0.8: otherwise small differences would look large.
fn beginning(shares: impl Iterator<Item = f64>) -> f64 {
    let lowest = shares.fold(0.8, f64::min);
    (lowest * 10.0).floor() / 10.0
}

/// The line of equal F1, with its value at its end.
fn draw_equal_f1(picture: &mut Picture, [x, y]: [&Scale; 2], f1: f64) {
    let [low, high] = x.values;
    // Where precision is 1, recall is f1 / (2 - f1).
    let start = f1 / (2.0 - f1);
    if start <= low {
        return;
    }
    let steps = 40;
    let points = (0..=steps).map(|step| start + (high - start) * f64::from(step) / f64::from(steps));
    let path: Vec<_> = points
        .map(|recall| (recall, f1 * recall / (2.0 * recall - f1)))
        .filter(|(_, precision)| (low..=1.0 + 1e-9).contains(precision))
        .map(|(recall, precision)| format!("{:.1} {:.1}", x.at(recall), y.at(precision)))
        .collect();
    picture.add(format_args!("<path class=\"equal\" d=\"M{}\"/>", path.join("L")));
    // By symmetry, precision at the right end is recall at the top.
    picture.text(
        "small",
        [x.at(high) + 3.0, y.at(start) + 4.0],
        &format!("F1 {f1}"),
    );
}

/// The mean F1 of each site, with its name.
fn f1_by_site(evaluation: &Evaluation) -> Vec<(&str, f64)> {
    let pages = |rows: &[Row]| mean(rows.iter().map(|row| row.scores.nodes.f1));
    evaluation
        .rows
        .chunk_by(|one, next| one.site == next.site)
        .map(|rows| (&*rows[0].site, pages(rows)))
        .collect()
}

/// Dots that would overlap are moved up and down alternately.
fn draw_sites(picture: &mut Picture, place: usize, x: &Scale, middle: f64, sites: &[(&str, f64)]) {
    const STEP: f64 = 6.0;
    let mut sites = sites.to_vec();
    sites.sort_by(|one, other| one.1.total_cmp(&other.1));
    // The last dot of each lane: a lane is free from there on.
    let mut lanes = [f64::NEG_INFINITY; 7];
    for (site, f1) in sites {
        let px = x.at(f1);
        let lane = lanes
            .iter()
            .position(|&last| px - last >= 7.0)
            .unwrap_or_default();
        lanes[lane] = px;
        let side = if lane % 2 == 0 { 1.0 } else { -1.0 };
        let offset = side * STEP * lane.div_ceil(2) as f64;
        picture.mark(
            place,
            Size::Dot,
            [px, middle + offset],
            &format!("{site}: F1 {f1:.3}"),
        );
    }
}

fn draw_mean(picture: &mut Picture, place: usize, x: &Scale, y: f64, name: &str, evaluation: &Evaluation) {
    let f1 = evaluation.mean().scores.nodes.f1;
    let mut words = format!("{name}: mean F1 {f1:.3}");
    if let Some(interval) = evaluation.interval(|row| row.scores.nodes.f1) {
        words += &format!(", 95 % interval {:.3} to {:.3}", interval.low, interval.high);
        let class = format!("whisker k{place} s{place}");
        picture.line(&class, [x.at(interval.low), y], [x.at(interval.high), y]);
    }
    picture.mark(place, Size::Mark, [x.at(f1), y], &words);
}

/// The stages in the order of their work.
const STAGES: [&str; 3] = ["parse", "selection", "mapping"];

fn stage_ms(evaluation: &Evaluation) -> [f64; 3] {
    let times = evaluation.mean().times;
    [times.parse_ms, times.selection_ms, times.mapping_ms]
}

fn total_ms(evaluation: &Evaluation) -> f64 {
    stage_ms(evaluation).iter().sum()
}

fn draw_time_legend(picture: &mut Picture) {
    for (stage, name) in STAGES.into_iter().enumerate() {
        let left = BESIDE_NAMES[0] + 92.0 * stage as f64;
        picture.add(format_args!(
            "<rect class=\"t{stage}\" x=\"{left}\" y=\"8\" width=\"14\" height=\"14\"/>"
        ));
        picture.text("tick", [left + 20.0, 19.0], name);
    }
}

fn draw_times(picture: &mut Picture, place: usize, x: &Scale, middle: f64, evaluation: &Evaluation) {
    let mut before = 0.0;
    for (stage, ms) in stage_ms(evaluation).into_iter().enumerate() {
        let [left, right] = [x.at(before), x.at(before + ms)];
        picture.add(format_args!(
            "<rect class=\"t{stage} s{place}\" x=\"{left:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"20\">\
            <title>{}: {ms:.2} ms</title></rect>",
            middle - 10.0,
            right - left,
            STAGES[stage]
        ));
        before += ms;
    }
    picture.text(
        &format!("tick s{place}"),
        [x.at(before) + 6.0, middle + 4.0],
        &format!("{before:.1}"),
    );
}
