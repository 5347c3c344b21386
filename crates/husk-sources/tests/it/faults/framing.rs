use super::run::{options, run};
use super::server::Server;
use super::site::{FAULTY, html_of};

const HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";

/// A site in which one page is answered with this after the first header fields.
fn answering(rest: impl Fn(String) -> String) -> Server {
    let answer = format!("{HEAD}{}", rest(html_of(FAULTY)));
    Server::with_fault(FAULTY, move |mut line| {
        let answer = answer.clone();
        async move { line.say(answer).await }
    })
}

#[test]
fn a_length_that_is_too_long_does_no_harm_to_a_whole_page() {
    let server = answering(|html| format!("Content-Length: {}\r\n\r\n{html}", html.len() + 100));
    run(&server, options()).lost_nothing();
}

#[test]
fn a_page_that_is_cut_off_is_none() {
    let server = answering(|html| {
        format!(
            "Content-Length: {}\r\n\r\n{}",
            html.len(),
            &html[..html.len() / 2]
        )
    });
    run(&server, options()).lost_only_the_faulty(&[FAULTY, "ended after", "incomplete"]);
}

#[test]
fn a_length_that_is_too_short_cuts_a_page_off() {
    // What follows does not belong to the page; half a page still is one.
    let server = answering(|html| format!("Content-Length: {}\r\n\r\n{html}", html.len() - 40));
    run(&server, options()).lost_nothing();
}

#[test]
fn a_length_that_is_no_number_is_an_error() {
    let server = answering(|html| format!("Content-Length: many\r\n\r\n{html}"));
    run(&server, options()).lost_only_the_faulty(&[FAULTY, "cannot load"]);
}

#[test]
fn lengths_that_contradict_each_other_are_an_error() {
    let server = answering(|html| {
        format!(
            "Content-Length: 12\r\nContent-Length: {}\r\n\r\n{html}",
            html.len()
        )
    });
    run(&server, options()).lost_only_the_faulty(&[FAULTY, "cannot load"]);
}

#[test]
fn a_broken_chunk_size_brings_no_page() {
    let server = answering(|html| {
        format!(
            "Transfer-Encoding: chunked\r\n\r\n10\r\n{}\r\nzz\r\n",
            &html[..16]
        )
    });
    run(&server, options()).lost_only_the_faulty(&[FAULTY, "ended after 16 bytes"]);
}

#[test]
fn a_chunk_size_beyond_all_numbers_brings_no_page() {
    let server = answering(|html| format!("Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n{html}"));
    run(&server, options()).lost_only_the_faulty(&[FAULTY]);
}

#[test]
fn a_whole_page_in_chunks_without_a_last_one_is_used() {
    let server =
        answering(|html| format!("Transfer-Encoding: chunked\r\n\r\n{:x}\r\n{html}\r\n", html.len()));
    run(&server, options()).lost_nothing();
}

#[test]
fn a_page_that_ends_with_the_connection_is_used() {
    let server = answering(|html| format!("\r\n{html}"));
    run(&server, options()).lost_nothing();
}
