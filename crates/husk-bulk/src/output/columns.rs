//! Rows as Arrow columns, for Parquet and Spark.
//!
//! Each field of a row is a column. Two differ from JSON: `date` is a timestamp in milliseconds (UTC), and `menu`, since
//! column types can't be recursive, is a flat list of items with their depth from 0.

use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_array::builder::{
    ArrayBuilder, Float64Builder, Int32Builder, Int64Builder, ListBuilder, StringBuilder, StructBuilder,
    TimestampMillisecondBuilder,
};
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, SchemaRef, TimeUnit};
use jiff::Timestamp;

use crate::row::{Row, RowMenuItem};

/// Bounds the recursion on menus of hostile pages.
const MAX_DEPTH: i32 = 64;

/// The columns in order.
pub fn schema() -> SchemaRef {
    let text = |name: &str, nullable: bool| Field::new(name, DataType::Utf8, nullable);
    let count = |name: &str| Field::new(name, DataType::Int64, false);
    let utc = DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into()));
    Arc::new(Schema::new(vec![
        text("url", false),
        text("site", false),
        Field::new("date", utc, true),
        text("layout", true),
        text("title", true),
        text("language", true),
        text("method", false),
        text("content", true),
        Field::new("menu", DataType::List(Arc::new(menu_field())), true),
        text("template_id", true),
        Field::new("template_share", DataType::Float64, true),
        count("bytes"),
        count("words"),
        count("content_words"),
        count("links"),
        Field::new("warnings", DataType::List(Arc::new(warning_field())), false),
    ]))
}

/// Rows as columns.
pub fn record_batch(rows: &[Row]) -> Result<RecordBatch, ArrowError> {
    let mut columns = Columns::new();
    for row in rows {
        columns.add(row);
    }
    columns.finish()
}

fn warning_field() -> Field {
    Field::new("element", DataType::Utf8, false)
}

fn menu_field() -> Field {
    Field::new("element", DataType::Struct(menu_item_fields()), false)
}

fn menu_item_fields() -> Fields {
    Fields::from(vec![
        Field::new("depth", DataType::Int32, false),
        Field::new("label", DataType::Utf8, false),
        Field::new("url", DataType::Utf8, true),
    ])
}

/// The columns of the next batch, in the order of the schema.
pub(super) struct Columns {
    url: StringBuilder,
    site: StringBuilder,
    date: TimestampMillisecondBuilder,
    layout: StringBuilder,
    title: StringBuilder,
    language: StringBuilder,
    method: StringBuilder,
    content: StringBuilder,
    menu: MenuColumn,
    template_id: StringBuilder,
    template_share: Float64Builder,
    bytes: Int64Builder,
    words: Int64Builder,
    content_words: Int64Builder,
    links: Int64Builder,
    warnings: ListBuilder<StringBuilder>,
}

impl Columns {
    pub(super) fn new() -> Self {
        Self {
            url: StringBuilder::new(),
            site: StringBuilder::new(),
            date: TimestampMillisecondBuilder::new().with_timezone("UTC"),
            layout: StringBuilder::new(),
            title: StringBuilder::new(),
            language: StringBuilder::new(),
            method: StringBuilder::new(),
            content: StringBuilder::new(),
            menu: MenuColumn::new(),
            template_id: StringBuilder::new(),
            template_share: Float64Builder::new(),
            bytes: Int64Builder::new(),
            words: Int64Builder::new(),
            content_words: Int64Builder::new(),
            links: Int64Builder::new(),
            warnings: ListBuilder::new(StringBuilder::new()).with_field(warning_field()),
        }
    }

    pub(super) fn add(&mut self, row: &Row) {
        self.url.append_value(&row.url);
        self.site.append_value(&row.site);
        self.date
            .append_option(row.date.as_deref().and_then(milliseconds));
        self.layout.append_option(row.layout.as_deref());
        self.title.append_option(row.title.as_deref());
        self.language.append_option(row.language.as_deref());
        self.method.append_value(&row.method);
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

    pub(super) fn rows(&self) -> usize {
        self.url.len()
    }

    /// Size of all contents.
    pub(super) fn content_bytes(&self) -> usize {
        self.content.values_slice().len()
    }

    /// The batch of all rows added since the last call.
    pub(super) fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        let columns: [&mut dyn ArrayBuilder; 16] = [
            &mut self.url,
            &mut self.site,
            &mut self.date,
            &mut self.layout,
            &mut self.title,
            &mut self.language,
            &mut self.method,
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
        let arrays = columns.into_iter().map(ArrayBuilder::finish).collect();
        RecordBatch::try_new(schema(), arrays)
    }
}

fn milliseconds(date: &str) -> Option<i64> {
    Some(date.parse::<Timestamp>().ok()?.as_millisecond())
}

/// The column `menu`.
struct MenuColumn {
    lists: ListBuilder<StructBuilder>,
}

impl MenuColumn {
    fn new() -> Self {
        let fields: Vec<Box<dyn ArrayBuilder>> = vec![
            Box::new(Int32Builder::new()),
            Box::new(StringBuilder::new()),
            Box::new(StringBuilder::new()),
        ];
        let items = StructBuilder::new(menu_item_fields(), fields);
        Self {
            lists: ListBuilder::new(items).with_field(menu_field()),
        }
    }

    fn add(&mut self, menu: Option<&[RowMenuItem]>) {
        self.add_items(menu.unwrap_or_default(), 0);
        self.lists.append(menu.is_some());
    }

    fn add_items(&mut self, items: &[RowMenuItem], depth: i32) {
        if depth == MAX_DEPTH {
            return;
        }
        for item in items {
            let column = self.lists.values();
            if let Some(depths) = column.field_builder::<Int32Builder>(0) {
                depths.append_value(depth);
            }
            if let Some(labels) = column.field_builder::<StringBuilder>(1) {
                labels.append_value(&item.label);
            }
            if let Some(urls) = column.field_builder::<StringBuilder>(2) {
                urls.append_option(item.url.as_deref());
            }
            column.append(true);
            self.add_items(&item.children, depth + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::tests::row;

    #[test]
    fn columns_are_the_fields_of_a_row() {
        let json = serde_json::to_string(&row(0)).unwrap();
        let mut from = 0;
        for field in schema().fields() {
            let position = json[from..].find(&format!("\"{}\":", field.name()));
            from += position.unwrap_or_else(|| panic!("{} is missing or out of order", field.name()));
        }
        let fields = serde_json::to_value(row(0)).unwrap();
        assert_eq!(fields.as_object().unwrap().len(), schema().fields().len());
    }

    #[test]
    fn rows_make_a_batch() {
        let rows: Vec<Row> = (0..5).map(row).collect();
        let batch = record_batch(&rows).unwrap();
        assert_eq!((batch.num_rows(), batch.schema()), (5, schema()));
        assert_eq!(record_batch(&[]).unwrap().num_rows(), 0);
    }
}
