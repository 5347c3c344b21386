//! Rows as a Parquet file.
//!
//! Each field of a row is a column of its name. Two are not as in JSON: `date` is a timestamp in milliseconds (UTC), and
//! `menu`, since no type of Parquet holds itself, is the list of all entries in their order, each with its depth from 0 on.

use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::builder::{
    ArrayBuilder, Float64Builder, Int32Builder, Int64Builder, ListBuilder, StringBuilder, StructBuilder,
    TimestampMillisecondBuilder,
};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef, TimeUnit};
use jiff::Timestamp;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

use super::RowWriter;
use crate::row::{MenuEntry, Row};

/// What the columns are; it changes when one of them does.
const SCHEMA_VERSION: &str = "1";

/// Rows are handed on in batches of so many,
const BATCH_ROWS: usize = 1024;

/// or of so many bytes of content, which is what a row mostly is.
const BATCH_BYTES: usize = 8 << 20;

/// A group of rows is held in memory until it is written: that is the most of it.
const GROUP_BYTES: usize = 64 << 20;

/// Readers skip whole groups, so that they should not be too large in rows either.
const GROUP_ROWS: usize = 100_000;

/// The menus of a hostile page are not followed deeper.
const MOST_DEPTH: i32 = 64;

/// Writes rows as a Parquet file, its columns packed by Zstandard.
pub struct ParquetWriter<W: Write + Send> {
    writer: ArrowWriter<W>,
    schema: SchemaRef,
    columns: Columns,
}

impl<W: Write + Send> ParquetWriter<W> {
    /// Begins a file.
    pub fn new(out: W) -> io::Result<Self> {
        let schema = Arc::new(schema());
        let writer =
            ArrowWriter::try_new(out, schema.clone(), Some(properties())).map_err(io::Error::other)?;
        Ok(Self {
            writer,
            schema,
            columns: Columns::new(),
        })
    }

    fn write_batch(&mut self) -> io::Result<()> {
        let arrays = self.columns.finish();
        let batch = RecordBatch::try_new(self.schema.clone(), arrays).map_err(io::Error::other)?;
        self.writer.write(&batch).map_err(io::Error::other)
    }
}

impl<W: Write + Send> RowWriter for ParquetWriter<W> {
    fn write(&mut self, row: &Row) -> io::Result<()> {
        self.columns.add(row);
        match self.columns.is_batch() {
            true => self.write_batch(),
            false => Ok(()),
        }
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        if self.columns.url.len() > 0 {
            self.write_batch()?;
        }
        let mut out = self.writer.into_inner().map_err(io::Error::other)?;
        out.flush()
    }
}

fn properties() -> WriterProperties {
    let told = |key: &str, value: &str| KeyValue::new(key.to_owned(), value.to_owned());
    let version = env!("CARGO_PKG_VERSION");
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_created_by(format!("husk {version}"))
        .set_key_value_metadata(Some(vec![
            told("husk.version", version),
            told("husk.schema", SCHEMA_VERSION),
        ]))
        .set_max_row_group_bytes(Some(GROUP_BYTES))
        .set_max_row_group_row_count(Some(GROUP_ROWS));
    // Hardly a value comes twice, and nobody asks for the first in the alphabet.
    for name in ["url", "content"] {
        properties = properties.set_column_dictionary_enabled(ColumnPath::from(name), false);
    }
    properties
        .set_column_statistics_enabled(ColumnPath::from("content"), EnabledStatistics::None)
        .build()
}

fn schema() -> Schema {
    let text = |name: &str, may_lack: bool| Field::new(name, DataType::Utf8, may_lack);
    let count = |name: &str| Field::new(name, DataType::Int64, false);
    let utc = DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into()));
    Schema::new(vec![
        text("url", false),
        text("site", false),
        Field::new("date", utc, true),
        text("layout", true),
        text("title", true),
        text("language", true),
        text("told_by", false),
        text("content", true),
        Field::new("menu", DataType::List(Arc::new(menu_item())), true),
        text("template_id", true),
        Field::new("template_share", DataType::Float64, true),
        count("bytes"),
        count("words"),
        count("content_words"),
        count("links"),
        Field::new("warnings", DataType::List(Arc::new(warning_item())), false),
    ])
}

fn warning_item() -> Field {
    Field::new("element", DataType::Utf8, false)
}

fn menu_item() -> Field {
    Field::new("element", DataType::Struct(menu_fields()), false)
}

fn menu_fields() -> Fields {
    Fields::from(vec![
        Field::new("depth", DataType::Int32, false),
        Field::new("label", DataType::Utf8, false),
        Field::new("url", DataType::Utf8, true),
    ])
}

/// The columns of the rows that are not yet handed on, in the order of the schema.
struct Columns {
    url: StringBuilder,
    site: StringBuilder,
    date: TimestampMillisecondBuilder,
    layout: StringBuilder,
    title: StringBuilder,
    language: StringBuilder,
    told_by: StringBuilder,
    content: StringBuilder,
    menu: Menus,
    template_id: StringBuilder,
    template_share: Float64Builder,
    bytes: Int64Builder,
    words: Int64Builder,
    content_words: Int64Builder,
    links: Int64Builder,
    warnings: ListBuilder<StringBuilder>,
}

impl Columns {
    fn new() -> Self {
        Self {
            url: StringBuilder::new(),
            site: StringBuilder::new(),
            date: TimestampMillisecondBuilder::new().with_timezone("UTC"),
            layout: StringBuilder::new(),
            title: StringBuilder::new(),
            language: StringBuilder::new(),
            told_by: StringBuilder::new(),
            content: StringBuilder::new(),
            menu: Menus::new(),
            template_id: StringBuilder::new(),
            template_share: Float64Builder::new(),
            bytes: Int64Builder::new(),
            words: Int64Builder::new(),
            content_words: Int64Builder::new(),
            links: Int64Builder::new(),
            warnings: ListBuilder::new(StringBuilder::new()).with_field(warning_item()),
        }
    }

    fn add(&mut self, row: &Row) {
        self.url.append_value(&row.url);
        self.site.append_value(&row.site);
        self.date
            .append_option(row.date.as_deref().and_then(milliseconds));
        self.layout.append_option(row.layout.as_deref());
        self.title.append_option(row.title.as_deref());
        self.language.append_option(row.language.as_deref());
        self.told_by.append_value(&row.told_by);
        self.content.append_option(row.content.as_deref());
        self.menu.add(row.menu.as_deref());
        self.template_id.append_option(row.template_id.as_deref());
        self.template_share.append_option(row.template_share);
        self.bytes
            .append_value(i64::try_from(row.bytes).unwrap_or(i64::MAX));
        self.words.append_value(i64::from(row.words));
        self.content_words.append_value(i64::from(row.content_words));
        self.links.append_value(i64::from(row.links));
        self.warnings.append_value(row.warnings.iter().map(Some));
    }

    fn is_batch(&self) -> bool {
        self.url.len() >= BATCH_ROWS || self.content.values_slice().len() >= BATCH_BYTES
    }

    fn finish(&mut self) -> Vec<ArrayRef> {
        let columns: [&mut dyn ArrayBuilder; 16] = [
            &mut self.url,
            &mut self.site,
            &mut self.date,
            &mut self.layout,
            &mut self.title,
            &mut self.language,
            &mut self.told_by,
            &mut self.content,
            &mut self.menu.lists,
            &mut self.template_id,
            &mut self.template_share,
            &mut self.bytes,
            &mut self.words,
            &mut self.content_words,
            &mut self.links,
            &mut self.warnings,
        ];
        columns.into_iter().map(ArrayBuilder::finish).collect()
    }
}

fn milliseconds(date: &str) -> Option<i64> {
    Some(date.parse::<Timestamp>().ok()?.as_millisecond())
}

/// The column of menus.
struct Menus {
    lists: ListBuilder<StructBuilder>,
}

impl Menus {
    fn new() -> Self {
        let fields: Vec<Box<dyn ArrayBuilder>> = vec![
            Box::new(Int32Builder::new()),
            Box::new(StringBuilder::new()),
            Box::new(StringBuilder::new()),
        ];
        let entries = StructBuilder::new(menu_fields(), fields);
        Self {
            lists: ListBuilder::new(entries).with_field(menu_item()),
        }
    }

    fn add(&mut self, menu: Option<&[MenuEntry]>) {
        self.add_entries(menu.unwrap_or_default(), 0);
        self.lists.append(menu.is_some());
    }

    fn add_entries(&mut self, entries: &[MenuEntry], depth: i32) {
        if depth == MOST_DEPTH {
            return;
        }
        for entry in entries {
            let column = self.lists.values();
            if let Some(depths) = column.field_builder::<Int32Builder>(0) {
                depths.append_value(depth);
            }
            if let Some(labels) = column.field_builder::<StringBuilder>(1) {
                labels.append_value(&entry.label);
            }
            if let Some(urls) = column.field_builder::<StringBuilder>(2) {
                urls.append_option(entry.url.as_deref());
            }
            column.append(true);
            self.add_entries(&entry.children, depth + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::cast::AsArray;
    use arrow_array::types::{Float64Type, Int32Type, Int64Type, TimestampMillisecondType};
    use arrow_array::{Array, StructArray};
    use bytes::Bytes;
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

    use super::*;
    use crate::output::tests::{Kept, row};

    fn written(rows: &[Row]) -> Vec<u8> {
        let kept = Kept::default();
        let mut writer = Box::new(ParquetWriter::new(kept.clone()).unwrap());
        for row in rows {
            writer.write(row).unwrap();
        }
        writer.finish().unwrap();
        kept.bytes()
    }

    fn read(file: Vec<u8>) -> (Vec<RecordBatch>, Vec<KeyValue>) {
        let builder = ParquetRecordBatchReaderBuilder::try_new(Bytes::from(file)).unwrap();
        let told = builder
            .metadata()
            .file_metadata()
            .key_value_metadata()
            .unwrap()
            .clone();
        (builder.build().unwrap().map(Result::unwrap).collect(), told)
    }

    #[test]
    fn rows_come_back() {
        let rows: Vec<Row> = (0..5).map(row).collect();
        let (batches, told) = read(written(&rows));
        let batch = &batches[0];
        assert_eq!(batch.num_rows(), 5);
        let column = |name: &str| batch.column_by_name(name).unwrap().clone();
        assert_eq!(column("url").as_string::<i32>().value(3), "https://example.org/3");
        assert_eq!(column("title").as_string::<i32>().value(2), "Page 2 é");
        assert!(column("title").is_null(1) && column("template_id").is_null(0) && column("date").is_null(1));
        let dates = column("date");
        assert_eq!(
            dates.as_primitive::<TimestampMillisecondType>().value(0),
            1_794_809_670_123
        );
        assert_eq!(
            column("template_share").as_primitive::<Float64Type>().value(0),
            0.25
        );
        assert_eq!(
            column("bytes").as_primitive::<Int64Type>().value(0),
            5_000_000_000
        );
        let warnings = column("warnings");
        assert_eq!(
            warnings.as_list::<i32>().value(0).as_string::<i32>().value(1),
            "floor"
        );
        assert!(warnings.as_list::<i32>().value(1).is_empty() && !warnings.is_null(1));
        let menus = column("menu");
        assert!(menus.is_null(1));
        let menu = menus.as_list::<i32>().value(0);
        let menu: &StructArray = menu.as_struct();
        let depths = menu.column(0).as_primitive::<Int32Type>().values().to_vec();
        assert_eq!(depths, [0, 0, 1]);
        assert_eq!(menu.column(1).as_string::<i32>().value(2), "Deep");
        assert!(menu.column(2).is_null(1));
        let version = told.iter().find(|told| told.key == "husk.schema").unwrap();
        assert_eq!(version.value.as_deref(), Some(SCHEMA_VERSION));
    }

    #[test]
    fn columns_are_the_fields_of_a_row() {
        let json = serde_json::to_string(&row(0)).unwrap();
        let mut from = 0;
        for field in schema().fields() {
            let place = json[from..].find(&format!("\"{}\":", field.name()));
            from += place.unwrap_or_else(|| panic!("{} is no field, or not at its place", field.name()));
        }
        let fields = serde_json::to_value(row(0)).unwrap();
        assert_eq!(fields.as_object().unwrap().len(), schema().fields().len());
    }

    #[test]
    fn many_rows_are_written_in_groups_and_the_same_each_time() {
        let mut rows: Vec<Row> = (0..3000).map(row).collect();
        rows[7].content = Some("large ".repeat(2_000_000));
        let file = written(&rows);
        assert!(file == written(&rows));
        let (batches, _) = read(file);
        assert_eq!(batches.iter().map(RecordBatch::num_rows).sum::<usize>(), 3000);
    }

    #[test]
    fn a_file_without_rows_is_a_file() {
        let (batches, _) = read(written(&[]));
        assert_eq!(batches.iter().map(RecordBatch::num_rows).sum::<usize>(), 0);
    }
}
