#![allow(missing_docs, clippy::all, clippy::unwrap_used, clippy::print_stdout)]
use husk::*;
fn main() {
    let a: Vec<String> = std::env::args().skip(1).collect();
    let opt = |n: &str| a.iter().position(|x| x == n).map(|i| a[i + 1].clone());
    if a[0] == "eval" {
        let sites = husk_eval::Site::read_all(a[1].as_ref()).unwrap();
        let e = husk_eval::evaluate(&sites, &Options::default());
        println!(
            "{}",
            match opt("--format").as_deref() {
                Some("json") => e.json(),
                Some("csv") => e.csv(),
                _ => e.table(),
            }
        );
        return;
    }
    let root = std::path::PathBuf::from(opt("--site").unwrap());
    let f = husk_eval::folder::Folder::open(&root, Some(Url::parse(&opt("--base-url").unwrap()).unwrap()))
        .unwrap();
    let file = std::path::Path::new(&a[1]).strip_prefix(&root).unwrap();
    let mut s = Session::new(f.page(file).unwrap(), Options::default());
    while let Some(u) = s.next_wanted().cloned() {
        match f.load(&u) {
            Ok(p) => s.give(p),
            Err(c) => s.give_up(c),
        }
    }
    let e = s.finish();
    if e.compared.is_empty() {
        eprintln!("no sibling");
        std::process::exit(3)
    }
    if opt("--format").as_deref() == Some("json") {
        println!("{}", serde_json::to_string(&output::to_json(&e)).unwrap())
    } else {
        print!("{}", output::to_xpath(&e))
    }
}
