use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::run::{Run, options, run};
use super::server::Server;
use super::site::FAULTY;

const HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";

/// More than any client should read; sent only while the client reads it.
const ENDLESS: u64 = 4 << 30;

/// What the buffers of a system may hold beside the limit of the source.
const BUFFERED: u64 = 32 << 20;

#[track_caller]
fn was_left_early(server: &Server, run: &Run, words: &[&str]) {
    run.lost_only_the_faulty(words);
    assert!(server.sent() < BUFFERED, "{} bytes were sent", server.sent());
}

#[test]
fn a_body_without_end_is_left() {
    let server = Server::with_fault(FAULTY, |mut line| async move {
        line.say(format!("{HEAD}Transfer-Encoding: chunked\r\n\r\n"))
            .await?;
        let chunk = format!("10000\r\n{}\r\n", "<p>on and on</p>".repeat(0x1000));
        line.repeat(chunk.as_bytes(), ENDLESS).await
    });
    was_left_early(&server, &run(&server, options()), &[FAULTY, "too large", "1 MiB"]);
}

#[test]
fn a_body_without_end_and_without_length_is_left() {
    let server = Server::with_fault(FAULTY, |mut line| async move {
        line.say(format!("{HEAD}\r\n")).await?;
        line.repeat("<p>on and on</p>".repeat(0x1000).as_bytes(), ENDLESS)
            .await
    });
    was_left_early(&server, &run(&server, options()), &[FAULTY, "too large", "1 MiB"]);
}

#[test]
fn a_huge_length_is_enough_to_leave() {
    let server = Server::with_fault(FAULTY, |mut line| async move {
        line.say(format!("{HEAD}Content-Length: {ENDLESS}\r\n\r\n"))
            .await?;
        line.repeat("<p>on and on</p>".repeat(0x1000).as_bytes(), ENDLESS)
            .await
    });
    was_left_early(&server, &run(&server, options()), &[FAULTY, "too large", "1 MiB"]);
}

#[test]
fn a_film_is_not_downloaded() {
    let server = Server::with_fault(FAULTY, |mut line| async move {
        line.say("HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n\r\n")
            .await?;
        line.repeat(&[0; 0x10000], ENDLESS).await
    });
    was_left_early(
        &server,
        &run(&server, options()),
        &[FAULTY, "is a film, not a page"],
    );
}

#[test]
fn ten_thousand_header_fields_are_too_many() {
    let server = Server::with_fault(FAULTY, |mut line| async move {
        line.say(HEAD).await?;
        for number in 0..10_000 {
            line.say(format!("X-Field-{number}: flood\r\n")).await?;
        }
        line.say("Content-Length: 17\r\n\r\n<html>Here</html>").await
    });
    was_left_early(&server, &run(&server, options()), &[FAULTY, "head is too large"]);
}

#[test]
fn a_header_field_of_ten_megabytes_is_too_long() {
    let server = Server::with_fault(FAULTY, |mut line| async move {
        line.say(format!("{HEAD}X-Long: ")).await?;
        line.repeat(&[b'x'; 0x10000], 10 << 20).await?;
        line.say("\r\nContent-Length: 17\r\n\r\n<html>Here</html>").await
    });
    was_left_early(&server, &run(&server, options()), &[FAULTY, "head is too large"]);
}

#[test]
fn header_fields_without_end_are_left() {
    let server = Server::with_fault(FAULTY, |mut line| async move {
        line.say(HEAD).await?;
        line.repeat(b"X-Field: flood\r\n", ENDLESS).await
    });
    was_left_early(&server, &run(&server, options()), &[FAULTY, "head is too large"]);
}

#[test]
fn trailers_without_end_are_left() {
    let server = Server::with_fault(FAULTY, |mut line| async move {
        line.say(format!(
            "{HEAD}Transfer-Encoding: chunked\r\n\r\n6\r\n<html>\r\n0\r\n"
        ))
        .await?;
        line.repeat(b"X-Field: flood\r\n", ENDLESS).await
    });
    was_left_early(&server, &run(&server, options()), &[FAULTY]);
}

#[test]
fn chunk_extensions_without_end_are_left() {
    let server = Server::with_fault(FAULTY, |mut line| async move {
        line.say(format!("{HEAD}Transfer-Encoding: chunked\r\n\r\n6;x="))
            .await?;
        line.repeat(&[b'x'; 0x1000], ENDLESS).await
    });
    was_left_early(&server, &run(&server, options()), &[FAULTY]);
}

/// The size of a page that compresses to almost nothing.
const UNPACKED: usize = 256 << 20;

/// Writes the bomb into an encoder, in pieces.
fn fill(mut packer: impl Write) {
    let piece = vec![b' '; 1 << 20];
    for _ in 0..UNPACKED / piece.len() {
        packer.write_all(&piece).unwrap();
    }
    packer.flush().unwrap();
}

#[track_caller]
fn does_not_go_off(coding: &'static str, bomb: Vec<u8>) {
    assert!(
        bomb.len() < 1 << 20,
        "{} bytes are over the limit as they are",
        bomb.len()
    );
    let server = Server::with_fault(FAULTY, move |line| {
        let bomb = bomb.clone();
        async move {
            let headers = ["Content-Type: text/html", &format!("Content-Encoding: {coding}")];
            line.answer("200 OK", &headers, &bomb).await
        }
    });
    run(&server, options()).lost_only_the_faulty(&[FAULTY, "too large", "1 MiB"]);
}

#[test]
fn a_gzip_bomb_does_not_go_off() {
    let mut bomb = GzEncoder::new(Vec::new(), Compression::best());
    fill(&mut bomb);
    does_not_go_off("gzip", bomb.finish().unwrap());
}

#[test]
fn a_gzip_bomb_in_a_gzip_bomb_does_not_go_off() {
    let mut bomb = GzEncoder::new(Vec::new(), Compression::best());
    fill(&mut bomb);
    let mut outer = GzEncoder::new(Vec::new(), Compression::best());
    outer.write_all(&bomb.finish().unwrap()).unwrap();
    does_not_go_off("gzip, gzip", outer.finish().unwrap());
}

#[test]
fn a_brotli_bomb_does_not_go_off() {
    let mut bomb = Vec::new();
    fill(brotli::CompressorWriter::new(&mut bomb, 1 << 16, 5, 22));
    does_not_go_off("br", bomb);
}

#[test]
fn a_zstd_bomb_does_not_go_off() {
    let mut bomb = zstd::stream::write::Encoder::new(Vec::new(), 3).unwrap();
    fill(&mut bomb);
    does_not_go_off("zstd", bomb.finish().unwrap());
}
