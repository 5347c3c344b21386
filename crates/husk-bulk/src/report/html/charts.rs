//! The charts of the report.

use husk_plot::{Picture, Scale, Size, round_end};

use super::numbers::{per_cent, several, short};
use super::{MEASURES, Measure};
use crate::report::amounts::Shares;
use crate::report::totals::{
    LAYOUT_CLASSES, Overview, ReportTotals, ShareCounts, SiteGroup, Spread, page_class,
};

const WIDTH: f64 = 460.0;

/// Left and right edge of the plot area.
const ACROSS: [f64; 2] = [46.0, WIDTH - 14.0];

/// Height of a chart, and bottom and top edge of the plot area.
const HEIGHT: f64 = 300.0;
const DOWN: [f64; 2] = [258.0, 30.0];

/// A chart with title and caption.
pub(super) struct Chart {
    pub(super) title: String,
    pub(super) note: String,
    pub(super) svg: String,
}

pub(super) fn charts(overview: &Overview) -> Vec<Chart> {
    let totals = &overview.totals;
    let shares = MEASURES.iter().zip(&totals.shares).enumerate();
    let mut charts: Vec<_> = shares
        .map(|(look, (measure, counts))| shares_over_sites(look, measure, counts))
        .collect();
    charts.push(shares_and_pages(overview));
    charts.push(pages_by_layouts(totals));
    charts.push(sites_by_pages(totals));
    charts.push(pages_by_size(totals));
    charts
}

fn shares_over_sites(look: usize, measure: &Measure, counts: &ShareCounts) -> Chart {
    let title = format!("Template in {} over sites", measure.name);
    let bars = counts.counts.iter().enumerate().map(|(place, &sites)| {
        let width = 100 / ShareCounts::STEPS;
        let words = format!(
            "{} to {} %: {}",
            place * width,
            (place + 1) * width,
            sites_words(sites)
        );
        (sites, words)
    });
    let x = Scale {
        values: [0.0, 1.0],
        places: ACROSS,
    };
    let mut picture = Picture::new(WIDTH, HEIGHT, &title);
    picture.add(format_args!(
        "<rect class=\"known\" x=\"{:.1}\" y=\"{}\" width=\"{:.1}\" height=\"{}\"><title>{}</title></rect>",
        x.at(measure.known[0]) - 1.5,
        DOWN[1],
        x.at(measure.known[1]) - x.at(measure.known[0]) + 3.0,
        DOWN[0] - DOWN[1],
        measure.known_text
    ));
    let ticks = [0.0, 0.25, 0.5, 0.75, 1.0].map(|tick| (tick, format!("{:.0} %", 100.0 * tick)));
    picture.x_axis_at(
        &x,
        ticks,
        [DOWN[1], DOWN[0]],
        &format!("share of the {}", measure.name),
    );
    draw_bars(&mut picture, look, "sites", bars.collect());
    if let Some(mean) = counts.mean() {
        let place = x.at(mean);
        picture.line("mean", [place, DOWN[1] - 4.0], [place, DOWN[0]]);
        let anchor = if mean > 0.6 { "tick end" } else { "tick" };
        let aside = if mean > 0.6 { -5.0 } else { 5.0 };
        picture.text(
            anchor,
            [place + aside, DOWN[1] - 1.0],
            &format!("mean {}", per_cent(Some(mean))),
        );
    }
    Chart {
        title,
        note: format!(
            "Number of sites by share. The line is their mean, the band is the web in 2005 ({}).",
            measure.known_text
        ),
        svg: picture.finish(),
    }
}

fn shares_and_pages(overview: &Overview) -> Chart {
    const TITLE: &str = "Share and number of pages";
    let spread = &overview.totals.spread;
    let decades = (Spread::PAGES / Spread::STEPS) as i32;
    let last = spread
        .cells
        .iter()
        .rposition(|cells| cells.iter().any(|&sites| sites > 0));
    // Up to the next power of ten.
    let end = last.map_or(1, |last| last / Spread::STEPS + 1);
    let x = Scale {
        values: [0.0, end as f64],
        places: [ACROSS[0] + 6.0, ACROSS[1] - 4.0],
    };
    let y = Scale {
        values: [0.0, 1.0],
        places: DOWN,
    };
    let mut picture = Picture::new(WIDTH, HEIGHT, TITLE);
    let ticks = (0..=decades)
        .take(end + 1)
        .map(|power| (f64::from(power), short(10_f64.powi(power))));
    picture.x_axis_at(&x, ticks, [DOWN[1], DOWN[0]], "pages of the site (logarithmic)");
    let ticks = [0.0, 0.25, 0.5, 0.75, 1.0].map(|tick| (tick, format!("{:.0} %", 100.0 * tick)));
    picture.y_axis_at(&y, ticks, ACROSS, "template, share of the bytes");
    let are_all_listed = overview.largest.len() as u64 == overview.totals.sites;
    let note = if are_all_listed {
        draw_sites(&mut picture, overview, [&x, &y]);
        "Each dot is a site. Templates of sites with few pages are less certain."
    } else {
        draw_spread(&mut picture, spread, [&x, &y]);
        "Darker cells hold more sites. Templates of sites with few pages are less certain."
    };
    Chart {
        title: TITLE.to_owned(),
        note: note.to_owned(),
        svg: picture.finish(),
    }
}

fn draw_sites(picture: &mut Picture, overview: &Overview, [x, y]: [&Scale; 2]) {
    for site in &overview.largest {
        let Some(share) = Shares::of(site.template, site.page).bytes else {
            continue;
        };
        let words = format!(
            "{}: {}, {}",
            site.site,
            pages_words(site.pages),
            per_cent(Some(share))
        );
        let point = [x.at((site.pages.max(1) as f64).log10()), y.at(share)];
        picture.mark(0, Size::Dot, point, &words);
    }
}

fn draw_spread(picture: &mut Picture, spread: &Spread, [x, y]: [&Scale; 2]) {
    let most = spread.cells.iter().flatten().copied().max().unwrap_or(1).max(1);
    let log = |sites: u64| (sites as f64).ln_1p();
    for (place, cells) in spread.cells.iter().enumerate() {
        let [left, right] = [place, place + 1].map(|step| x.at(step as f64 / Spread::STEPS as f64));
        for (step, &sites) in cells.iter().enumerate().filter(|&(_, &sites)| sites > 0) {
            let [low, high] = [step, step + 1].map(|step| y.at(step as f64 / Spread::SHARES as f64));
            // Single sites stay visible.
            let opacity = 0.2 + 0.8 * log(sites) / log(most);
            picture.add(format_args!(
                "<rect class=\"c0\" x=\"{left:.1}\" y=\"{high:.1}\" width=\"{:.1}\" height=\"{:.1}\" \
                 opacity=\"{opacity:.2}\"><title>{}</title></rect>",
                right - left,
                low - high,
                sites_words(sites)
            ));
        }
    }
}

fn pages_by_layouts(totals: &ReportTotals) -> Chart {
    const TITLE: &str = "Pages by the number of layouts of their site";
    let names: Vec<_> = (0..LAYOUT_CLASSES.len()).map(layouts_name).collect();
    let bars = totals.by_layouts.iter().zip(&names).map(|(group, name)| {
        let SiteGroup { sites, pages } = *group;
        (
            pages,
            format!("{name}: {} of {}", pages_words(pages), sites_words(sites)),
        )
    });
    let mut picture = Picture::new(WIDTH, HEIGHT, TITLE);
    draw_bars(&mut picture, 3, "pages", bars.collect());
    let x = bar_scale(names.len());
    let ticks = names
        .iter()
        .enumerate()
        .map(|(place, name)| (place as f64 + 0.5, name.clone()));
    draw_labels(&mut picture, &x, ticks, "layouts");
    Chart {
        title: TITLE.to_owned(),
        note: "None: the site has too few pages, or they share nothing. Their content was extracted page by page."
            .to_owned(),
        svg: picture.finish(),
    }
}

/// Label of a bar of `pages_by_layouts`.
fn layouts_name(place: usize) -> String {
    let from = LAYOUT_CLASSES[place];
    match LAYOUT_CLASSES.get(place + 1) {
        _ if from == 0 => "none".to_owned(),
        Some(next) if next - from > 1 => format!("{from}–{}", next - 1),
        Some(_) => from.to_string(),
        None => format!("{from}+"),
    }
}

fn sites_by_pages(totals: &ReportTotals) -> Chart {
    const TITLE: &str = "Sites by their number of pages";
    let bars = totals.by_pages.iter().enumerate().map(|(place, &sites)| {
        let words = format!("from {}: {}", pages_words(page_class(place)), sites_words(sites));
        (sites, words)
    });
    let names = (0..totals.by_pages.len()).map(|place| short(page_class(place) as f64));
    Chart {
        title: TITLE.to_owned(),
        note: "Each bar starts at the number below its left edge and ends where the next one starts."
            .to_owned(),
        svg: class_bars(
            TITLE,
            4,
            "sites",
            "pages of the site",
            bars.collect(),
            names.collect(),
        ),
    }
}

fn pages_by_size(totals: &ReportTotals) -> Chart {
    const TITLE: &str = "Pages by their size";
    let name = |place: usize| match place {
        0 => "0".to_owned(),
        1..=10 => format!("{}K", 1 << (place - 1)),
        _ => format!("{}M", 1 << (place - 11)),
    };
    let bars = totals.page_sizes.iter().enumerate().map(|(place, &pages)| {
        let words = format!("from {}: {}", name(place), pages_words(pages));
        (pages, words)
    });
    let names = (0..totals.page_sizes.len()).map(name);
    Chart {
        title: TITLE.to_owned(),
        note: "Bytes as captured, decompressed; K is 1,024 bytes. Each bar ends where the next one starts."
            .to_owned(),
        svg: class_bars(
            TITLE,
            5,
            "pages",
            "bytes of the page",
            bars.collect(),
            names.collect(),
        ),
    }
}

/// Bars of growing classes, labelled with the first value of each. Empty bars at both ends are omitted.
fn class_bars(
    title: &str,
    look: usize,
    unit: &str,
    axis: &str,
    bars: Vec<(u64, String)>,
    names: Vec<String>,
) -> String {
    let is_filled = |bar: &(u64, String)| bar.0 > 0;
    let first = bars.iter().position(is_filled).unwrap_or(0);
    let last = bars.iter().rposition(is_filled).unwrap_or(0);
    // A single bar would fill the chart.
    let last = last.max(first + 4).min(bars.len() - 1);
    let shown: Vec<_> = bars.into_iter().skip(first).take(last + 1 - first).collect();
    let x = bar_scale(shown.len());
    // Every third label fits: for numbers of pages these are the powers of ten.
    let each = if shown.len() > 10 { 3 } else { 1 };
    let ticks = names.into_iter().enumerate().skip(first).take(shown.len());
    let ticks = ticks.filter(|(place, _)| place % each == 0);
    let mut picture = Picture::new(WIDTH, HEIGHT, title);
    draw_bars(&mut picture, look, unit, shown);
    draw_labels(
        &mut picture,
        &x,
        ticks.map(|(place, name)| ((place - first) as f64, name)),
        axis,
    );
    picture.finish()
}

fn bar_scale(bars: usize) -> Scale {
    Scale {
        values: [0.0, bars as f64],
        places: ACROSS,
    }
}

/// Bars with an axis for their height, each with a tooltip.
fn draw_bars(picture: &mut Picture, look: usize, unit: &str, bars: Vec<(u64, String)>) {
    let most = bars.iter().map(|bar| bar.0).max().unwrap_or(0);
    let x = bar_scale(bars.len());
    let y = Scale {
        values: [0.0, round_end(most as f64)],
        places: DOWN,
    };
    // Counts are whole numbers.
    let ticks = y.ticks().into_iter().filter(|tick| tick.fract() == 0.0);
    picture.y_axis_at(&y, ticks.map(|tick| (tick, short(tick))), ACROSS, unit);
    for (place, (count, words)) in bars.into_iter().enumerate() {
        let [left, right] = [place, place + 1].map(|edge| x.at(edge as f64));
        // One of a million stays visible.
        let height = if count == 0 {
            0.0
        } else {
            (DOWN[0] - y.at(count as f64)).max(1.0)
        };
        picture.add(format_args!(
            "<g class=\"column\"><rect class=\"field\" x=\"{left:.1}\" y=\"{}\" width=\"{:.1}\" height=\"{}\"/>\
             <rect class=\"c{look}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\"/><title>{words}</title></g>",
            DOWN[1],
            right - left,
            DOWN[0] - DOWN[1],
            left + 1.0,
            DOWN[0] - height,
            right - left - 2.0,
        ));
    }
}

/// Labels below the bars, and the title of the axis.
fn draw_labels(picture: &mut Picture, x: &Scale, names: impl Iterator<Item = (f64, String)>, title: &str) {
    for (value, name) in names {
        picture.text("tick mid", [x.at(value), DOWN[0] + 16.0], &name);
    }
    let middle = (ACROSS[0] + ACROSS[1]) / 2.0;
    picture.text("axis mid", [middle, DOWN[0] + 34.0], title);
}

fn sites_words(sites: u64) -> String {
    several(sites, "site", "sites")
}

fn pages_words(pages: u64) -> String {
    several(pages, "page", "pages")
}
