fn main() {
    let path = std::env::args().nth(1).unwrap();
    for site in husk_eval::Site::read_all(path.as_ref()).unwrap() {
        for key in &site.key_pages {
            let bytes = std::fs::read(site.root.join(&key.file)).unwrap();
            let dom = husk_dom::Dom::from_bytes(&bytes, None);
            let gold = husk_eval::Gold::of(&dom, &key.labels);
            let xp = husk_dom::XPaths::of(&dom);
            println!("# {} {}", site.name, key.file.display());
            for w in &gold.unmatched {
                eprintln!("{} {w}", site.name)
            }
            for (n, l) in &gold.nodes {
                println!(
                    "{} {} {} {}",
                    l.template as u8,
                    l.main_content as u8,
                    l.main_menu as u8,
                    xp.path(&dom, *n)
                );
            }
        }
    }
}
