use std::fs;

use serde_json::Value;

use crate::run::{example_site, husk, husk_in, small_site};

fn functions(json: &Value) -> Vec<&str> {
    let pagelets = json["pagelets"].as_array().unwrap();
    pagelets
        .iter()
        .map(|pagelet| pagelet["function"].as_str().unwrap())
        .collect()
}

#[test]
fn json_has_every_block_with_its_function_and_shares() {
    let page = example_site().join("history/the-lens/index.html");
    let json = husk(["pagelets", page.to_str().unwrap(), "--format", "json"])
        .ok()
        .stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    let functions = functions(&json);
    for function in ["header", "search", "main-content", "footer"] {
        assert!(functions.contains(&function), "{function} in {functions:?}");
    }
    // As in the JSON of the other commands.
    assert_eq!(json["compared"].as_array().unwrap().len(), 4);
    assert_eq!(json["loaded"][0], json["key_page"]);
    let pagelets = json["pagelets"].as_array().unwrap();
    let of = |function: &str| {
        pagelets
            .iter()
            .find(|pagelet| pagelet["function"] == function)
            .unwrap()
    };
    assert_eq!(of("footer")["template"], true);
    assert_eq!(of("footer")["support"], 4);
    assert_eq!(of("main-content")["template"], false);
    let header = of("search")["parent"].as_u64().unwrap() as usize;
    assert_eq!(pagelets[header - 1]["function"], "header");
    let outermost = pagelets.iter().filter(|pagelet| pagelet["parent"].is_null());
    let text: f64 = outermost
        .map(|pagelet| pagelet["text_share"].as_f64().unwrap())
        .sum();
    assert!((text - 1.0).abs() < 0.01, "the blocks are the page: {text}");
}

#[test]
fn text_and_xpath_name_the_same_blocks() {
    let site = small_site();
    let text = husk_in(site.path(), ["pagelets", "one.html"]).ok().stdout;
    let xpath = husk_in(site.path(), ["pagelets", "one.html", "--format", "xpath"])
        .ok()
        .stdout;
    assert!(text.starts_with("function "), "{text}");
    for line in [
        "main-content\t/html[1]/body[1]/main[1]",
        "footer\t/html[1]/body[1]/footer[1]",
    ] {
        assert!(xpath.lines().any(|known| known == line), "{line:?} in {xpath}");
    }
    assert_eq!(text.lines().count() - 1, xpath.lines().count(), "{text}{xpath}");
}

#[test]
fn a_page_alone_has_blocks_if_that_is_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let html = "<header>The Daily</header><article><p>News, and more of it, as long as need be.</p></article><footer>© Daily</footer>";
    fs::write(folder.path().join("page.html"), html).unwrap();
    husk_in(folder.path(), ["pagelets", "page.html"]).fails(3, &["no sibling page", "--alone"]);
    let json = husk_in(folder.path(), ["pagelets", "page.html", "--alone", "-f", "json"])
        .ok()
        .stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert!(functions(&json).contains(&"main-content"), "{json}");
    assert!(
        json["pagelets"][0]["template"].is_null(),
        "nothing is known of a template"
    );
}

#[test]
fn strange_pages_have_no_blocks_or_few() {
    let folder = tempfile::tempdir().unwrap();
    for (name, html) in [("space", "<p> "), ("script", "<script>x</script>")] {
        let file = format!("{name}.html");
        fs::write(folder.path().join(&file), html).unwrap();
        let text = husk_in(folder.path(), ["pagelets", &file, "--alone"]).ok().stdout;
        assert!(text.lines().count() <= 2, "{text}");
    }
}
