use crate::run::{example_site, husk, small_site};

fn page_of(folder: &std::path::Path, page: &str) -> String {
    folder.join(page).to_str().unwrap().to_owned()
}

#[test]
fn one_a_line_with_the_reason_behind_a_tab() {
    let site = small_site();
    let page = page_of(site.path(), "one.html");
    let done = husk(["template", &page, "--format", "selectors"]).ok();
    let lines: Vec<_> = done
        .stdout
        .lines()
        .map(|line| line.split_once('\t').unwrap())
        .collect();
    let selectors: Vec<_> = lines.iter().map(|(selector, _)| *selector).collect();
    assert_eq!(selectors, [".menu", "footer"]);
    assert_eq!(lines[0].1, "/* by class; right on 4 of 4 pages; 5 words */");
    assert!(
        done.stderr
            .contains("checked on 4 pages: 100 % of 7 words are selected"),
        "{}",
        done.stderr
    );
    let done = husk(["content", &page, "--format", "selectors"]).ok();
    assert!(done.stdout.starts_with("main\t/* by element"), "{}", done.stdout);
}

#[test]
fn of_the_example_site() {
    let page = page_of(&example_site(), "history/the-lens/index.html");
    let selectors = |command: &str| {
        husk([command, page.as_str(), "--format", "selectors", "--quiet"])
            .ok()
            .stdout
    };
    let template = selectors("template");
    for selector in [".site-header\t", "footer"] {
        assert!(template.contains(selector), "{selector:?} in {template}");
    }
    assert_eq!(
        selectors("content").lines().count(),
        1,
        "{}",
        selectors("content")
    );
}
