//! Records and their fields.

use std::time::SystemTime;

use url::Url;

use crate::date;
use crate::decompress::Position;
use crate::fields;

/// The header of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The fields in their order, such as `("WARC-Type", "response")`.
    pub fields: Vec<(String, String)>,
    /// Where the record starts.
    pub position: Position,
}

/// The types of records that WARC 1.1 defines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RecordType {
    /// Describes the file.
    Warcinfo,
    /// An HTTP response.
    Response,
    /// A file without an HTTP response, such as a rendered page.
    Resource,
    /// An HTTP request.
    Request,
    /// Fields about another record or a URL.
    Metadata,
    /// A response whose body is stored in an earlier record.
    Revisit,
    /// A transformed copy of another record, such as the text of a page.
    Conversion,
    /// The next segment of a record that was split.
    Continuation,
}

const TYPE_NAMES: [(RecordType, &str); 8] = [
    (RecordType::Warcinfo, "warcinfo"),
    (RecordType::Response, "response"),
    (RecordType::Resource, "resource"),
    (RecordType::Request, "request"),
    (RecordType::Metadata, "metadata"),
    (RecordType::Revisit, "revisit"),
    (RecordType::Conversion, "conversion"),
    (RecordType::Continuation, "continuation"),
];

impl RecordType {
    /// The value of the field `WARC-Type`.
    pub fn as_str(self) -> &'static str {
        let mut names = TYPE_NAMES.iter().filter(|(of, _)| *of == self);
        names.next().map_or("", |(_, name)| name)
    }

    fn parse(name: &str) -> Option<Self> {
        let mut types = TYPE_NAMES.iter().filter(|(_, of)| of.eq_ignore_ascii_case(name));
        types.next().map(|(found, _)| *found)
    }
}

impl Record {
    /// The first field called `name`, in any letter case.
    pub fn get(&self, name: &str) -> Option<&str> {
        fields::get(&self.fields, name)
    }

    /// The type of the record. `None` if the standard does not define it.
    pub fn record_type(&self) -> Option<RecordType> {
        RecordType::parse(self.get("warc-type")?)
    }

    /// The URI that the record is about, as it is written, or an empty string.
    pub fn target_uri(&self) -> &str {
        without_brackets(self.get("warc-target-uri").unwrap_or_default())
    }

    /// The URI that the record is about, parsed and without a fragment.
    pub fn url(&self) -> Result<Url, url::ParseError> {
        let mut url = Url::parse(self.target_uri())?;
        url.set_fragment(None);
        Ok(url)
    }

    /// The URI of the record that a `revisit` record refers to.
    pub fn refers_to_url(&self) -> Option<Url> {
        Url::parse(without_brackets(self.get("warc-refers-to-target-uri")?)).ok()
    }

    /// When the content was captured. The Unix epoch if the field is missing or invalid.
    pub fn date(&self) -> SystemTime {
        date::parse(self.get("warc-date").unwrap_or_default())
    }

    /// The date of the record that a `revisit` record refers to.
    pub fn refers_to_date(&self) -> Option<SystemTime> {
        self.get("warc-refers-to-date").map(date::parse)
    }
}

/// Old versions of wget write URLs in angle brackets.
fn without_brackets(uri: &str) -> &str {
    uri.strip_prefix('<')
        .and_then(|rest| rest.strip_suffix('>'))
        .unwrap_or(uri)
}

/// The content of a record, which follows its header.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Block {
    /// The content, decompressed.
    pub bytes: Vec<u8>,
    /// False if the file ends within the block.
    pub is_complete: bool,
}

/// A digest in the form in which equal digests are equal strings: `sha1:abc` and `ABC` are the same.
pub fn normalize_digest(digest: &str) -> String {
    let digest = digest.trim();
    let plain = match digest.split_once(':') {
        Some((algorithm, rest)) if algorithm.eq_ignore_ascii_case("sha1") => rest,
        _ => digest,
    };
    plain.to_ascii_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_compared_however_they_are_written() {
        assert_eq!(normalize_digest("sha1:abc"), normalize_digest("ABC"));
        assert_ne!(normalize_digest("md5:abc"), normalize_digest("ABC"));
    }

    #[test]
    fn fields_are_read_as_meant() {
        let fields = [
            ("warc-type", "Response"),
            ("WARC-Target-URI", "<https://example.org/a#b>"),
            ("WARC-Date", "2026-11-16T06:14:30Z"),
        ];
        let record = Record {
            fields: fields
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .to_vec(),
            position: Position::default(),
        };
        assert_eq!(record.record_type(), Some(RecordType::Response));
        assert_eq!(record.target_uri(), "https://example.org/a#b");
        assert_eq!(record.url().unwrap().as_str(), "https://example.org/a");
        assert_eq!(date::to_text(record.date()), "2026-11-16T06:14:30Z");
        assert_eq!(record.refers_to_url(), None);
    }
}
