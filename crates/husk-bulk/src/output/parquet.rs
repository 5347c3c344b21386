//! Parquet.

use std::io::{self, Write};

use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

use super::RowWriter;
use super::columns::{Columns, schema};
use crate::row::Row;

/// Changes whenever a column changes.
const SCHEMA_VERSION: &str = "2";

/// Rows per batch.
const BATCH_ROWS: usize = 1024;

/// Bytes of content per batch.
const BATCH_BYTES: usize = 8 << 20;

/// Size of a row group, which is buffered until it is written.
const GROUP_BYTES: usize = 64 << 20;

/// Rows of a row group. Readers skip whole groups.
const GROUP_ROWS: usize = 100_000;

/// Writes a Parquet file with columns compressed by Zstandard.
pub struct ParquetWriter<W: Write + Send> {
    writer: ArrowWriter<W>,
    columns: Columns,
}

impl<W: Write + Send> ParquetWriter<W> {
    /// Begins a file.
    pub fn new(out: W) -> io::Result<Self> {
        let writer = ArrowWriter::try_new(out, schema(), Some(properties())).map_err(io::Error::other)?;
        Ok(Self {
            writer,
            columns: Columns::new(),
        })
    }

    fn write_batch(&mut self) -> io::Result<()> {
        let batch = self.columns.finish().map_err(io::Error::other)?;
        self.writer.write(&batch).map_err(io::Error::other)
    }
}

impl<W: Write + Send> RowWriter for ParquetWriter<W> {
    fn write(&mut self, row: &Row) -> io::Result<()> {
        self.columns.add(row);
        match self.columns.rows() >= BATCH_ROWS || self.columns.content_bytes() >= BATCH_BYTES {
            true => self.write_batch(),
            false => Ok(()),
        }
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        if self.columns.rows() > 0 {
            self.write_batch()?;
        }
        let mut out = self.writer.into_inner().map_err(io::Error::other)?;
        out.flush()
    }
}

fn properties() -> WriterProperties {
    let entry = |key: &str, value: &str| KeyValue::new(key.to_owned(), value.to_owned());
    let version = env!("CARGO_PKG_VERSION");
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_created_by(format!("husk {version}"))
        .set_key_value_metadata(Some(vec![
            entry("husk.version", version),
            entry("husk.schema", SCHEMA_VERSION),
        ]))
        .set_max_row_group_bytes(Some(GROUP_BYTES))
        .set_max_row_group_row_count(Some(GROUP_ROWS));
    // Their values rarely repeat.
    for name in ["url", "content"] {
        properties = properties.set_column_dictionary_enabled(ColumnPath::from(name), false);
    }
    properties
        .set_column_statistics_enabled(ColumnPath::from("content"), EnabledStatistics::None)
        .build()
}

#[cfg(test)]
mod tests {
    use arrow_array::cast::AsArray;
    use arrow_array::types::{Float64Type, Int32Type, Int64Type, TimestampMillisecondType};
    use arrow_array::{Array, RecordBatch, StructArray};
    use bytes::Bytes;
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

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

    fn read(file: Vec<u8>) -> (Vec<RecordBatch>, Vec<KeyValue>) {
        let builder = ParquetRecordBatchReaderBuilder::try_new(Bytes::from(file)).unwrap();
        let metadata = builder
            .metadata()
            .file_metadata()
            .key_value_metadata()
            .unwrap()
            .clone();
        (builder.build().unwrap().map(Result::unwrap).collect(), metadata)
    }

    #[test]
    fn rows_are_read_back() {
        let rows: Vec<Row> = (0..5).map(row).collect();
        let (batches, metadata) = read(written(&rows));
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
            "low-coverage"
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
        let version = metadata.iter().find(|entry| entry.key == "husk.schema").unwrap();
        assert_eq!(version.value.as_deref(), Some(SCHEMA_VERSION));
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
    fn a_file_without_rows_is_valid() {
        let (batches, _) = read(written(&[]));
        assert_eq!(batches.iter().map(RecordBatch::num_rows).sum::<usize>(), 0);
    }
}
