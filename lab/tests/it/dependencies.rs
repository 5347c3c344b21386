use std::fs;

use crate::run::repository;

#[test]
fn the_product_does_not_depend_on_the_lab() {
    let mut crates = 0;
    for folder in fs::read_dir(repository().join("crates")).unwrap() {
        let file = folder.unwrap().path().join("Cargo.toml");
        let manifest = fs::read_to_string(&file).unwrap();
        assert!(!manifest.contains("husk-lab"), "{}", file.display());
        crates += 1;
    }
    assert!(crates >= 8, "{crates}");
}
