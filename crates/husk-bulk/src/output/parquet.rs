//! Parquet.
//!
//! Each field of a row is a column. Two differ from JSON: `date` is a timestamp in milliseconds (UTC), and `menu`, since
//! column types can't be recursive, is a flat list of items with their depth from 0.

use std::io::{self, Write};
use std::mem;
use std::sync::Arc;

use jiff::Timestamp;
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;

use super::RowWriter;
use crate::row::{Row, RowMenuItem};

/// The columns in order: the one list of the fields of a row, which JSON, the documentation and the Python package are
/// tested against.
const SCHEMA: &str = include_str!("../../row.schema");

/// Changes whenever a column changes.
const SCHEMA_VERSION: &str = "4";

/// Bytes of content in a row group, which is buffered until it is written.
const GROUP_BYTES: usize = 64 << 20;

/// Rows of a row group. Readers skip the groups whose statistics rule out a site or a date, and rows are sorted by site.
const GROUP_ROWS: usize = 5_000;

/// Bounds the recursion on menus of hostile pages.
const MAX_DEPTH: i32 = 64;

/// Writes a Parquet file with columns compressed by Zstandard.
pub struct ParquetWriter<W: Write + Send> {
    file: SerializedFileWriter<W>,
    columns: Columns,
}

impl<W: Write + Send> ParquetWriter<W> {
    /// Begins a file.
    pub fn new(out: W) -> io::Result<Self> {
        Self::with_properties(out, properties().build())
    }

    fn with_properties(out: W, properties: WriterProperties) -> io::Result<Self> {
        let schema = parse_message_type(SCHEMA).map_err(to_io)?;
        let file = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties)).map_err(to_io)?;
        Ok(Self {
            file,
            columns: Columns::default(),
        })
    }

    /// Writes the rows added so far as a row group.
    fn write_group(&mut self) -> ParquetResult<()> {
        let columns = mem::take(&mut self.columns);
        if columns.rows == 0 {
            return Ok(());
        }
        let mut group = self.file.next_row_group()?;
        for column in columns.in_order() {
            if let Some(mut writer) = group.next_column()? {
                column.write(&mut writer)?;
                writer.close()?;
            }
        }
        group.close()?;
        Ok(())
    }

    fn end(mut self) -> ParquetResult<W> {
        self.write_group()?;
        self.file.into_inner()
    }
}

impl<W: Write + Send> RowWriter for ParquetWriter<W> {
    fn write(&mut self, row: &Row) -> io::Result<()> {
        self.columns.add(row);
        match self.columns.rows >= GROUP_ROWS || self.columns.content_bytes >= GROUP_BYTES {
            true => self.write_group().map_err(to_io),
            false => Ok(()),
        }
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.end().map_err(to_io)?.flush()
    }
}

/// The Parquet file of some rows, uncompressed, to hand them to another program on the same machine.
pub fn to_parquet(rows: &[Row]) -> io::Result<Vec<u8>> {
    let plain = properties()
        .set_compression(Compression::UNCOMPRESSED)
        .set_dictionary_enabled(false)
        .set_statistics_enabled(EnabledStatistics::None);
    let mut writer = ParquetWriter::with_properties(Vec::new(), plain.build())?;
    for row in rows {
        writer.columns.add(row);
    }
    writer.end().map_err(to_io)
}

fn to_io(cause: ParquetError) -> io::Error {
    match cause {
        ParquetError::External(cause) => match cause.downcast::<io::Error>() {
            Ok(cause) => *cause,
            Err(cause) => io::Error::other(cause),
        },
        cause => io::Error::other(cause),
    }
}

fn properties() -> WriterPropertiesBuilder {
    let entry = |key: &str, value: &str| KeyValue::new(key.to_owned(), value.to_owned());
    let version = env!("CARGO_PKG_VERSION");
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_created_by(format!("husk {version}"))
        .set_key_value_metadata(Some(vec![
            entry("husk.version", version),
            entry("husk.schema", SCHEMA_VERSION),
        ]));
    // Their values rarely repeat.
    for name in ["url", "content"] {
        properties = properties.set_column_dictionary_enabled(ColumnPath::from(name), false);
    }
    properties.set_column_statistics_enabled(ColumnPath::from("content"), EnabledStatistics::None)
}

/// The columns of the next row group.
#[derive(Default)]
struct Columns {
    rows: usize,
    /// Bytes of content.
    content_bytes: usize,
    url: Column<ByteArrayType>,
    normalized_url: Column<ByteArrayType>,
    id: Column<ByteArrayType>,
    site: Column<ByteArrayType>,
    date: Column<Int64Type>,
    warc_file: Column<ByteArrayType>,
    warc_offset: Column<Int64Type>,
    warc_record_id: Column<ByteArrayType>,
    warc_digest: Column<ByteArrayType>,
    layout: Column<ByteArrayType>,
    layout_fit: Column<DoubleType>,
    title: Column<ByteArrayType>,
    author: Column<ByteArrayType>,
    published: Column<ByteArrayType>,
    modified: Column<ByteArrayType>,
    description: Column<ByteArrayType>,
    language: Column<ByteArrayType>,
    canonical: Column<ByteArrayType>,
    method: Column<ByteArrayType>,
    content: Column<ByteArrayType>,
    confidence: Column<DoubleType>,
    content_hash: Column<ByteArrayType>,
    near_duplicate_id: Column<ByteArrayType>,
    menu: MenuColumns,
    template_id: Column<ByteArrayType>,
    template_source: Column<ByteArrayType>,
    template_share: Column<DoubleType>,
    bytes: Column<Int64Type>,
    words: Column<Int64Type>,
    content_words: Column<Int64Type>,
    links: Column<Int64Type>,
    flags: ListColumn,
    warnings: ListColumn,
}

impl Columns {
    fn add(&mut self, row: &Row) {
        self.rows += 1;
        self.content_bytes += row.content.as_ref().map_or(0, String::len);
        self.url.add(row.url.as_str().into());
        self.normalized_url.add(row.normalized_url.as_str().into());
        self.id.add_text(row.id.as_deref());
        self.site.add(row.site.as_str().into());
        self.date.add_option(row.date.as_deref().and_then(milliseconds));
        self.warc_file.add_text(row.warc_file.as_deref());
        self.warc_offset.add_option(row.warc_offset.map(to_signed));
        self.warc_record_id.add_text(row.warc_record_id.as_deref());
        self.warc_digest.add_text(row.warc_digest.as_deref());
        self.layout.add_text(row.layout.as_deref());
        self.layout_fit.add_option(row.layout_fit);
        self.title.add_text(row.title.as_deref());
        self.author.add_text(row.author.as_deref());
        self.published.add_text(row.published.as_deref());
        self.modified.add_text(row.modified.as_deref());
        self.description.add_text(row.description.as_deref());
        self.language.add_text(row.language.as_deref());
        self.canonical.add_text(row.canonical.as_deref());
        self.method.add(row.method.as_str().into());
        self.content.add_text(row.content.as_deref());
        self.confidence.add_option(row.confidence);
        self.content_hash.add_text(row.content_hash.as_deref());
        self.near_duplicate_id.add_text(row.near_duplicate_id.as_deref());
        self.menu.add(row.menu.as_deref());
        self.template_id.add_text(row.template_id.as_deref());
        self.template_source.add_text(row.template_source.as_deref());
        self.template_share.add_option(row.template_share);
        self.bytes.add(to_signed(row.bytes));
        self.words.add(row.words.into());
        self.content_words.add(row.content_words.into());
        self.links.add(row.links.into());
        self.flags.add(&row.flags);
        self.warnings.add(&row.warnings);
    }

    /// The columns in the order of the schema.
    fn in_order(&self) -> [&dyn WriteColumn; 35] {
        [
            &self.url,
            &self.normalized_url,
            &self.id,
            &self.site,
            &self.date,
            &self.warc_file,
            &self.warc_offset,
            &self.warc_record_id,
            &self.warc_digest,
            &self.layout,
            &self.layout_fit,
            &self.title,
            &self.author,
            &self.published,
            &self.modified,
            &self.description,
            &self.language,
            &self.canonical,
            &self.method,
            &self.content,
            &self.confidence,
            &self.content_hash,
            &self.near_duplicate_id,
            &self.menu.depth,
            &self.menu.label,
            &self.menu.url,
            &self.template_id,
            &self.template_source,
            &self.template_share,
            &self.bytes,
            &self.words,
            &self.content_words,
            &self.links,
            &self.flags.0,
            &self.warnings.0,
        ]
    }
}

/// Counts are signed in Parquet.
fn to_signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn milliseconds(date: &str) -> Option<i64> {
    Some(date.parse::<Timestamp>().ok()?.as_millisecond())
}

/// The repetition level of an item of a list: 0 begins the list of the next row.
fn repetition(number: usize) -> i16 {
    i16::from(number > 0)
}

/// The values of a column, with the levels that say where values are missing and where lists begin.
struct Column<T: DataType> {
    values: Vec<T::T>,
    definition: Vec<i16>,
    repetition: Vec<i16>,
}

impl<T: DataType> Default for Column<T> {
    fn default() -> Self {
        Self {
            values: Vec::new(),
            definition: Vec::new(),
            repetition: Vec::new(),
        }
    }
}

impl<T: DataType> Column<T> {
    fn push(&mut self, repetition: i16, definition: i16, value: Option<T::T>) {
        self.repetition.push(repetition);
        self.definition.push(definition);
        self.values.extend(value);
    }

    /// Adds a value of a required column.
    fn add(&mut self, value: T::T) {
        self.values.push(value);
    }

    /// Adds a value of an optional column.
    fn add_option(&mut self, value: Option<T::T>) {
        self.push(0, value.is_some().into(), value);
    }
}

impl Column<ByteArrayType> {
    fn add_text(&mut self, value: Option<&str>) {
        self.add_option(value.map(ByteArray::from));
    }
}

/// A column with a list of texts, which is never missing.
#[derive(Default)]
struct ListColumn(Column<ByteArrayType>);

impl ListColumn {
    fn add(&mut self, texts: &[String]) {
        for (number, text) in texts.iter().enumerate() {
            self.0.push(repetition(number), 1, Some(text.as_str().into()));
        }
        if texts.is_empty() {
            self.0.push(0, 0, None);
        }
    }
}

trait WriteColumn {
    fn write(&self, writer: &mut SerializedColumnWriter<'_>) -> ParquetResult<()>;
}

impl<T: DataType> WriteColumn for Column<T> {
    fn write(&self, writer: &mut SerializedColumnWriter<'_>) -> ParquetResult<()> {
        let writer = writer.typed::<T>();
        let column = writer.get_descriptor();
        let definition = (column.max_def_level() > 0).then_some(&self.definition[..]);
        let repetition = (column.max_rep_level() > 0).then_some(&self.repetition[..]);
        writer.write_batch(&self.values, definition, repetition)?;
        Ok(())
    }
}

/// The column `menu`.
#[derive(Default)]
struct MenuColumns {
    depth: Column<Int32Type>,
    label: Column<ByteArrayType>,
    url: Column<ByteArrayType>,
}

impl MenuColumns {
    /// An empty list has definition level 1, a missing one 0.
    fn add(&mut self, menu: Option<&[RowMenuItem]>) {
        if self.add_items(menu.unwrap_or_default(), 0, 0) == 0 {
            let definition = menu.is_some().into();
            self.depth.push(0, definition, None);
            self.label.push(0, definition, None);
            self.url.push(0, definition, None);
        }
    }

    /// Adds items to a list that has `number` of them, and returns how many it has then.
    fn add_items(&mut self, items: &[RowMenuItem], depth: i32, mut number: usize) -> usize {
        if depth == MAX_DEPTH {
            return number;
        }
        for item in items {
            let level = repetition(number);
            let url = item.url.as_deref().map(ByteArray::from);
            self.depth.push(level, 2, Some(depth));
            self.label.push(level, 2, Some(item.label.as_str().into()));
            self.url.push(level, if url.is_some() { 3 } else { 2 }, url);
            number = self.add_items(&item.children, depth + 1, number + 1);
        }
        number
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::{Field, Row as ParquetRow};

    use super::*;
    use crate::output::tests::{MemoryFile, row};

    fn written(rows: &[Row]) -> Vec<u8> {
        let file = MemoryFile::default();
        let mut writer = Box::new(ParquetWriter::new(file.clone()).unwrap());
        for row in rows {
            writer.write(row).unwrap();
        }
        writer.finish().unwrap();
        file.bytes()
    }

    fn open(file: Vec<u8>) -> SerializedFileReader<Bytes> {
        SerializedFileReader::new(Bytes::from(file)).unwrap()
    }

    fn read(file: Vec<u8>) -> Vec<ParquetRow> {
        open(file)
            .get_row_iter(None)
            .unwrap()
            .map(Result::unwrap)
            .collect()
    }

    /// A field of a row as text.
    fn field(row: &ParquetRow, name: &str) -> String {
        let mut fields = row.get_column_iter();
        let (_, field) = fields.find(|(other, _)| *other == name).unwrap();
        match field {
            Field::Str(text) => text.clone(),
            field => field.to_string(),
        }
    }

    #[test]
    fn rows_are_read_back() {
        let rows: Vec<Row> = (0..5).map(row).collect();
        let file = written(&rows);
        let read = read(file.clone());
        assert_eq!(read.len(), 5);
        assert_eq!(field(&read[3], "url"), "https://example.org/3");
        assert_eq!(field(&read[2], "title"), "Page 2 é");
        for name in ["title", "date", "menu"] {
            assert_eq!(field(&read[1], name), "null");
        }
        assert_eq!(field(&read[0], "template_id"), "null");
        assert_eq!(field(&read[0], "date"), "2026-11-16 06:14:30.123 +00:00");
        assert_eq!(field(&read[0], "template_share"), "0.25");
        assert_eq!(field(&read[0], "bytes"), "5000000000");
        assert_eq!(
            field(&read[0], "warnings"),
            "[\"unknown-layout\", \"low-coverage\"]"
        );
        assert_eq!(field(&read[1], "warnings"), "[]");
        assert_eq!(
            field(&read[2], "menu"),
            "[{depth: 0, label: \"Home\", url: \"https://example.org/Home\"}, {depth: 0, label: \"More\", url: null}, \
             {depth: 1, label: \"Deep\", url: \"https://example.org/Deep\"}]"
        );
        let file = open(file);
        let metadata = file.metadata().file_metadata().key_value_metadata().unwrap();
        let version = metadata.iter().find(|entry| entry.key == "husk.schema").unwrap();
        assert_eq!(version.value.as_deref(), Some(SCHEMA_VERSION));
        let document = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/formats.md");
        let document = std::fs::read_to_string(document).unwrap();
        assert!(document.contains(&format!("the version of the columns (now {SCHEMA_VERSION})")));
    }

    #[test]
    fn an_empty_menu_is_not_a_missing_one() {
        let mut rows: Vec<Row> = (0..2).map(row).collect();
        rows[0].menu = Some(Vec::new());
        let read = read(written(&rows));
        assert_eq!(
            (field(&read[0], "menu"), field(&read[1], "menu")),
            ("[]".to_owned(), "null".to_owned())
        );
    }

    #[test]
    fn many_rows_are_written_in_groups_and_the_same_each_time() {
        let mut rows: Vec<Row> = (0..3000).map(row).collect();
        rows[7].content = Some("large ".repeat(GROUP_BYTES / 6 + 1));
        let file = written(&rows);
        assert!(file == written(&rows));
        assert_eq!(open(file.clone()).num_row_groups(), 2);
        assert_eq!(read(file).len(), 3000);
    }

    #[test]
    fn a_file_without_rows_is_valid() {
        assert!(read(written(&[])).is_empty());
        assert!(read(to_parquet(&[]).unwrap()).is_empty());
    }

    #[test]
    fn uncompressed_rows_are_the_same() {
        let rows: Vec<Row> = (0..5).map(row).collect();
        assert_eq!(read(to_parquet(&rows).unwrap()), read(written(&rows)));
    }

    #[test]
    fn columns_are_documented() {
        let document = include_str!("../../../../docs/formats.md");
        let table = document.split("\n## Row\n").nth(1).unwrap();
        let table = table.split("\n\n").next().unwrap();
        let listed: Vec<&str> = table.lines().filter_map(|line| line.split('`').nth(1)).collect();
        let schema = parse_message_type(SCHEMA).unwrap();
        let columns: Vec<&str> = schema.get_fields().iter().map(|field| field.name()).collect();
        assert_eq!(listed, columns);
    }

    #[test]
    fn columns_are_the_fields_of_a_row() {
        let json = serde_json::to_string(&row(0)).unwrap();
        let schema = parse_message_type(SCHEMA).unwrap();
        let mut from = 0;
        for field in schema.get_fields() {
            let position = json[from..].find(&format!("\"{}\":", field.name()));
            from += position.unwrap_or_else(|| panic!("{} is missing or out of order", field.name()));
        }
        let fields = serde_json::to_value(row(0)).unwrap();
        assert_eq!(fields.as_object().unwrap().len(), schema.get_fields().len());
    }
}
