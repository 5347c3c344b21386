use super::run::{options, refusal, run, says};
use super::server::Server;
use super::site::{self, FAULTY, KEY_PAGE};

/// A site in which one page is answered with exactly these bytes.
fn answering(bytes: &'static [u8]) -> Server {
    Server::with_fault(FAULTY, move |mut line| async move { line.say(bytes).await })
}

#[test]
fn garbage_is_no_answer() {
    let server = answering(b"\x16\x03\x01 what do you want?\r\n\r\n<html>");
    run(&server, options()).lost_only_the_faulty(&["cannot load", "HTTP"]);
}

#[test]
fn an_invalid_status_line_is_no_answer() {
    let server = answering(b"HTTP/1.1 abc Fine\r\nContent-Type: text/html\r\n\r\n<html><p>Hello</html>");
    run(&server, options()).lost_only_the_faulty(&["cannot load", "HTTP"]);
}

#[test]
fn a_page_without_any_header_is_no_answer() {
    let server = answering(b"<html><p>As if it were 1991</html>");
    run(&server, options()).lost_only_the_faulty(&["cannot load", "HTTP"]);
}

#[test]
fn nul_bytes_in_a_header_are_no_answer() {
    let server =
        answering(b"HTTP/1.1 200 OK\r\nX-Evil: a\0b\r\nContent-Type: text/html\r\n\r\n<html></html>");
    run(&server, options()).lost_only_the_faulty(&["cannot load", "HTTP"]);
}

#[test]
fn http_1_0_is_understood() {
    let server = Server::lines(|asked, mut line| async move {
        let Some(html) = site::html(&asked.target) else {
            return line.say("HTTP/1.0 404 Not Found\r\n\r\n").await;
        };
        line.say(format!(
            "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n{html}"
        ))
        .await
    });
    run(&server, options()).lost_nothing();
}

#[test]
fn a_304_that_nobody_asked_for_is_an_error() {
    let server = answering(b"HTTP/1.1 304 Not Modified\r\n\r\n");
    run(&server, options()).lost_only_the_faulty(&["answers 304"]);
}

#[test]
fn informational_answers_come_before_the_page() {
    let server = Server::with_fault(FAULTY, |mut line| async move {
        line.say("HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n")
            .await?;
        line.answer_well(FAULTY).await
    });
    run(&server, options()).lost_nothing();
}

#[test]
fn informational_answers_without_end_are_bounded() {
    let server = Server::with_fault(FAULTY, |mut line| async move {
        line.repeat(b"HTTP/1.1 100 Continue\r\n\r\n", 1 << 30).await
    });
    run(&server, options()).lost_only_the_faulty(&[FAULTY]);
}

#[test]
fn an_upgrade_that_nobody_asked_for_is_no_page() {
    let server = Server::with_fault(FAULTY, |mut line| async move {
        line.say("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n")
            .await?;
        line.hang().await
    });
    run(&server, options()).lost_only_the_faulty(&[FAULTY]);
}

#[test]
fn the_key_page_of_a_server_that_speaks_garbage_is_an_error() {
    let server =
        Server::connections(|mut line| async move { line.say("220 ftp.example.org ready\r\n").await });
    says(&refusal(&server.url(KEY_PAGE), options()), &[KEY_PAGE, "HTTP"]);
}
