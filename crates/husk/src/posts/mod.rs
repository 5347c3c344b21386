//! The posts of a thread, the comments under an article and the reviews of a product, as records.
//!
//! A [`Page`] and its [`Content`] in; [`Posts`] out. Posts are elements that are built alike, hold most of the text, and have an author
//! and a date each ([`groups`], [`fields`]). Their text is what is in the same element in each of them ([`body`]). Where the page's
//! HTML has no such elements, JSON-LD may list them ([`structured`]). Records that are not certain are left out.

mod numbers;

mod groups;

mod rating;

mod fields;

mod body;

mod structured;

use husk_dom::{Dom, NodeId, NodeKind, name};
use indexmap::IndexSet;
use url::Url;

use crate::content::Content;
use crate::hints::is_heading;
use crate::links::{SameSite, base_url};
use crate::mapping::NodeSet;
use crate::measure::{is_never_shown, words};
use crate::metadata::JsonLd;
use crate::page::Page;
use body::{Bodies, Letters};
use fields::{Field, Fields};
use groups::{Group, groups};
use numbers::{LEAST_COVERED, LEAST_POSTS, LEAST_WORDS, LONGEST_DATE, MOST, MOST_GROUPS, NEARLY_ALL, SMALL};
pub use rating::Rating;

/// The posts, comments and reviews of a page.
#[derive(Debug, Clone, Default)]
pub struct Posts {
    /// The posts of the thread that is the page's content.
    pub posts: Vec<Post>,
    /// The comments that are not content.
    pub comments: Vec<Post>,
    /// The reviews of what the page is about.
    pub reviews: Vec<Post>,
}

/// A post, comment or review.
#[derive(Debug, Clone)]
pub struct Post {
    /// Who wrote it.
    pub author: Option<String>,
    /// When, as RFC 3339 or, if it is not understood, as written.
    pub date: Option<String>,
    /// The rating, for reviews.
    pub rating: Option<Rating>,
    /// A page with only its text.
    pub text: Page,
}

impl Posts {
    /// Finds the posts of a page.
    pub fn of(page: &Page, content: &Content) -> Self {
        let dom = &page.dom;
        let Some(body) = dom.part(&name!("body")) else {
            return Self::default();
        };
        let search = Search::of(page, content, body);
        let reviews = search.reviews();
        let posts = search.thread(&search.content);
        let comments = search.thread(&search.comments);
        // What is rated is a review.
        let is_review = |thread: &Thread| {
            let first = thread.members[0];
            let mut of_reviews = reviews.iter().flat_map(|reviews| &reviews.members);
            of_reviews.any(|&review| dom.is_within(first, review) || dom.is_within(review, first))
        };
        let posts = posts.filter(|thread| !is_review(thread));
        let is_listed = |thread: &Thread| posts.as_ref().is_some_and(|posts| thread.repeats(posts, dom));
        let comments = comments.filter(|thread| !is_review(thread) && !is_listed(thread));
        let mut all = Self {
            posts: posts.map(|thread| thread.posts).unwrap_or_default(),
            comments: comments.map(|thread| thread.posts).unwrap_or_default(),
            reviews: reviews.map(|thread| thread.posts).unwrap_or_default(),
        };
        if all.posts.is_empty() || all.reviews.is_empty() {
            let said = structured::posts(&JsonLd::of(dom), &page.url);
            if all.posts.is_empty() && said.posts.len() >= LEAST_POSTS {
                all.posts = said.posts;
            }
            if all.reviews.is_empty() {
                all.reviews = said.reviews;
            }
        }
        all
    }
}

/// Posts with the elements that they are in.
struct Thread {
    members: Vec<NodeId>,
    posts: Vec<Post>,
}

impl Thread {
    /// Whether most of the posts are those of another thread, found in elements around or in the same ones.
    fn repeats(&self, other: &Self, dom: &Dom) -> bool {
        let is_repeated = |(member, post): &(&NodeId, &Post)| {
            let mut others = other.members.iter().zip(&other.posts);
            others.any(|(known, known_post)| {
                known_post.author == post.author
                    && (dom.is_within(*known, **member) || dom.is_within(**member, *known))
            })
        };
        let repeated = self.members.iter().zip(&self.posts).filter(is_repeated);
        2 * repeated.count() >= self.posts.len()
    }
}

/// A group of elements with the authors and dates of most of them.
struct Candidate<'a> {
    group: &'a Group,
    authors: Vec<Option<Field>>,
    dates: Vec<Option<Field>>,
    /// Empty unless they are reviews.
    ratings: Vec<Option<(NodeId, Rating)>>,
}

/// A page in which posts are looked for.
struct Search<'a> {
    page: &'a Page,
    base: Url,
    groups: Vec<Group>,
    /// The letters of the content, of the comments, and of what is not in links.
    content: Letters,
    comments: Letters,
    plain: Letters,
    ratings: Vec<(NodeId, Rating)>,
    fields: Fields<'a>,
}

impl<'a> Search<'a> {
    fn of(page: &'a Page, content: &Content, body: NodeId) -> Self {
        let dom = &page.dom;
        let is_plain = plain_texts(dom);
        let ratings = dom
            .subtree(body)
            .filter_map(|node| Some((node, rating::rating(dom, node)?)))
            .collect();
        Self {
            page,
            base: base_url(page),
            groups: groups(dom, body),
            content: Letters::of(dom, |node| content.nodes.contains(node)),
            comments: Letters::of(dom, |node| content.comments.contains(node)),
            plain: Letters::of(dom, |node| is_plain.contains(node)),
            ratings,
            fields: Fields::of(dom, body),
        }
    }

    /// The posts that hold most of the letters: of several kinds of elements with nearly as many, the most numerous and the smallest.
    fn thread(&self, letters: &Letters) -> Option<Thread> {
        let dom = &self.page.dom;
        let covered = |group: &Group| -> u32 {
            group
                .outermost(dom)
                .map(|member| letters.within(dom, member))
                .sum()
        };
        let least = (LEAST_COVERED * f64::from(letters.all())).max(1.0);
        let mut large: Vec<(u32, &Group)> = self
            .groups
            .iter()
            .map(|group| (covered(group), group))
            .filter(|&(covered, _)| f64::from(covered) >= least)
            .collect();
        large.sort_by_key(|(_, group)| std::cmp::Reverse(group.members.len()));
        large.truncate(MOST_GROUPS);
        let found: Vec<(u32, Candidate<'_>)> = large
            .into_iter()
            .filter_map(|(covered, group)| {
                let candidate = self.candidate(group)?;
                (!candidate.dates.is_empty() && !candidate.authors.is_empty()).then_some((covered, candidate))
            })
            .collect();
        self.best(found, letters)
    }

    /// Of the candidates with nearly as many letters as the best, those with the most members and the smallest.
    fn best(&self, mut found: Vec<(u32, Candidate<'_>)>, letters: &Letters) -> Option<Thread> {
        let dom = &self.page.dom;
        let most = found.iter().map(|(covered, _)| *covered).max()?;
        found.retain(|(covered, _)| f64::from(*covered) >= NEARLY_ALL * f64::from(most));
        found.sort_by_key(|(_, candidate)| {
            let members = &candidate.group.members;
            let size: usize = members.iter().map(|&member| dom.size(member)).sum();
            (std::cmp::Reverse(members.len()), size)
        });
        found
            .iter()
            .find_map(|(_, candidate)| self.posts(candidate, letters))
    }

    fn candidate<'b>(&self, group: &'b Group) -> Option<Candidate<'b>> {
        if !group.is_typed && self.is_list_of_pages(group) {
            return None;
        }
        Some(Candidate {
            group,
            authors: self.fields.authors(group).unwrap_or_default(),
            dates: self.fields.dates(group).unwrap_or_default(),
            ratings: Vec::new(),
        })
    }

    fn rating_of(&self, group: &Group, number: usize) -> Option<(NodeId, Rating)> {
        let range = self.page.dom.range(group.members[number]);
        let from = self
            .ratings
            .partition_point(|(node, _)| node.index() < range.start);
        let found = self.ratings.get(from)?;
        (found.0.index() < range.end).then_some(*found)
    }

    /// The reviews: elements with a rating, an author or a date, and a text each.
    fn reviews(&self) -> Option<Thread> {
        if self.ratings.len() < LEAST_POSTS {
            return None;
        }
        let mut rated: Vec<&Group> = self
            .groups
            .iter()
            .filter(|group| {
                let members = 0..group.members.len();
                let rated = members.filter(|&number| self.rating_of(group, number).is_some());
                rated.count() as f64 >= MOST * group.members.len() as f64
            })
            .collect();
        rated.sort_by_key(|group| std::cmp::Reverse(group.members.len()));
        rated.truncate(MOST_GROUPS);
        let found: Vec<(u32, Candidate<'_>)> = rated
            .into_iter()
            .filter_map(|group| {
                let mut candidate = self.candidate(group)?;
                candidate.ratings = (0..group.members.len())
                    .map(|number| self.rating_of(group, number))
                    .collect();
                let is_review = !candidate.authors.is_empty() && !candidate.dates.is_empty();
                let letters: u32 = group
                    .outermost(&self.page.dom)
                    .map(|member| self.plain.within(&self.page.dom, member))
                    .sum();
                is_review.then_some((letters, candidate))
            })
            .collect();
        let mut reviews = self.best(found, &self.plain)?;
        let named = self.other_products(&reviews.members);
        let mut is_of_page = named.iter().map(|is_named| !is_named);
        reviews.members.retain(|_| is_of_page.next() != Some(false));
        let mut is_of_page = named.iter().map(|is_named| !is_named);
        reviews.posts.retain(|_| is_of_page.next() != Some(false));
        (!reviews.posts.is_empty()).then_some(reviews)
    }

    /// Which of some reviews name another page of the site as what they are about: a link whose text is not that of a button,
    /// which most of the others have too.
    fn other_products(&self, members: &[NodeId]) -> Vec<bool> {
        let dom = &self.page.dom;
        let links: Vec<IndexSet<(String, String)>> = members
            .iter()
            .map(|&member| {
                let links = dom
                    .subtree(member)
                    .filter(|&node| dom.is_element(node, &name!("a")));
                links.filter_map(|link| self.other_product(link)).collect()
            })
            .collect();
        let are_alike = |text: &str| {
            let with = links
                .iter()
                .filter(|links| links.iter().any(|(other, _)| other == text));
            2 * with.count() > members.len()
        };
        links
            .iter()
            .map(|links| links.iter().any(|(text, _)| !are_alike(text)))
            .collect()
    }

    /// The text and the target of a link to another page of the site that is not a person's. One page may be in several folders.
    fn other_product(&self, link: NodeId) -> Option<(String, String)> {
        let dom = &self.page.dom;
        let target = dom.attribute(link, &name!("href"))?.trim();
        let url = self.base.join(target).ok()?;
        let own = self
            .page
            .url
            .path_segments()
            .and_then(|mut names| names.next_back());
        let other = url.path_segments().and_then(|mut names| names.next_back());
        let is_other =
            SameSite::Host.holds(&self.page.url, &url) && own != other && !fields::is_profile(target);
        let text = words(dom.text_of(link)).collect::<Vec<_>>().join(" ");
        (is_other && !text.is_empty()).then(|| (text, url.path().to_owned()))
    }

    /// The records of a candidate, if most have a text.
    fn posts(&self, candidate: &Candidate<'_>, letters: &Letters) -> Option<Thread> {
        let dom = &self.page.dom;
        let group = candidate.group;
        let mut is_field = NodeSet::none(dom);
        for field in candidate.authors.iter().chain(&candidate.dates).flatten() {
            is_field.insert(field.node);
        }
        // What holds more than its stars is not only a rating.
        let is_small = |node: NodeId| dom.size(node) < SMALL;
        for &(node, _) in candidate
            .ratings
            .iter()
            .flatten()
            .filter(|(node, _)| is_small(*node))
        {
            is_field.insert(node);
        }
        let bodies = Bodies::of(dom, group, letters, &is_field);
        let (mut members, mut posts) = (Vec::new(), Vec::new());
        let (mut all_words, mut all_linked, mut only_dates) = (0, 0, 0);
        for (number, &member) in group.members.iter().enumerate() {
            let field =
                |fields: &[Option<Field>]| fields.get(number).cloned().flatten().map(|field| field.value);
            let (author, date) = (field(&candidate.authors), field(&candidate.dates));
            // An advertisement between the posts has no author and no date; the page's header may have one of them.
            if date.is_none() && (author.is_none() || !group.is_typed)
                || author.is_none() && !is_after(&posts, &date)
            {
                continue;
            }
            let Some(text) = bodies.page(number, &self.base, &is_field, author.as_deref()) else {
                continue;
            };
            let (count, linked) = count_words(&text.dom);
            if count == 0 || (group.members.len() == LEAST_POSTS && 2 * linked > count) {
                continue;
            }
            all_words += count;
            all_linked += linked;
            only_dates += usize::from(is_date(text.dom.text_of(text.dom.document())));
            members.push(member);
            posts.push(Post {
                author,
                date,
                rating: candidate
                    .ratings
                    .get(number)
                    .copied()
                    .flatten()
                    .map(|(_, rating)| rating),
                text,
            });
        }
        let is_thread = posts.len() >= LEAST_POSTS
            && posts.len() as f64 >= MOST * group.members.len() as f64
            && all_words >= LEAST_WORDS * posts.len()
            && 2 * all_linked <= all_words
            && 2 * only_dates <= posts.len();
        let dates: Vec<&str> = posts.iter().filter_map(|post| post.date.as_deref()).collect();
        let is_out_of_order = fields::is_first_out_of_order(&dates);
        if let ([first, .., last], Some(Some(author))) = (&mut *posts, candidate.authors.first()) {
            if is_out_of_order {
                first.date = None;
            }
            // By the first post may be who wrote the last.
            if !author.is_usual && first.author == last.author {
                first.author = None;
            }
        }
        is_thread.then_some(Thread { members, posts })
    }

    /// Whether most members have a title that leads to another page: teasers have an author and a date as well.
    fn is_list_of_pages(&self, group: &Group) -> bool {
        let dom = &self.page.dom;
        let mut titles: IndexSet<(String, &str)> = IndexSet::new();
        for number in 0..group.members.len() {
            let mut heading_until = 0;
            for node in group.own(dom, number) {
                if dom.kind(node) != NodeKind::Element {
                    continue;
                }
                if is_heading(dom, node) {
                    heading_until = dom.range(node).end;
                }
                let is_heading = node.index() < heading_until
                    || dom
                        .subtree(node)
                        .take(8)
                        .any(|inner| dom.kind(inner) == NodeKind::Element && is_heading(dom, inner));
                if is_heading
                    && dom.is_element(node, &name!("a"))
                    && let Some(target) = self.other_page(node)
                {
                    titles.insert((dom.text_of(node).trim().to_owned(), target));
                    break;
                }
            }
        }
        titles.len() as f64 >= LEAST_COVERED * group.members.len() as f64
    }

    /// The target of a link, if it is another page and has a text.
    fn other_page(&self, link: NodeId) -> Option<&'a str> {
        let dom = &self.page.dom;
        let target = dom.attribute(link, &name!("href"))?;
        let url = self.base.join(target.trim()).ok()?;
        let is_other = url.fragment().is_none() && url != self.page.url && !fields::is_profile(target);
        (is_other && words(dom.text_of(link)).next().is_some()).then_some(target)
    }
}

/// Whether a date is not before that of the last post.
fn is_after(posts: &[Post], date: &Option<String>) -> bool {
    posts.last().is_some_and(|last| last.date <= *date)
}

/// The texts that are shown and in no link, button or form.
fn plain_texts(dom: &Dom) -> NodeSet {
    let mut texts = NodeSet::none(dom);
    let mut left_until = 0;
    for node in dom.nodes() {
        if node.index() < left_until {
            continue;
        }
        let is_left = is_never_shown(dom, node)
            || (dom.kind(node) == NodeKind::Element
                && matches!(&**dom.name(node), "a" | "button" | "select" | "textarea"));
        if is_left {
            left_until = dom.range(node).end;
        } else if dom.kind(node) == NodeKind::Text {
            texts.insert(node);
        }
    }
    texts
}

/// Whether a text is only a date: the body is elsewhere.
fn is_date(text: &str) -> bool {
    let text = text.trim();
    text.len() <= LONGEST_DATE && fields::shown_date(text).is_some()
}

/// The words of a page, and those of them in links.
fn count_words(dom: &Dom) -> (usize, usize) {
    let linked = dom
        .nodes()
        .filter(|&node| dom.is_element(node, &name!("a")))
        .map(|node| words(dom.text_of(node)).count())
        .sum();
    (words(dom.text_of(dom.document())).count(), linked)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::nodes_text;

    const SENTENCES: [&str; 4] = [
        "The mill stood by the river for three hundred years, and then, one night, it was gone, and nobody knew why.",
        "I have seen it go, and it was not the river, it was the wind, which came from the hills that night.",
        "We went there on Sunday and found a stone with a name on it, so I think that there is more to say.",
        "Nobody has asked the miller yet, who has lived in the next town ever since, and who may remember it well.",
    ];

    /// A page with a post of each sentence.
    fn page(post: impl Fn(usize, &str) -> String) -> Page {
        let posts: String = SENTENCES
            .iter()
            .enumerate()
            .map(|(number, text)| post(number, text))
            .collect();
        let html = format!(
            "<title>The mill</title><ul><li><a href=/>Home</a><li><a href=/f>Forum</a></ul><h1>The mill</h1>{posts}\
             <footer>All rights reserved</footer>"
        );
        Page::parse(Url::parse("https://example.org/thread").unwrap(), &html)
    }

    fn found(page: &Page) -> Posts {
        Posts::of(page, &Content::of_single_page(page))
    }

    /// Each record as one line.
    fn lines(posts: &[Post]) -> Vec<String> {
        let line = |post: &Post| {
            let text = nodes_text(&post.text, &NodeSet::all(&post.text.dom));
            let rating = post.rating.map(|rating| format!(" {}", rating.value));
            format!(
                "{} {}{}: {}",
                post.author.as_deref().unwrap_or("?"),
                post.date.as_deref().unwrap_or("?"),
                rating.unwrap_or_default(),
                text.trim()
            )
        };
        posts.iter().map(line).collect()
    }

    const NAMES: [&str; 4] = ["Ann", "Ben", "Cleo", "Ann"];

    fn expected(rating: &str) -> Vec<String> {
        let line = |number: usize| {
            let (name, text) = (NAMES[number], SENTENCES[number]);
            format!("{name} 2024-05-0{}{rating}: {text}", number + 1)
        };
        (0..4).map(line).collect()
    }

    #[test]
    fn posts_have_author_date_and_text() {
        let post = |number: usize, text: &str| {
            format!(
                "<div class='post p{number}'><div class=card><a href='/users/{number}'>{}</a> Member<br>Joined: 1 May 200{}</div>\
                 <span class=when>Posted: May {}, 2024</span><div class=body><p>{text}</p></div>\
                 <div class=signature>I like mills</div><a href='#r{number}'>Reply</a></div>",
                NAMES[number],
                9 - number * 2 % 5,
                number + 1
            )
        };
        let posts = found(&page(post));
        assert_eq!(lines(&posts.posts), expected(""));
        assert!(posts.comments.is_empty() && posts.reviews.is_empty());
    }

    #[test]
    fn a_post_without_author_or_date_is_no_post() {
        let post = |_, text: &str| format!("<div class=post><p>{text}</p></div>");
        assert!(found(&page(post)).posts.is_empty());
        let post = |number: usize, text: &str| {
            format!(
                "<div class=post><b class=author>{}</b><p>{text}</p></div>",
                NAMES[number]
            )
        };
        assert!(found(&page(post)).posts.is_empty());
    }

    #[test]
    fn teasers_are_no_posts() {
        let teaser = |number: usize, text: &str| {
            format!(
                "<article class=post><h2><a href='/story/{number}'>Story {number}</a></h2><a rel=author href=/x>{}</a>\
                 <time datetime=2024-05-0{}>May</time><p>{text}</p></article>",
                NAMES[number],
                number + 1
            )
        };
        assert!(found(&page(teaser)).posts.is_empty());
    }

    #[test]
    fn nested_replies_are_posts_of_their_own() {
        let post = |number: usize, text: &str| {
            format!(
                "<div class=post><a href='/u/{name}'>{name}</a> <time datetime=2024-05-0{}>May</time><p>{text}</p>{}",
                number + 1,
                if number == 3 {
                    "</div></div></div></div>"
                } else {
                    ""
                },
                name = NAMES[number]
            )
        };
        assert_eq!(lines(&found(&page(post)).posts), expected(""));
    }

    #[test]
    fn posts_are_not_comments_as_well() {
        let post = |number: usize, text: &str| {
            let day = number + 1;
            format!(
                "<div class=post><div class=comment-head><a href='/u/{name}'>{name}</a> <time datetime=2024-05-0{day}>May</time> \
                 wrote in the forum</div><p>{text}</p></div>",
                name = NAMES[number]
            )
        };
        let page = page(post);
        let mut content = Content::of_single_page(&page);
        content.comments = NodeSet::all(&page.dom);
        let posts = Posts::of(&page, &content);
        assert_eq!((posts.posts.len(), posts.comments.len()), (4, 0));
    }

    #[test]
    fn reviews_have_ratings() {
        let review = |number: usize, text: &str| {
            format!(
                "<li class=entry><span aria-label='4 out of 5 stars'></span><b class=author>{}</b> <time>{} May 2024</time>\
                 <p>{text}</p></li>",
                NAMES[number],
                number + 1
            )
        };
        let posts = found(&page(review));
        assert_eq!(lines(&posts.reviews), expected(" 4"));
        assert!(posts.posts.is_empty());
    }

    #[test]
    fn reviews_of_other_products_are_left_out() {
        let review = |number: usize, text: &str| {
            let product = if number > 1 {
                format!("<a href='/mills/{number}.html#reviews'>Mill {number}</a>")
            } else {
                String::new()
            };
            format!(
                "<li class=entry><span aria-label='4 out of 5 stars'></span><b class=author>{}</b> <time>{} May 2024</time>{product}\
                 <p>{text}</p><a href=/help>Help</a></li>",
                NAMES[number],
                number + 1
            )
        };
        let posts = found(&page(review));
        assert_eq!(lines(&posts.reviews), expected(" 4")[..2]);
    }

    #[test]
    fn names_in_a_class_of_any_ending_are_authors() {
        let post = |number: usize, text: &str| {
            format!(
                "<div class=post><span class=vtusername><b class=username-coloured>{}</b></span><p class=when>{} Mai 2024, 15:25</p>\
                 <div class=body><p>{text}</p></div></div>",
                NAMES[number],
                number + 1
            )
        };
        assert_eq!(lines(&found(&page(post)).posts), expected(""));
    }

    #[test]
    fn json_ld_lists_posts_and_reviews() {
        let html = r#"<title>The mill</title><p>The mill stood by the river.</p><script type="application/ld+json">
            {"@type": "DiscussionForumPosting", "author": {"name": "Ann"}, "datePublished": "2024-05-01", "text": "It is gone.",
             "comment": [{"@type": "Comment", "author": {"name": "Ben"}, "datePublished": "2024-05-02", "text": "I saw it."}]}
            </script><script type="application/ld+json">{"@type": "Product", "review": {"@type": "Review", "author": "Cleo",
             "reviewRating": {"ratingValue": "4", "bestRating": 5}, "reviewBody": "Good flour."}}</script>"#;
        let page = Page::parse(Url::parse("https://example.org/thread").unwrap(), html);
        let posts = found(&page);
        assert_eq!(
            lines(&posts.posts),
            ["Ann 2024-05-01: It is gone.", "Ben 2024-05-02: I saw it."]
        );
        assert_eq!(lines(&posts.reviews), ["Cleo ? 4: Good flour."]);
    }
}
