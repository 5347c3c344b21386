use std::path::PathBuf;

use husk::dom::{Dom, NodeId};
use husk::{Content, Extraction, Selectors};
use husk_lab::{Selector, select};
use husk_testing::over_sites;

use crate::corpus::extractions;

/// All elements of a page, those in a `<template>` aside, that a selector of the engine matches.
fn matched(dom: &Dom, selector: &husk::Selector) -> Vec<NodeId> {
    dom.nodes()
        .filter(|&node| selector.matches(dom, node) && dom.is_in_page(node))
        .collect()
}

fn check_matching(name: &str, extraction: &Extraction, selectors: &Selectors) {
    for chosen in &selectors.chosen {
        let css = Selector::parse(&chosen.selector.to_string()).unwrap();
        let on_key = select(&extraction.key_page.dom, std::slice::from_ref(&css));
        assert_eq!(on_key, chosen.nodes, "{name}: {css}");
        for page in &extraction.pages {
            assert_eq!(
                select(&page.dom, std::slice::from_ref(&css)),
                matched(&page.dom, &chosen.selector),
                "{name}: {css} on {}",
                page.url
            );
        }
    }
}

over_sites!(
    they_mean_what_css_means_by_them_and_spare_the_content,
    check_selectors
);

fn check_selectors(sites: &[PathBuf]) {
    let (mut template_share, mut content_share, mut pages) = (0.0, 0.0, 0.0);
    for (name, extraction) in extractions(sites) {
        let dom = &extraction.key_page.dom;
        let content = Content::of(&extraction);
        let of_template = Selectors::of_template(&extraction, &content);
        check_matching(&name, &extraction, &of_template);
        for chosen in &of_template.chosen {
            for node in chosen.nodes.iter().flat_map(|&node| dom.subtree(node)) {
                let is_text = dom.kind(node) == husk::dom::NodeKind::Text && !dom.is_blank_text(node);
                assert!(
                    !(is_text && content.nodes.contains(node)),
                    "{name}: {} holds content: {}",
                    chosen.selector,
                    dom.text_of(node)
                );
            }
        }
        let of_content = Selectors::of_content(&extraction, &content);
        check_matching(&name, &extraction, &of_content);
        let share = |selectors: &Selectors| {
            f64::from(selectors.words_covered) / f64::from(selectors.words_wanted.max(1))
        };
        eprintln!(
            "{name}: template {} selectors {:.3}, content {} {:.3}",
            of_template.chosen.len(),
            share(&of_template),
            of_content.chosen.len(),
            share(&of_content)
        );
        template_share += share(&of_template);
        content_share += share(&of_content);
        pages += 1.0;
    }
    assert!(template_share / pages > 0.8, "{}", template_share / pages);
    assert!(content_share / pages > 0.9, "{}", content_share / pages);
}
