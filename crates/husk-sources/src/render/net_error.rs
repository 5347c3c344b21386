//! Explains the error codes of a browser.

/// Explains a code such as `net::ERR_CONNECTION_REFUSED`.
pub(super) fn cause(code: &str) -> String {
    let name = code.strip_prefix("net::").unwrap_or(code);
    let words = match name {
        "ERR_NAME_NOT_RESOLVED" => "no such host",
        "ERR_CONNECTION_REFUSED" => "connection refused",
        "ERR_CONNECTION_RESET" | "ERR_CONNECTION_CLOSED" | "ERR_SOCKET_NOT_CONNECTED" => {
            "the connection broke"
        }
        "ERR_EMPTY_RESPONSE" => "the server closed the connection without a response",
        "ERR_TUNNEL_CONNECTION_FAILED" | "ERR_PROXY_CONNECTION_FAILED" => "the server cannot be reached",
        "ERR_TIMED_OUT" | "ERR_CONNECTION_TIMED_OUT" => "the server does not respond",
        "ERR_INVALID_HTTP_RESPONSE" | "ERR_INVALID_CHUNKED_ENCODING" => "the response is not HTTP",
        "ERR_CONTENT_DECODING_FAILED" => "the response cannot be decompressed",
        "ERR_CERT_AUTHORITY_INVALID" => "TLS: the certificate is not valid (unknown issuer)",
        "ERR_CERT_DATE_INVALID" => "TLS: the certificate is not valid (expired, or not valid yet)",
        "ERR_CERT_COMMON_NAME_INVALID" => "TLS: the certificate is not valid (wrong name)",
        "ERR_CERT_REVOKED" => "TLS: the certificate is not valid (revoked)",
        _ if name.starts_with("ERR_CERT_") => return format!("TLS: the certificate is not valid ({name})"),
        _ if name.starts_with("ERR_SSL_") => return format!("TLS: no agreement with the server ({name})"),
        _ => return format!("the browser says {name}"),
    };
    words.to_owned()
}

#[cfg(test)]
mod tests {
    use super::cause;

    #[test]
    fn codes_become_words() {
        assert_eq!(cause("net::ERR_CONNECTION_REFUSED"), "connection refused");
        assert_eq!(
            cause("net::ERR_CERT_WEAK_KEY"),
            "TLS: the certificate is not valid (ERR_CERT_WEAK_KEY)"
        );
        assert_eq!(
            cause("net::ERR_SSL_PROTOCOL_ERROR"),
            "TLS: no agreement with the server (ERR_SSL_PROTOCOL_ERROR)"
        );
        assert_eq!(cause("net::ERR_QUITE_NEW"), "the browser says ERR_QUITE_NEW");
    }
}
