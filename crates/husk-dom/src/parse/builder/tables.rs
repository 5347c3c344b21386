//! Insertion modes for tables, captions and columns.

use web_atoms::local_name;

use super::super::tags::Tag;
use super::{Builder, EndTag, InsertionMode, StartTag, Step, kinds};

impl Builder {
    pub(super) fn start_in_table(&mut self, start: &StartTag) -> Step {
        use Tag::*;
        match start.tag {
            Caption => {
                self.open.close_to_kind(kinds::ENDS_TABLE_SCOPE);
                self.formatting.push_marker();
                self.insert(start);
                self.mode = InsertionMode::InCaption;
                Step::Done
            }
            Colgroup => self.open_table_part(start, InsertionMode::InColumnGroup),
            Col => {
                self.open.close_to_kind(kinds::ENDS_TABLE_SCOPE);
                self.insert_implied(Colgroup, local_name!("colgroup"));
                self.mode = InsertionMode::InColumnGroup;
                Step::Again
            }
            Tbody | Tfoot | Thead => self.open_table_part(start, InsertionMode::InTableBody),
            Td | Th | Tr => {
                self.open.close_to_kind(kinds::ENDS_TABLE_SCOPE);
                self.insert_implied(Tbody, local_name!("tbody"));
                self.mode = InsertionMode::InTableBody;
                Step::Again
            }
            Table => {
                if self.is_in_table_scope(Table) {
                    self.close_table();
                    return Step::Again;
                }
                Step::Done
            }
            Style | Script | Template => self.start_in_head(start),
            Input if self.is_hidden_input(start) => self.insert_leaf(start),
            Form => {
                if !self.open.has(Template) && !self.has_form() {
                    self.form = self.insert(start);
                    self.open.pop();
                }
                Step::Done
            }
            _ => self.start_before_table(start),
        }
    }

    /// A tag that does not belong into a table: its element is inserted before the table.
    fn start_before_table(&mut self, start: &StartTag) -> Step {
        self.is_fostering = true;
        let step = self.start_in_body(start);
        self.is_fostering = false;
        step
    }

    fn open_table_part(&mut self, start: &StartTag, mode: InsertionMode) -> Step {
        self.open.close_to_kind(kinds::ENDS_TABLE_SCOPE);
        self.insert(start);
        self.mode = mode;
        Step::Done
    }

    fn close_table(&mut self) {
        self.open.close(Tag::Table);
        self.reset_mode();
    }

    pub(super) fn end_in_table(&mut self, end: &EndTag<'_>) -> Step {
        use Tag::*;
        match end.tag {
            Table => {
                if self.is_in_table_scope(Table) {
                    self.close_table();
                }
                Step::Done
            }
            Body | Caption | Col | Colgroup | Html | Tbody | Td | Tfoot | Th | Thead | Tr => Step::Done,
            Template => self.end_template(),
            _ => {
                self.is_fostering = true;
                let step = self.end_in_body(end);
                self.is_fostering = false;
                step
            }
        }
    }

    pub(super) fn start_in_caption(&mut self, start: &StartTag) -> Step {
        use Tag::*;
        match start.tag {
            Caption | Col | Colgroup | Tbody | Td | Tfoot | Th | Thead | Tr => self.close_caption(),
            _ => self.start_in_body(start),
        }
    }

    pub(super) fn end_in_caption(&mut self, end: &EndTag<'_>) -> Step {
        use Tag::*;
        match end.tag {
            Caption => {
                self.close_caption();
                Step::Done
            }
            Table => self.close_caption(),
            Body | Col | Colgroup | Html | Tbody | Td | Tfoot | Th | Thead | Tr => Step::Done,
            _ => self.end_in_body(end),
        }
    }

    /// Ends the caption, if there is one; the table processes the token again.
    fn close_caption(&mut self) -> Step {
        if !self.is_in_table_scope(Tag::Caption) {
            return Step::Done;
        }
        self.open.close_implied();
        self.open.close(Tag::Caption);
        self.formatting.clear_to_marker();
        self.mode = InsertionMode::InTable;
        Step::Again
    }

    pub(super) fn start_in_column_group(&mut self, start: &StartTag) -> Step {
        match start.tag {
            Tag::Html => self.start_html_again(start),
            Tag::Col => self.insert_leaf(start),
            Tag::Template => self.start_template(start),
            _ => self.move_on(),
        }
    }

    pub(super) fn end_in_column_group(&mut self, end: &EndTag<'_>) -> Step {
        match end.tag {
            Tag::Colgroup => {
                self.move_on();
                Step::Done
            }
            Tag::Col => Step::Done,
            Tag::Template => self.end_template(),
            _ => self.move_on(),
        }
    }

    /// Resets the insertion mode according to the open elements.
    pub(super) fn reset_mode(&mut self) {
        self.mode = self.mode_of_open();
    }

    fn mode_of_open(&self) -> InsertionMode {
        for (index, open) in self.open.from(0).iter().enumerate().rev() {
            let is_last = index == 0;
            match open.tag {
                Tag::Td | Tag::Th if !is_last => return InsertionMode::InCell,
                Tag::Tr => return InsertionMode::InRow,
                Tag::Tbody | Tag::Thead | Tag::Tfoot => return InsertionMode::InTableBody,
                Tag::Caption => return InsertionMode::InCaption,
                Tag::Colgroup => return InsertionMode::InColumnGroup,
                Tag::Table => return InsertionMode::InTable,
                Tag::Template => {
                    return self
                        .template_modes
                        .last()
                        .copied()
                        .unwrap_or(InsertionMode::InBody);
                }
                Tag::Head if !is_last => return InsertionMode::InHead,
                Tag::Body => return InsertionMode::InBody,
                Tag::Frameset => return InsertionMode::InFrameset,
                Tag::Html if self.head == super::NONE => return InsertionMode::BeforeHead,
                Tag::Html => return InsertionMode::AfterHead,
                _ => {}
            }
        }
        InsertionMode::InBody
    }
}
