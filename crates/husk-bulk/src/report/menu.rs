//! Menus of bounded size: a site may put on its pages what it likes.

use crate::row::MenuEntry;

/// So many entries of a menu are kept.
const MOST_ENTRIES: usize = 500;

/// So many levels: more could not be read back, and nobody has them.
const MOST_LEVELS: usize = 12;

/// So many letters of a label.
const LONGEST_LABEL: usize = 200;

/// An address that is longer is left out: a part of it would lead elsewhere.
const LONGEST_ADDRESS: usize = 2_000;

/// What is kept of a menu, and how many entries are not.
pub(super) fn kept_menu(menu: &[MenuEntry]) -> (Vec<MenuEntry>, u64) {
    first_entries(menu, MOST_ENTRIES)
}

/// The first entries of a menu as they are read from top to bottom, and how many there are beside them.
pub(super) fn first_entries(menu: &[MenuEntry], most: usize) -> (Vec<MenuEntry>, u64) {
    let mut room = most;
    let kept = take(menu, &mut room, MOST_LEVELS);
    let left_out = count(menu) - (most - room) as u64;
    (kept, left_out)
}

/// The first letters of a text.
pub(super) fn first_letters(text: &str, most: usize) -> &str {
    text.char_indices()
        .nth(most)
        .map_or(text, |(end, _)| &text[..end])
}

fn take(entries: &[MenuEntry], room: &mut usize, levels: usize) -> Vec<MenuEntry> {
    let mut kept = Vec::new();
    for entry in entries {
        if *room == 0 || levels == 0 {
            break;
        }
        *room -= 1;
        kept.push(MenuEntry {
            label: first_letters(&entry.label, LONGEST_LABEL).to_owned(),
            url: entry.url.clone().filter(|url| url.len() <= LONGEST_ADDRESS),
            children: take(&entry.children, room, levels - 1),
        });
    }
    kept
}

/// Without recursion: levels are not bounded here.
fn count(menu: &[MenuEntry]) -> u64 {
    let mut sum = 0;
    let mut open = vec![menu];
    while let Some(entries) = open.pop() {
        sum += entries.len() as u64;
        open.extend(entries.iter().map(|entry| &*entry.children));
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(label: &str, children: Vec<MenuEntry>) -> MenuEntry {
        MenuEntry {
            label: label.to_owned(),
            url: None,
            children,
        }
    }

    #[test]
    fn the_first_entries_are_kept_and_the_others_counted() {
        let menu = [
            entry("a", vec![entry("b", Vec::new()), entry("c", Vec::new())]),
            entry("d", vec![entry("e", Vec::new())]),
        ];
        assert_eq!(first_entries(&menu, 9), (menu.to_vec(), 0));
        let (kept, left_out) = first_entries(&menu, 2);
        assert_eq!(
            (kept, left_out),
            (vec![entry("a", vec![entry("b", Vec::new())])], 3)
        );
    }

    #[test]
    fn deep_long_and_many_are_cut() {
        let deep = (0..1_000).fold(Vec::new(), |children, _| vec![entry("x", children)]);
        let (kept, left_out) = kept_menu(&deep);
        assert_eq!(left_out, 1_000 - 12);
        let stored = serde_json::to_string(&kept).unwrap();
        assert_eq!(serde_json::from_str::<Vec<MenuEntry>>(&stored).unwrap(), kept);

        let wide = vec![entry(&"ä".repeat(10_000), Vec::new()); 2_000];
        let (kept, left_out) = kept_menu(&wide);
        assert_eq!((kept.len(), left_out), (500, 1_500));
        assert_eq!(kept[0].label.chars().count(), 200);

        let far = MenuEntry {
            url: Some("https://example.org/".repeat(200)),
            ..entry("far", Vec::new())
        };
        assert_eq!(kept_menu(&[far]).0, [entry("far", Vec::new())]);
    }
}
