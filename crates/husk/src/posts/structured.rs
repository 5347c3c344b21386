//! Posts and reviews in JSON-LD.

use serde_json::{Map, Value};
use url::Url;

use super::rating::{Rating, number};
use super::{Post, Posts};
use crate::metadata::{JsonLd, first_text, read_date};
use crate::page::Page;

/// Properties that hold posts on what has them.
const REPLIES: [&str; 4] = ["comment", "acceptedAnswer", "suggestedAnswer", "answer"];

/// More are not read.
const MOST_OBJECTS: usize = 2000;

/// The posts and reviews that a page's JSON-LD lists.
pub(super) fn posts(json_ld: &JsonLd, url: &Url) -> Posts {
    let mut found = Posts::default();
    for object in json_ld.objects() {
        let reviews = values(object, "review").chain(values(object, "reviews"));
        if found.reviews.is_empty() {
            found.reviews = reviews
                .filter_map(|review| review_of(json_ld, review, url))
                .collect();
        }
        let is_thread = JsonLd::types(object)
            .any(|kind| matches!(kind, "DiscussionForumPosting" | "Question" | "SocialMediaPosting"));
        if is_thread && found.posts.is_empty() {
            found.posts = thread(json_ld, object, url);
        }
    }
    found
}

/// A post and all replies to it, in the order of the page. Empty unless each has an author and a text.
fn thread(json_ld: &JsonLd, first: &Map<String, Value>, url: &Url) -> Vec<Post> {
    let mut posts = Vec::new();
    let mut waiting = vec![first];
    while let Some(object) = waiting.pop() {
        let text = ["text", "articleBody"]
            .iter()
            .find_map(|key| object.get(*key)?.as_str());
        match post(json_ld, object, text, url) {
            Some(post) if posts.len() < MOST_OBJECTS => posts.push(post),
            _ => return Vec::new(),
        }
        let replies: Vec<&Map<String, Value>> = REPLIES.iter().flat_map(|key| values(object, key)).collect();
        waiting.extend(replies.into_iter().rev());
    }
    posts
}

fn review_of(json_ld: &JsonLd, object: &Map<String, Value>, url: &Url) -> Option<Post> {
    let text = ["reviewBody", "description"]
        .iter()
        .find_map(|key| object.get(*key)?.as_str());
    let rating = object.get("reviewRating")?.as_object()?;
    let points = |key: &str| match rating.get(key)? {
        Value::Number(points) => points.as_f64(),
        Value::String(points) => number(points.trim()),
        _ => None,
    };
    let mut post = post(json_ld, object, text, url)?;
    post.rating = Some(Rating {
        value: points("ratingValue")?,
        best: points("bestRating"),
    });
    Some(post)
}

fn post(json_ld: &JsonLd, object: &Map<String, Value>, text: Option<&str>, url: &Url) -> Option<Post> {
    let text = text.filter(|text| !text.trim().is_empty())?;
    let author = json_ld.names(object.get("author")?);
    let date = ["dateCreated", "datePublished", "uploadDate"]
        .iter()
        .find_map(|key| first_text(object.get(*key)?));
    // Line ends are paragraphs unless it is HTML.
    let html = if text.contains('<') {
        text.to_owned()
    } else {
        text.replace('\n', "<br>")
    };
    Some(Post {
        author: Some(author.first()?.trim().to_owned()).filter(|name| !name.is_empty()),
        date: date.map(|date| read_date(date).unwrap_or_else(|| date.trim().to_owned())),
        rating: None,
        text: Page::parse(url.clone(), &html),
    })
}

/// The objects of a property, given as one or as a list.
fn values<'a>(object: &'a Map<String, Value>, key: &str) -> impl Iterator<Item = &'a Map<String, Value>> {
    let values: &[Value] = match object.get(key) {
        Some(Value::Array(values)) => values,
        Some(value) => std::slice::from_ref(value),
        None => &[],
    };
    values.iter().filter_map(Value::as_object)
}
