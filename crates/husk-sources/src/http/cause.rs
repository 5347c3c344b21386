//! Says in few words why a request failed.

use std::error::Error;
use std::io;

use husk::Url;
use rustls::{CertificateError, InvalidMessage};

/// Why a request failed, and the host it failed with.
pub(super) fn cause(url: &Url, error: &reqwest::Error) -> String {
    let host = url.host_str().unwrap_or_default();
    // The client could not even write the request.
    if error.is_builder() {
        return "the address is too long, or has letters that no server understands".to_owned();
    }
    let known = chain(error).find_map(|error| {
        if let Some(error) = error.downcast_ref::<rustls::Error>() {
            Some(tls(host, error))
        } else if let Some(error) = error.downcast_ref::<hyper::Error>() {
            http(host, error)
        } else if let Some(error) = error.downcast_ref::<io::Error>() {
            system(host, error)
        } else {
            None
        }
    });
    known.unwrap_or_else(|| match innermost(error) {
        words if words.starts_with("tunnel error") => {
            format!("the proxy does not connect us to {host} ({words})")
        }
        words => words,
    })
}

/// Whether the connection went away, as happens when a server restarts or tires of a connection it kept open.
pub(super) fn is_lost(error: &reqwest::Error) -> bool {
    chain(error).any(|error| {
        let hyper = error.downcast_ref::<hyper::Error>();
        let system = error.downcast_ref::<io::Error>();
        hyper.is_some_and(|error| error.is_incomplete_message() || error.is_canceled())
            || system.is_some_and(|error| is_lost_connection(error.kind()))
    })
}

fn is_lost_connection(kind: io::ErrorKind) -> bool {
    matches!(
        kind,
        io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::BrokenPipe
            | io::ErrorKind::UnexpectedEof
    )
}

fn tls(host: &str, error: &rustls::Error) -> String {
    match error {
        rustls::Error::InvalidCertificate(cause) => {
            format!(
                "TLS: the certificate of {host} is not valid: {}",
                certificate(cause)
            )
        }
        rustls::Error::InvalidMessage(InvalidMessage::InvalidContentType) => {
            format!("TLS: {host} does not speak it there, try http: instead of https:")
        }
        other => format!("TLS: {host} and we do not get along ({other})"),
    }
}

fn certificate(cause: &CertificateError) -> String {
    match cause {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => "it has expired".to_owned(),
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "it is not valid yet, check the clock".to_owned()
        }
        CertificateError::UnknownIssuer => "nobody we trust has issued it (unknown issuer)".to_owned(),
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "it is for another name".to_owned()
        }
        CertificateError::Revoked => "it was revoked".to_owned(),
        // A certificate that signs itself, says the library so.
        CertificateError::Other(other) if other.to_string().contains("CaUsedAsEndEntity") => {
            "it is its own issuer (self-signed)".to_owned()
        }
        other => other.to_string(),
    }
}

fn http(host: &str, error: &hyper::Error) -> Option<String> {
    if error.is_incomplete_message() {
        Some(format!("{host} closed the connection without an answer"))
    } else if error.is_parse() || is_breach(error) {
        Some(format!(
            "{host} does not answer in proper HTTP ({})",
            innermost(error)
        ))
    } else {
        None
    }
}

/// Whether a rule of the protocol was broken, which the library tells by words alone: the server spoke before it was asked,
/// or anything was wrong with HTTP/2 but the connection.
fn is_breach(error: &hyper::Error) -> bool {
    let words = error.to_string();
    let is_broken_stream = words.contains("http2 error")
        && chain(error).all(|error| error.downcast_ref::<io::Error>().is_none());
    is_broken_stream || words.contains("unexpected message")
}

fn system(host: &str, error: &io::Error) -> Option<String> {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => Some(format!(
            "connection refused by {host}, is a server running there?"
        )),
        io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable => {
            Some(format!("there is no way to {host}, check the network"))
        }
        kind if is_lost_connection(kind) => Some(format!("{host} closed the connection without an answer")),
        _ => None,
    }
}

/// The last words of a chain of errors, which are the first cause.
fn innermost(error: &(dyn Error + 'static)) -> String {
    chain(error).last().map_or(String::new(), ToString::to_string)
}

/// An error and its causes. Those that an error of the system wraps are not among its `source()`s.
fn chain<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&error| {
        let wrapped = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        match wrapped {
            Some(wrapped) => Some(wrapped as &(dyn Error + 'static)),
            None => error.source(),
        }
    })
}
