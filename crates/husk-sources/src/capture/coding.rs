//! Decompresses responses (gzip, deflate, Brotli, Zstandard) within a size limit.

use std::borrow::Cow;
use std::io::{self, Read};

use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};

use super::Capture;
use crate::mime_type;
use crate::source::LoadError;
use crate::zstandard;

/// The most content encodings that may be applied to one response.
const MAX_ENCODINGS: usize = 3;

/// The largest Zstandard window that is accepted, as a power of two: 8 MiB, which all decoders must support.
const ZSTD_WINDOW_LOG: u32 = 23;

/// The decompressed body of a response.
pub(crate) fn decoded(capture: &Capture, max_bytes: u64) -> Result<Cow<'_, [u8]>, LoadError> {
    let mut bytes = Cow::Borrowed(&capture.body[..]);
    let codings = codings(capture);
    let is_packed = !codings.is_empty();
    if codings.len() > MAX_ENCODINGS {
        return Err(LoadError::Coding {
            object: capture.url.to_string(),
            coding: codings.join(", "),
            cause: format!("at most {MAX_ENCODINGS} encodings are supported"),
        });
    }
    for coding in codings.iter().rev() {
        bytes = Cow::Owned(decompressed(capture, coding, &bytes, max_bytes)?);
    }
    if bytes.len() as u64 > max_bytes {
        return Err(too_large(capture, max_bytes));
    }
    if !is_packed && !capture.is_whole && !mime_type::ends_as_page(&bytes) {
        return Err(LoadError::Network {
            object: capture.url.to_string(),
            cause: format!("the response is incomplete, it ended after {} bytes", bytes.len()),
        });
    }
    Ok(bytes)
}

/// The encodings in the order they were applied.
fn codings(capture: &Capture) -> Vec<String> {
    let fields = capture
        .headers
        .iter()
        .filter(|(name, _)| name.eq_ignore_ascii_case("content-encoding"));
    let codings = fields.flat_map(|(_, value)| value.split(','));
    codings
        .map(|coding| coding.trim().to_ascii_lowercase())
        .filter(|coding| !coding.is_empty() && coding != "identity")
        .collect()
}

fn decompressed(capture: &Capture, coding: &str, bytes: &[u8], max_bytes: u64) -> Result<Vec<u8>, LoadError> {
    let failed = |cause: String| LoadError::Coding {
        object: capture.url.to_string(),
        coding: coding.to_owned(),
        cause,
    };
    let mut reader: Box<dyn Read + '_> = match coding {
        "gzip" | "x-gzip" => Box::new(MultiGzDecoder::new(bytes)),
        "deflate" if is_zlib(bytes) => Box::new(ZlibDecoder::new(bytes)),
        // Some servers omit the zlib header.
        "deflate" => Box::new(DeflateDecoder::new(bytes)),
        "br" => Box::new(brotli_decompressor::Decompressor::new(bytes, 1 << 15)),
        "zstd" => {
            let reader = zstandard::reader(bytes, ZSTD_WINDOW_LOG);
            Box::new(reader.map_err(|cause| failed(cause.to_string()))?)
        }
        _ => return Err(failed("that is not supported".to_owned())),
    };
    let mut out = Vec::new();
    let read = reader
        .by_ref()
        .take(max_bytes.saturating_add(1))
        .read_to_end(&mut out);
    if out.len() as u64 > max_bytes {
        return Err(too_large(capture, max_bytes));
    }
    match read {
        Ok(_) => Ok(out),
        // A truncated stream may still contain the whole page.
        Err(_) if mime_type::ends_as_page(&out) => Ok(out),
        // Some servers declare an encoding they did not apply.
        Err(_) if mime_type::begins_as_page(bytes) => Ok(bytes.to_vec()),
        Err(cause) => Err(failed(broken(&cause, out.len()))),
    }
}

fn broken(cause: &io::Error, unpacked: usize) -> String {
    match cause.kind() {
        io::ErrorKind::Unsupported => cause.to_string(),
        io::ErrorKind::UnexpectedEof => format!("it ends too early, after {unpacked} bytes"),
        _ => format!("it is damaged after {unpacked} bytes ({cause})"),
    }
}

/// Whether bytes begin with a zlib header: the method, and a checksum over the first two bytes.
fn is_zlib(bytes: &[u8]) -> bool {
    matches!(bytes, [first, second, ..] if first & 0x0F == 8 && (u16::from(*first) << 8 | u16::from(*second)) % 31 == 0)
}

fn too_large(capture: &Capture, limit: u64) -> LoadError {
    LoadError::TooLarge {
        object: capture.url.to_string(),
        limit,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};

    use super::*;
    use crate::capture::tests::capture;

    const PAGE: &[u8] = b"<html><p>Hello, hello, hello, hello</html>";

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn unpack(coding: &str, bytes: &[u8]) -> Result<Vec<u8>, String> {
        let capture = capture(
            "https://example.org/",
            200,
            &[("Content-Encoding", coding)],
            bytes,
        );
        decoded(&capture, 1000)
            .map(Cow::into_owned)
            .map_err(|cause| cause.to_string())
    }

    #[test]
    fn undoes_every_coding() {
        assert_eq!(unpack("gzip", &gzip(PAGE)).unwrap(), PAGE);
        assert_eq!(unpack("GZIP, gzip", &gzip(&gzip(PAGE))).unwrap(), PAGE);
        assert_eq!(unpack("identity", PAGE).unwrap(), PAGE);
        assert_eq!(unpack("", PAGE).unwrap(), PAGE);
        let mut zlib = ZlibEncoder::new(Vec::new(), Compression::default());
        zlib.write_all(PAGE).unwrap();
        assert_eq!(unpack("deflate", &zlib.finish().unwrap()).unwrap(), PAGE);
        let mut raw = DeflateEncoder::new(Vec::new(), Compression::default());
        raw.write_all(PAGE).unwrap();
        assert_eq!(unpack("deflate", &raw.finish().unwrap()).unwrap(), PAGE);
        // "Hello" by the reference implementation.
        let brotli = [0x0B, 0x02, 0x80, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x03];
        assert_eq!(unpack("br", &brotli).unwrap(), b"Hello");
    }

    #[test]
    fn zstandard_is_undone_or_said_to_be_lacking() {
        let packed = unpack("zstd", &zstd::encode_all(PAGE, 3).unwrap());
        if cfg!(feature = "zstd") {
            assert_eq!(packed.unwrap(), PAGE);
        } else {
            let error = packed.unwrap_err();
            assert!(
                error.contains("zstd, but this build of Husk has no Zstandard"),
                "{error}"
            );
        }
        assert_eq!(unpack("zstd", PAGE).unwrap(), PAGE, "never packed");
    }

    #[test]
    fn what_breaks_off_behind_the_page_is_a_page() {
        let packed = gzip(PAGE);
        assert_eq!(unpack("gzip", &packed[..packed.len() - 8]).unwrap(), PAGE);
        let error = unpack("gzip", &packed[..packed.len() / 2]).unwrap_err();
        assert!(
            error.contains("Content-Encoding is gzip, but it ends too early"),
            "{error}"
        );
        assert_eq!(unpack("gzip", PAGE).unwrap(), PAGE, "never packed");
        let error = unpack("gzip", b"words, but neither a page nor packed").unwrap_err();
        assert!(
            error.contains("Content-Encoding is gzip, but it is damaged"),
            "{error}"
        );
        let error = unpack("snappy", b"...").unwrap_err();
        assert!(error.contains("snappy, but that is not supported"), "{error}");
    }

    #[test]
    fn bombs_do_not_go_off() {
        let bomb = vec![b' '; 10_000_000];
        for (coding, packed) in [
            ("gzip", gzip(&bomb)),
            ("gzip, gzip", gzip(&gzip(&bomb))),
            ("zstd", zstd::encode_all(&bomb[..], 3).unwrap()),
        ] {
            if coding == "zstd" && !cfg!(feature = "zstd") {
                continue;
            }
            let error = unpack(coding, &packed).unwrap_err();
            assert!(error.contains("too large"), "{error}");
        }
        let often = "gzip, gzip, gzip, gzip";
        assert!(
            unpack(often, &gzip(PAGE))
                .unwrap_err()
                .contains("at most 3 encodings")
        );
    }

    #[test]
    fn what_is_cut_short_is_no_page_unless_it_ends_as_one() {
        let mut cut = capture("https://example.org/", 200, &[], b"<html><p>Hel");
        cut.is_whole = false;
        assert!(
            decoded(&cut, 1000)
                .unwrap_err()
                .to_string()
                .contains("after 12 bytes")
        );
        cut.body = PAGE.to_vec();
        assert_eq!(&decoded(&cut, 1000).unwrap()[..], PAGE);
    }
}
