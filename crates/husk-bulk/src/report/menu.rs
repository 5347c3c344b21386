//! Bounds the size of menus, since pages may hold anything.

use crate::row::RowMenuItem;

/// Items kept.
const MAX_ITEMS: usize = 500;

/// Levels kept. JSON parsers limit the depth.
const MAX_LEVELS: usize = 12;

/// Characters of a label kept.
const MAX_LABEL_CHARS: usize = 200;

/// Longer URLs are dropped.
const MAX_URL_BYTES: usize = 2_000;

/// A menu of bounded size, and the number of omitted items.
pub(super) fn bounded_menu(menu: &[RowMenuItem]) -> (Vec<RowMenuItem>, u64) {
    first_items(menu, MAX_ITEMS)
}

/// The first items of a menu from top to bottom, and the number of the others.
pub(super) fn first_items(menu: &[RowMenuItem], max_items: usize) -> (Vec<RowMenuItem>, u64) {
    let mut room = max_items;
    let kept = take_items(menu, &mut room, MAX_LEVELS);
    let omitted = count(menu) - (max_items - room) as u64;
    (kept, omitted)
}

/// The first characters of a text.
pub(super) fn first_chars(text: &str, max_chars: usize) -> &str {
    text.char_indices()
        .nth(max_chars)
        .map_or(text, |(end, _)| &text[..end])
}

fn take_items(items: &[RowMenuItem], room: &mut usize, levels: usize) -> Vec<RowMenuItem> {
    let mut kept = Vec::new();
    for item in items {
        if *room == 0 || levels == 0 {
            break;
        }
        *room -= 1;
        kept.push(RowMenuItem {
            label: first_chars(&item.label, MAX_LABEL_CHARS).to_owned(),
            url: item.url.clone().filter(|url| url.len() <= MAX_URL_BYTES),
            children: take_items(&item.children, room, levels - 1),
        });
    }
    kept
}

/// Without recursion, since the depth is unbounded here.
fn count(menu: &[RowMenuItem]) -> u64 {
    let mut sum = 0;
    let mut open = vec![menu];
    while let Some(items) = open.pop() {
        sum += items.len() as u64;
        open.extend(items.iter().map(|item| &*item.children));
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(label: &str, children: Vec<RowMenuItem>) -> RowMenuItem {
        RowMenuItem {
            label: label.to_owned(),
            url: None,
            children,
        }
    }

    #[test]
    fn omitted_items_are_counted() {
        let menu = [
            item("a", vec![item("b", Vec::new()), item("c", Vec::new())]),
            item("d", vec![item("e", Vec::new())]),
        ];
        assert_eq!(first_items(&menu, 9), (menu.to_vec(), 0));
        let (kept, omitted) = first_items(&menu, 2);
        assert_eq!((kept, omitted), (vec![item("a", vec![item("b", Vec::new())])], 3));
    }

    #[test]
    fn menus_are_bounded() {
        let deep = (0..1_000).fold(Vec::new(), |children, _| vec![item("x", children)]);
        let (kept, omitted) = bounded_menu(&deep);
        assert_eq!(omitted, 1_000 - 12);
        let stored = serde_json::to_string(&kept).unwrap();
        assert_eq!(serde_json::from_str::<Vec<RowMenuItem>>(&stored).unwrap(), kept);

        let wide = vec![item(&"ä".repeat(10_000), Vec::new()); 2_000];
        let (kept, omitted) = bounded_menu(&wide);
        assert_eq!((kept.len(), omitted), (500, 1_500));
        assert_eq!(kept[0].label.chars().count(), 200);

        let far = RowMenuItem {
            url: Some("https://example.org/".repeat(200)),
            ..item("far", Vec::new())
        };
        assert_eq!(bounded_menu(&[far]).0, [item("far", Vec::new())]);
    }
}
