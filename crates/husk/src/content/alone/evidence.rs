//! The evidence of each text for or against being content.
//!
//! The weights are log-odds in nats from a logistic regression over the texts of labelled pages, each constrained to
//! the sign that its reason demands, and rounded; see `docs/evaluation.md`.

use husk_dom::{Dom, NodeId};

use super::numbers::{
    ALL_LINKED, BEFORE_TITLE, FIRST_WORD, IN_COMMENTS, IN_FOOTER, IN_HALF, IN_HEADER, IN_INNER_SIDEBAR,
    IN_MOST, IN_SIDEBAR, IS_TITLE, LAST_WORD, MOST_EVIDENCE, NEAR_END, OUTSIDE_MAIN, PRIOR,
};
use super::signs::Sign;
use super::survey::Survey;

/// Evidence by what a text is in.
const STANDS_IN: &[(Sign, f64)] = &[
    // Content has headings; menus and footers sometimes do.
    (Sign::Heading, 0.6),
    (Sign::Paragraph, 0.9),
    (Sign::Preformatted, 0.6),
    // Names like "content" are used for many things, even for the whole page.
    (Sign::Main, 1.1),
    (Sign::Article, 0.5),
    (Sign::Navigation, -1.3),
    (Sign::Way, -1.1),
    (Sign::Promotion, -2.0),
    (Sign::Tags, -0.9),
    // Often only until something is opened, such as an answer or a tab.
    (Sign::Hidden, -0.8),
    // Search and login, but also the options of a product.
    (Sign::Form, -1.1),
    // Set by hand: too few of the labelled pages have one.
    (Sign::Consent, -3.0),
];

/// The evidence of a text.
#[derive(Debug, Clone, Copy)]
pub(super) enum TextEvidence {
    /// In nats.
    Nats(f64),
    /// It is a comment.
    Comment,
}

impl TextEvidence {
    /// The evidence of all words of the text, with an amount added per text. Words of one text are not independent,
    /// hence the square root.
    pub(super) fn nats(self, added: f64, words: u32) -> f64 {
        let each = match self {
            Self::Nats(nats) => (nats + added).clamp(-MOST_EVIDENCE, MOST_EVIDENCE),
            Self::Comment => IN_COMMENTS,
        };
        each * f64::from(words.max(1)).sqrt()
    }
}

/// The evidence of each visible text; none for other nodes.
pub(super) fn of_texts(dom: &Dom, survey: &Survey) -> Vec<Option<TextEvidence>> {
    dom.nodes()
        .map(|node| {
            survey
                .is_shown_text(dom, node)
                .then(|| of_text(dom, survey, node))
        })
        .collect()
}

fn of_text(dom: &Dom, survey: &Survey, node: NodeId) -> TextEvidence {
    if survey.is_comment(node) {
        return TextEvidence::Comment;
    }
    TextEvidence::Nats(PRIOR + surroundings(survey, node) + position(dom, survey, node))
}

/// Evidence by what the text is in.
fn surroundings(survey: &Survey, node: NodeId) -> f64 {
    let signs = survey.signs(node);
    let is_inner = survey.is_in_main(node) || signs.has(Sign::ArticleElement);
    let of_page = |sign: Sign, nats: f64| if signs.has(sign) { nats } else { 0.0 };
    let around = if is_inner {
        of_page(Sign::Sidebar, IN_INNER_SIDEBAR)
    } else {
        of_page(Sign::Header, IN_HEADER)
            + of_page(Sign::Footer, IN_FOOTER)
            + of_page(Sign::Sidebar, IN_SIDEBAR)
    };
    let stands_in: f64 = STANDS_IN
        .iter()
        .filter(|&&(sign, _)| signs.has(sign))
        .map(|&(_, nats)| nats)
        .sum();
    stands_in + around + ALL_LINKED * survey.block(node).link_density()
}

/// Evidence by position.
fn position(dom: &Dom, survey: &Survey, node: NodeId) -> f64 {
    let before = survey.share_up_to(dom, node);
    let near = |distance: f64| (1.0 - distance / NEAR_END).max(0.0);
    let when = |is_so: bool, nats: f64| if is_so { nats } else { 0.0 };
    when(survey.is_in_half(node), IN_HALF)
        + when(survey.is_in_most(node), IN_MOST)
        + when(survey.has_main() && !survey.is_in_main(node), OUTSIDE_MAIN)
        + when(survey.is_in_heading(node), IS_TITLE)
        + when(survey.is_before_heading(node), BEFORE_TITLE)
        + FIRST_WORD * near(before)
        + LAST_WORD * near(1.0 - before)
}

#[cfg(test)]
mod tests {
    use husk_dom::name;

    use super::*;

    /// Checks that the text `more` has more evidence than `less`, in a page with an article of some length.
    #[track_caller]
    fn check(around: &str, inside: &str) {
        let article =
            "<p>The mill stood by the river, then it was gone. Nobody knows why, or says so.</p>".repeat(6);
        let filler = "<p>word word word word</p>".repeat(12);
        let html = format!(
            "<title>Old mill</title>{filler}{}<div>{article}{}{article}</div>{}{filler}",
            around.replace('@', "before"),
            inside.replace('@', "more"),
            around.replace('@', "less"),
        );
        let dom = Dom::parse(&html);
        let survey = Survey::of(&dom, dom.part(&name!("body")).unwrap());
        let evidence = of_texts(&dom, &survey);
        let nats = |text: &str| {
            let node = dom
                .nodes()
                .find(|&node| survey.is_shown_text(&dom, node) && dom.text_of(node) == text);
            evidence[node.unwrap().index()].unwrap().nats(0.0, 1)
        };
        assert!(nats("more") > nats("less") + 0.1, "{html}");
    }

    #[test]
    fn what_a_text_stands_in_counts() {
        // In the middle of the page, or not.
        check("<div>@</div>", "<div>@</div>");
        // The same place, as a way out of the page.
        for less in [
            "nav",
            "class=share",
            "class=breadcrumb",
            "class=tags",
            "hidden",
            "class=cookies",
        ] {
            let tag = if less == "nav" {
                "nav".to_owned()
            } else {
                format!("div {less}")
            };
            check(
                "",
                &format!("<div>@</div><{tag}>less</{}>", tag.split(' ').next().unwrap()),
            );
        }
        check("", "<div>@</div><form>less</form>");
        check("", "<div>@</div><div><a href=x>less</a></div>");
        check("", "<p>@</p><div>less</div>");
        check("", "<h2>@</h2><div>less</div>");
        check("", "<pre>@</pre><div>less</div>");
        check("", "<div class=main>@</div><div>less</div>");
        check("", "<div class=post>@</div><div>less</div>");
        check("", "<div>@</div><aside>less</aside>");
    }

    #[test]
    fn a_header_in_an_article_is_no_header_of_the_page() {
        let dom = Dom::parse(
            "<header>one</header><article><header>two</header><p>A sentence of more than eight words, to have some prose.",
        );
        let survey = Survey::of(&dom, dom.part(&name!("body")).unwrap());
        let of = |text: &str| {
            let node = dom
                .nodes()
                .find(|&node| survey.is_shown_text(&dom, node) && dom.text_of(node) == text);
            surroundings(&survey, node.unwrap())
        };
        assert!(of("one") < IN_HEADER + 0.01);
        assert!(of("two") > 0.0);
    }
}
