use std::io::Write;

use axum::Router;
use axum::extract::Request;
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE};
use axum::routing::get;
use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};

use super::run::{Run, options, run};
use super::server::Server;
use super::site::{self, FAULTY, html_of};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

fn brotli(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    brotli::CompressorWriter::new(&mut packed, 4096, 5, 22)
        .write_all(bytes)
        .unwrap();
    packed
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::default());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

/// Runs over a site in which one page has a `Content-Encoding`.
fn run_with(coding: &'static str, body: Vec<u8>) -> Run {
    let answer = move |request: Request| async move {
        let accepted = request
            .headers()
            .get(ACCEPT_ENCODING)
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned();
        for known in ["gzip", "br", "zstd"] {
            assert!(accepted.contains(known), "{accepted}");
        }
        ([(CONTENT_TYPE, "text/html"), (CONTENT_ENCODING, coding)], body)
    };
    let server = Server::app(Router::new().route(FAULTY, get(answer)).fallback(site::serve));
    run(&server, options())
}

fn page() -> Vec<u8> {
    html_of(FAULTY).into_bytes()
}

#[test]
fn packed_pages_are_unpacked() {
    run_with("gzip", gzip(&page())).lost_nothing();
    run_with("x-gzip", gzip(&page())).lost_nothing();
    run_with("br", brotli(&page())).lost_nothing();
    run_with("deflate", deflate(&page())).lost_nothing();
    run_with("zstd", zstd::encode_all(&page()[..], 3).unwrap()).lost_nothing();
    run_with("gzip, br", brotli(&gzip(&page()))).lost_nothing();
}

#[test]
fn gzip_that_ends_too_early_is_an_error() {
    let packed = gzip(&page());
    run_with("gzip", packed[..packed.len() / 2].to_vec()).lost_only_the_faulty(&[
        FAULTY,
        "Content-Encoding is gzip",
        "ends too early",
    ]);
}

#[test]
fn gzip_without_its_check_sum_is_a_page() {
    let packed = gzip(&page());
    run_with("gzip", packed[..packed.len() - 8].to_vec()).lost_nothing();
}

#[test]
fn broken_gzip_is_an_error() {
    let mut packed = gzip(&page());
    for byte in &mut packed[40..80] {
        *byte ^= 0x55;
    }
    run_with("gzip", packed).lost_only_the_faulty(&[FAULTY, "Content-Encoding is gzip", "damaged"]);
}

#[test]
fn broken_brotli_is_an_error() {
    let mut packed = brotli(&page());
    for byte in &mut packed[10..80] {
        *byte ^= 0x55;
    }
    run_with("br", packed).lost_only_the_faulty(&[FAULTY, "Content-Encoding is br"]);
}

#[test]
fn broken_zstd_is_an_error() {
    let packed = zstd::encode_all(&page()[..], 3).unwrap();
    run_with("zstd", packed[..packed.len() / 2].to_vec())
        .lost_only_the_faulty(&[FAULTY, "Content-Encoding is zstd"]);
}

#[test]
fn what_is_said_to_be_gzip_and_is_not_is_read_as_it_is() {
    run_with("gzip", page()).lost_nothing();
}

#[test]
fn an_unknown_coding_is_an_error() {
    run_with("sdch", page()).lost_only_the_faulty(&[FAULTY, "sdch", "not supported"]);
}

#[test]
fn an_empty_body_that_is_said_to_be_packed_is_an_error() {
    run_with("gzip", Vec::new()).lost_only_the_faulty(&[FAULTY]);
}
