//! Fits the model of blocks: labelled pages in, `model.txt` and its cross-validated scores out.
//!
//! Pages come from a corpus of sites with labels, and from folders of pages with the text of their content beside them.
//! Those of a site are read twice, with and without siblings. Further pages of the corpus are labelled by a first model
//! that sees their siblings, and count less: what these prove to be template teaches the second to read pages alone.

mod align;
mod boost;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use husk::fitting::{self, DescribedBlock};
use husk::{Extraction, Page, SiteTemplates, Template, Url, words};
use husk_dom::{NodeId, decode, name};
use husk_sources::Folder;
use xxhash_rust::xxh3::xxh3_64;

use crate::corpus::Site;
use crate::gold::Gold;
use crate::run::extract_page;
use boost::{Settings, Table, Trees};

/// How the trees are grown.
const SETTINGS: Settings = Settings {
    trees: 120,
    leaves: 16,
    rate: 0.12,
    features: 0.4,
    sample: 0.8,
    least_rows: 60,
    least_weight: 0.5,
};

/// Most pages of a site without labels.
const PAGES_OF_SITE: usize = 20;

/// Parts of the cross-validation.
const FOLDS: u64 = 5;

/// A page as examples for the model.
struct Example {
    set: String,
    /// Pages of a site are in one fold.
    fold: u64,
    has_siblings: bool,
    /// The weight of the page.
    weight: f32,
    blocks: Vec<DescribedBlock>,
    /// The share of each block that is content.
    labels: Vec<f32>,
    /// The lower-case words of each block, and those of the content; none for pages that are not scored.
    scored: Option<(Vec<Vec<String>>, Vec<String>)>,
    /// For a page without labels: the same with siblings, which gives the labels.
    source: Option<usize>,
}

/// A fitted model.
pub struct Fitted {
    /// The text of `model.txt`.
    pub model: String,
    /// Mean word F1 by set, each page scored by a model that saw no page of its site.
    pub scores: BTreeMap<String, (f64, usize)>,
}

/// Fits the model to the sites of a corpus and to folders of pages.
pub fn fit(sites: &[Site], folders: &[PathBuf]) -> anyhow::Result<Fitted> {
    let mut examples = Vec::new();
    for site in sites {
        add_site(site, &mut examples)?;
    }
    for folder in folders {
        add_folder(folder, &mut examples)?;
    }
    let names = fitting::feature_names();
    let table = Table::new(&rows(&examples), names.len());
    let first = cross_validate(&table, &examples);
    label_by_siblings(&mut examples, &first);
    let probabilities = cross_validate(&table, &examples);
    let mut scores: BTreeMap<String, (f64, usize)> = BTreeMap::new();
    for (example, probabilities) in examples.iter().zip(&probabilities) {
        if let Some(score) = score(example, probabilities) {
            let (sum, pages) = scores.entry(example.set.clone()).or_default();
            *sum += score;
            *pages += 1;
        }
    }
    for (sum, pages) in scores.values_mut() {
        *sum /= *pages as f64;
    }
    let trees = fit_trees(&table, &examples, |_| true);
    let mut model = header(&examples, &scores);
    for name in &names {
        // Writing to a string does not fail.
        let _ = writeln!(model, "feature {name}");
    }
    model.push_str(&trees.text(&names));
    Ok(Fitted { model, scores })
}

fn header(examples: &[Example], scores: &BTreeMap<String, (f64, usize)>) -> String {
    let mut digest = Vec::new();
    for example in examples {
        digest.extend(example.set.bytes());
        for (block, label) in example.blocks.iter().zip(&example.labels) {
            digest.extend(block.words.to_le_bytes());
            digest.extend(label.to_le_bytes());
        }
    }
    let mut out = String::from(
        "# The model of blocks, fitted by `husk-lab fit`. Not to be edited: fit it again.\n\
         # Each tree is a walk: where `NAME <= NUMBER` holds, to the next line, else past the lines that are indented\n\
         # more; a number is what the tree adds to the log-odds of being content.\n",
    );
    let _ = writeln!(
        out,
        "# data: {} pages, digest {:016x}",
        examples.len(),
        xxh3_64(&digest)
    );
    for (set, (score, pages)) in scores {
        let _ = writeln!(
            out,
            "# {set}: word F1 {score:.4} on {pages} pages of sites that it was not fitted to"
        );
    }
    out
}

fn rows(examples: &[Example]) -> Vec<&[f32]> {
    let blocks = examples.iter().flat_map(|example| &example.blocks);
    blocks.map(|block| block.features.as_slice()).collect()
}

/// Fits trees to the examples that are meant.
fn fit_trees(table: &Table, examples: &[Example], is_meant: impl Fn(&Example) -> bool) -> Trees {
    let (mut labels, mut weights) = (Vec::new(), Vec::new());
    for example in examples {
        let content: f32 = example
            .blocks
            .iter()
            .zip(&example.labels)
            .map(|(block, label)| block.words as f32 * label)
            .sum();
        for (block, &label) in example.blocks.iter().zip(&example.labels) {
            labels.push(label);
            // By the share of the content that a block would be, so that all pages count the same.
            let share = (block.words as f32 / content.max(LEAST_CONTENT)).min(1.0) + LEAST_SHARE;
            weights.push(if is_meant(example) {
                example.weight * share
            } else {
                0.0
            });
        }
    }
    Trees::fit(table, &labels, &weights, SETTINGS)
}

/// Pages with fewer words of content count less.
const LEAST_CONTENT: f32 = 50.0;

/// What the shortest block counts.
const LEAST_SHARE: f32 = 0.002;

/// The probabilities of all blocks, each by trees that saw no page of its site.
fn cross_validate(table: &Table, examples: &[Example]) -> Vec<Vec<f64>> {
    let mut found: Vec<Vec<f64>> = vec![Vec::new(); examples.len()];
    for fold in 0..FOLDS {
        let trees = fit_trees(table, examples, |example| example.fold != fold);
        for (found, example) in found.iter_mut().zip(examples) {
            if example.fold == fold {
                *found = example
                    .blocks
                    .iter()
                    .map(|block| trees.probability(&block.features))
                    .collect();
            }
        }
    }
    found
}

/// The word F1 of the blocks that are chosen.
fn score(example: &Example, probabilities: &[f64]) -> Option<f64> {
    let (blocks, content) = example.scored.as_ref()?;
    let sizes: Vec<u32> = example.blocks.iter().map(|block| block.words).collect();
    let chosen = fitting::choose(probabilities, &sizes, example.has_siblings);
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for word in content {
        counts.entry(word).or_default().0 += 1;
    }
    for (block, _) in blocks.iter().zip(chosen).filter(|(_, is_chosen)| *is_chosen) {
        for word in block {
            counts.entry(word).or_default().1 += 1;
        }
    }
    let (mut wanted, mut got, mut both) = (0, 0, 0);
    for (want, have) in counts.values() {
        wanted += want;
        got += have;
        both += want.min(have);
    }
    Some(if wanted + got == 0 {
        1.0
    } else {
        2.0 * both as f64 / (wanted + got) as f64
    })
}

/// The weights of a page: with labels from a site of the corpus, alone and with siblings; from a folder; without labels.
const WEIGHT_ALONE: f32 = 2.0;
const WEIGHT_WITH_SIBLINGS: f32 = 1.5;
const WEIGHT_OF_FOLDER: f32 = 1.0;
const WEIGHT_OF_UNLABELLED: f32 = 0.3;

/// Labels the pages that have none by what the first model chooses with their siblings.
fn label_by_siblings(examples: &mut [Example], probabilities: &[Vec<f64>]) {
    for number in 0..examples.len() {
        let Some(source) = examples[number].source else {
            continue;
        };
        let blocks = &examples[source].blocks;
        let sizes: Vec<u32> = blocks.iter().map(|block| block.words).collect();
        let chosen = fitting::choose(&probabilities[source], &sizes, true);
        let content: BTreeSet<NodeId> = blocks
            .iter()
            .zip(chosen)
            .filter(|(_, is_chosen)| *is_chosen)
            .flat_map(|(block, _)| block.texts.iter().copied())
            .collect();
        for at in [source, number] {
            examples[at].labels = labels(&examples[at].blocks, |text| content.contains(text));
            examples[at].weight = WEIGHT_OF_UNLABELLED;
        }
    }
}

/// The share of each block's texts that are content.
fn labels(blocks: &[DescribedBlock], is_content: impl Fn(&NodeId) -> bool) -> Vec<f32> {
    let label = |block: &DescribedBlock| {
        let right = block.texts.iter().filter(|text| is_content(text)).count();
        right as f32 / block.texts.len().max(1) as f32
    };
    blocks.iter().map(label).collect()
}

fn fold_of(site: &str) -> u64 {
    xxh3_64(site.as_bytes()) % FOLDS
}

fn lower_words(text: &str) -> Vec<String> {
    words(text).map(str::to_lowercase).collect()
}

/// The words of each block.
fn words_of(page: &Page, blocks: &[DescribedBlock]) -> Vec<Vec<String>> {
    let of_block = |block: &DescribedBlock| {
        let texts = block.texts.iter();
        texts
            .flat_map(|&text| lower_words(page.dom.text_of(text)))
            .collect()
    };
    blocks.iter().map(of_block).collect()
}

fn add_site(site: &Site, examples: &mut Vec<Example>) -> anyhow::Result<()> {
    let folder = Folder::open(&site.root, Some(site.base_url.clone()))?;
    let mut is_key = Vec::new();
    for key_page in &site.key_pages {
        let page = folder.page(&site.root.join(&key_page.file))?;
        let gold = Gold::of(&page.dom, &key_page.labels);
        let is_content: BTreeMap<NodeId, bool> = gold
            .nodes
            .iter()
            .map(|&(node, label)| (node, label.main_content))
            .collect();
        let is_content = |text: &NodeId| is_content.get(text) == Some(&true);
        let content: Vec<String> = page
            .dom
            .nodes()
            .filter(|node| page.dom.kind(*node) == husk_dom::NodeKind::Text && is_content(node))
            .flat_map(|node| lower_words(page.dom.text_of(node)))
            .collect();
        let mut add = |set: &str, weight, siblings: Option<(&Template, &[Page])>| {
            let mut example = example(&page, site, siblings);
            example.labels = labels(&example.blocks, is_content);
            example.set = set.to_owned();
            example.weight = weight;
            example.scored = Some((words_of(&page, &example.blocks), content.clone()));
            examples.push(example);
        };
        add("corpus", WEIGHT_ALONE, None);
        let extraction = extract_page(page.clone(), &folder);
        let compared = compared(&extraction);
        add(
            "corpus-with-siblings",
            WEIGHT_WITH_SIBLINGS,
            Some((&extraction.template, &compared)),
        );
        is_key.push(page.url.clone());
    }
    let pages: Vec<Page> = folder
        .files()
        .filter_map(|file| folder.page(&file).ok())
        .collect();
    let mut templates = SiteTemplates::new(&site.name);
    templates.learn(&pages);
    let mut stripper = templates.stripper();
    let mut others: Vec<&Page> = pages.iter().filter(|page| !is_key.contains(&page.url)).collect();
    others.sort_by_key(|page| xxh3_64(page.url.as_str().as_bytes()));
    for page in others.into_iter().take(PAGES_OF_SITE) {
        let stripped = stripper.strip(page);
        if stripped.layout.is_some() {
            let source = examples.len();
            let siblings = Some((&stripped.template, pages.as_slice()));
            examples.push(example(page, site, siblings));
            examples.push(Example {
                source: Some(source),
                ..example(page, site, None)
            });
        }
    }
    Ok(())
}

/// A page of a site, not labelled yet.
fn example(page: &Page, site: &Site, siblings: Option<(&Template, &[Page])>) -> Example {
    let blocks = fitting::describe(page, siblings);
    Example {
        set: "unlabelled".to_owned(),
        fold: fold_of(&site.name),
        has_siblings: siblings.is_some(),
        weight: 0.0,
        labels: vec![0.0; blocks.len()],
        scored: None,
        source: None,
        blocks,
    }
}

fn compared(extraction: &Extraction) -> Vec<Page> {
    let pages = extraction.pages.iter();
    pages
        .filter(|page| extraction.compared.contains(&page.url))
        .cloned()
        .collect()
}

/// Adds pages `NAME.html` with their content in `NAME.gold.txt`; subfolders are sites.
fn add_folder(folder: &Path, examples: &mut Vec<Example>) -> anyhow::Result<()> {
    let set = folder
        .file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<anyhow::Result<_>>()?;
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            let mut files: Vec<PathBuf> = fs::read_dir(&entry)?
                .map(|entry| Ok(entry?.path()))
                .collect::<anyhow::Result<_>>()?;
            files.sort();
            let pages: Vec<(Page, String)> = files
                .iter()
                .filter_map(|file| read_page(file).transpose())
                .collect::<anyhow::Result<_>>()?;
            let alone: Vec<Page> = pages.iter().map(|(page, _)| page.clone()).collect();
            let mut templates = SiteTemplates::new(&set);
            templates.learn(&alone);
            let mut stripper = templates.stripper();
            let site = entry
                .file_name()
                .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
            for (page, content) in &pages {
                add_page(&set, &site, page, content, None, examples);
                let stripped = stripper.strip(page);
                let siblings = Some((&stripped.template, alone.as_slice()));
                add_page(
                    &format!("{set}-with-siblings"),
                    &site,
                    page,
                    content,
                    siblings,
                    examples,
                );
            }
        } else if let Some((page, content)) = read_page(&entry)? {
            add_page(&set, &site_of(&page, &entry), &page, &content, None, examples);
        }
    }
    Ok(())
}

/// A page and the text of its content; none if the file has no such text beside it.
fn read_page(file: &Path) -> anyhow::Result<Option<(Page, String)>> {
    let gold = file.with_extension("gold.txt");
    if file.extension().is_none_or(|extension| extension != "html") || !gold.exists() {
        return Ok(None);
    }
    let html = fs::read(file)?;
    let name = xxh3_64(file.display().to_string().as_bytes());
    let url = Url::parse(&format!("https://example.org/{name}.html"))?;
    let page = Page::parse(url, &decode(&html, None).text);
    Ok(Some((page, fs::read_to_string(gold)?)))
}

/// The host that a page names as its own, or its file.
fn site_of(page: &Page, file: &Path) -> String {
    let dom = &page.dom;
    let canonical = dom
        .nodes()
        .filter(|&node| dom.is_element(node, &name!("link")))
        .find(|&node| dom.attribute(node, &name!("rel")) == Some("canonical"))
        .and_then(|node| Url::parse(dom.attribute(node, &name!("href"))?).ok());
    let host = canonical.and_then(|url| url.host_str().map(str::to_owned));
    host.unwrap_or_else(|| file.display().to_string())
}

fn add_page(
    set: &str,
    site: &str,
    page: &Page,
    content: &str,
    siblings: Option<(&Template, &[Page])>,
    examples: &mut Vec<Example>,
) {
    let blocks = fitting::describe(page, siblings);
    let by_block = words_of(page, &blocks);
    let content = lower_words(content);
    examples.push(Example {
        set: set.to_owned(),
        fold: fold_of(site),
        has_siblings: siblings.is_some(),
        weight: WEIGHT_OF_FOLDER,
        labels: align::shares(&by_block, &content),
        scored: Some((by_block, content)),
        source: None,
        blocks,
    });
}
