//! Content negotiation by the header field `Accept` (RFC 9110, section 12.5.1).

use axum::http::{HeaderMap, header};

use crate::problem::{Problem, ProblemType};

/// The media type of progress.
pub(crate) const EVENTS: &str = "text/event-stream";

/// How well a range of media types fits one: how exactly, and how much it is wanted.
type Fit = (u8, f32);

/// The place of the media type that is preferred among those available; the first if all are equal.
pub(crate) fn choose(headers: &HeaderMap, available: &[&str]) -> Result<usize, Problem> {
    let accept = accepted(headers);
    let mut best: Option<(f32, usize)> = None;
    for (place, media_type) in available.iter().enumerate() {
        let quality = quality(&accept, media_type);
        if quality > 0.0 && best.is_none_or(|(most, _)| quality > most) {
            best = Some((quality, place));
        }
    }
    best.map(|(_, place)| place).ok_or_else(|| {
        let plain: Vec<&str> = available.iter().map(|media_type| essence(media_type)).collect();
        let message = format!("Accept: {accept} fits none of {}", plain.join(", "));
        Problem::new(ProblemType::NotAcceptable, message)
    })
}

/// Whether the client asks for progress events by name.
pub(crate) fn wants_events(headers: &HeaderMap) -> bool {
    let accept = accepted(headers);
    ranges(&accept).any(|(range, quality)| range == EVENTS && quality > 0.0)
}

fn accepted(headers: &HeaderMap) -> String {
    let values = headers.get_all(header::ACCEPT).iter();
    let values: Vec<&str> = values.filter_map(|value| value.to_str().ok()).collect();
    let accept = values.join(", ");
    if accept.trim().is_empty() {
        "*/*".to_owned()
    } else {
        accept
    }
}

fn quality(accept: &str, media_type: &str) -> f32 {
    let media_type = essence(media_type);
    let fits = ranges(accept).filter_map(|(range, quality)| Some((exactness(&range, media_type)?, quality)));
    // The most exact range counts; of those the one that wants it most.
    fits.fold((0, 0.0), |best: Fit, fit| {
        if fit.0 > best.0 || (fit.0 == best.0 && fit.1 > best.1) {
            fit
        } else {
            best
        }
    })
    .1
}

fn exactness(range: &str, media_type: &str) -> Option<u8> {
    let kind = media_type.split('/').next().unwrap_or_default();
    match range {
        _ if range == media_type => Some(3),
        "*/*" => Some(1),
        _ => (range.strip_suffix("/*") == Some(kind)).then_some(2),
    }
}

/// The ranges of media types, and how much each is wanted.
fn ranges(accept: &str) -> impl Iterator<Item = (String, f32)> {
    accept.split(',').map(|part| {
        let mut parameters = part.split(';').map(str::trim);
        let range = parameters.next().unwrap_or_default().to_ascii_lowercase();
        let quality = parameters.find_map(|parameter| parameter.strip_prefix("q="));
        (
            range,
            quality.and_then(|quality| quality.parse().ok()).unwrap_or(1.0),
        )
    })
}

/// A media type without its parameters.
pub(crate) fn essence(media_type: &str) -> &str {
    media_type.split(';').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const JSON: &str = "application/json";
    const HTML: &str = "text/html; charset=utf-8";
    const MARKDOWN: &str = "text/markdown; charset=utf-8";

    fn check(accept: &str, expect: Option<&str>) {
        let mut headers = HeaderMap::new();
        if !accept.is_empty() {
            headers.insert(header::ACCEPT, accept.parse().unwrap());
        }
        let available = [JSON, HTML, MARKDOWN];
        let chosen = choose(&headers, &available).map(|place| available[place]);
        assert_eq!(chosen.ok(), expect, "{accept}");
    }

    #[test]
    fn the_form_that_is_wanted_most() {
        check("", Some(JSON));
        check("*/*", Some(JSON));
        check("text/html", Some(HTML));
        check("text/*", Some(HTML));
        check("text/*;q=0.5, text/markdown", Some(MARKDOWN));
        check("text/html;q=0.2, application/json;q=0.1", Some(HTML));
        check("application/json;q=0, */*", Some(HTML));
        check(
            "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
            Some(HTML),
        );
        check("TEXT/HTML; charset=utf-8", Some(HTML));
        check("image/png", None);
        check("application/json;q=0", None);
        check("text/html;q=much", Some(HTML));
    }

    #[test]
    fn progress_is_only_for_those_who_say_so() {
        let wants = |accept: &str| {
            let headers = HeaderMap::from_iter([(header::ACCEPT, accept.parse().unwrap())]);
            wants_events(&headers)
        };
        assert!(wants("text/event-stream"));
        assert!(wants("application/json, text/event-stream;q=0.5"));
        assert!(!wants("*/*") && !wants("text/*") && !wants("text/event-stream;q=0"));
    }
}
