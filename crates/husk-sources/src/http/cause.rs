//! Explains in a few words why a request failed.

use std::error::Error;
use std::io;

use husk::Url;
use rustls::{CertificateError, InvalidMessage};

/// Why a request failed, and for which host.
pub(super) fn cause(url: &Url, error: &reqwest::Error) -> String {
    let host = url.host_str().unwrap_or_default();
    // The client could not even write the request.
    if error.is_builder() {
        return "the URL is too long, or contains invalid characters".to_owned();
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
            format!("the proxy does not connect to {host} ({words})")
        }
        words => words,
    })
}

/// Whether the connection was closed, as when a server restarts or closes an idle connection.
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
            format!("TLS: {host} does not use it there, try http:// instead of https://")
        }
        other => format!("TLS: no agreement with {host} ({other})"),
    }
}

fn certificate(cause: &CertificateError) -> String {
    match cause {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => "it has expired".to_owned(),
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "it is not valid yet, check the clock".to_owned()
        }
        CertificateError::UnknownIssuer => "its issuer is not trusted (unknown issuer)".to_owned(),
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "it is for another name".to_owned()
        }
        CertificateError::Revoked => "it was revoked".to_owned(),
        // The library's error for a self-signed certificate.
        CertificateError::Other(other) if other.to_string().contains("CaUsedAsEndEntity") => {
            "it is self-signed".to_owned()
        }
        other => other.to_string(),
    }
}

fn http(host: &str, error: &hyper::Error) -> Option<String> {
    if error.is_incomplete_message() {
        Some(format!("{host} closed the connection without a response"))
    } else if error.is_parse() || is_breach(error) {
        Some(format!(
            "{host} does not answer in proper HTTP ({})",
            innermost(error)
        ))
    } else {
        None
    }
}

/// Whether the server violated the protocol, which the library reveals only in its message: data before a request, or any
/// error of HTTP/2 other than of the connection.
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
            Some(format!("there is no route to {host}, check the network"))
        }
        kind if is_lost_connection(kind) => Some(format!("{host} closed the connection without a response")),
        _ => None,
    }
}

/// The message of the innermost error of a chain.
fn innermost(error: &(dyn Error + 'static)) -> String {
    chain(error).last().map_or(String::new(), ToString::to_string)
}

/// An error and its causes. Those that an `io::Error` wraps are not among its `source()`s.
fn chain<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&error| {
        let wrapped = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        match wrapped {
            Some(wrapped) => Some(wrapped as &(dyn Error + 'static)),
            None => error.source(),
        }
    })
}
