//! Insertion modes for row groups, rows and cells.

use web_atoms::local_name;

use super::super::tags::Tag;
use super::stack::OpenElement;
use super::{Builder, EndTag, InsertionMode, StartTag, Step, kinds};

impl Builder {
    pub(super) fn start_in_table_body(&mut self, start: &StartTag) -> Step {
        use Tag::*;
        match start.tag {
            Tr => {
                self.open.close_to_kind(kinds::HOLDS_ROWS);
                self.insert(start);
                self.mode = InsertionMode::InRow;
                Step::Done
            }
            Th | Td => {
                self.open.close_to_kind(kinds::HOLDS_ROWS);
                self.insert_implied(Tr, local_name!("tr"));
                self.mode = InsertionMode::InRow;
                Step::Again
            }
            Caption | Col | Colgroup | Tbody | Tfoot | Thead => self.leave_row_group(),
            _ => self.start_in_table(start),
        }
    }

    pub(super) fn end_in_table_body(&mut self, end: &EndTag<'_>) -> Step {
        use Tag::*;
        match end.tag {
            Tbody | Tfoot | Thead => {
                if self.is_in_table_scope(end.tag) {
                    self.close_row_group();
                }
                Step::Done
            }
            Table => self.leave_row_group(),
            Body | Caption | Col | Colgroup | Html | Td | Th | Tr => Step::Done,
            _ => self.end_in_table(end),
        }
    }

    fn close_row_group(&mut self) {
        self.open.close_to_kind(kinds::HOLDS_ROWS);
        self.open.pop();
        self.mode = InsertionMode::InTable;
    }

    /// Ends the row group, if there is one; the table processes the token again.
    fn leave_row_group(&mut self) -> Step {
        let is_group = |open: OpenElement| open.is(kinds::ROW_GROUP);
        if !self.open.finds_in_scope(is_group, kinds::ENDS_TABLE_SCOPE) {
            return Step::Done;
        }
        self.close_row_group();
        Step::Again
    }

    pub(super) fn start_in_row(&mut self, start: &StartTag) -> Step {
        use Tag::*;
        match start.tag {
            Th | Td => {
                self.open.close_to_kind(kinds::HOLDS_CELLS);
                self.insert(start);
                self.mode = InsertionMode::InCell;
                self.formatting.push_marker();
                Step::Done
            }
            Caption | Col | Colgroup | Tbody | Tfoot | Thead | Tr => self.leave_row(),
            _ => self.start_in_table(start),
        }
    }

    pub(super) fn end_in_row(&mut self, end: &EndTag<'_>) -> Step {
        use Tag::*;
        match end.tag {
            Tr => {
                self.leave_row();
                Step::Done
            }
            Table => self.leave_row(),
            Tbody | Tfoot | Thead if self.is_in_table_scope(end.tag) => self.leave_row(),
            Tbody | Tfoot | Thead | Body | Caption | Col | Colgroup | Html | Td | Th => Step::Done,
            _ => self.end_in_table(end),
        }
    }

    /// Ends the row, if there is one; the row group processes the token again.
    fn leave_row(&mut self) -> Step {
        if !self.is_in_table_scope(Tag::Tr) {
            return Step::Done;
        }
        self.open.close_to_kind(kinds::HOLDS_CELLS);
        self.open.pop();
        self.mode = InsertionMode::InTableBody;
        Step::Again
    }

    pub(super) fn start_in_cell(&mut self, start: &StartTag) -> Step {
        use Tag::*;
        match start.tag {
            Caption | Col | Colgroup | Tbody | Td | Tfoot | Th | Thead | Tr => {
                let is_cell = |open: OpenElement| open.is(kinds::CELL);
                if self.open.finds_in_scope(is_cell, kinds::ENDS_TABLE_SCOPE) {
                    return self.leave_cell();
                }
                Step::Done
            }
            _ => self.start_in_body(start),
        }
    }

    pub(super) fn end_in_cell(&mut self, end: &EndTag<'_>) -> Step {
        use Tag::*;
        match end.tag {
            Td | Th => {
                if self.is_in_table_scope(end.tag) {
                    self.open.close_implied();
                    self.open.close(end.tag);
                    self.formatting.clear_to_marker();
                    self.mode = InsertionMode::InRow;
                }
                Step::Done
            }
            Body | Caption | Col | Colgroup | Html => Step::Done,
            Table | Tbody | Tfoot | Thead | Tr => {
                if self.is_in_table_scope(end.tag) {
                    return self.leave_cell();
                }
                Step::Done
            }
            _ => self.end_in_body(end),
        }
    }

    /// Ends the cell; the row processes the token again.
    fn leave_cell(&mut self) -> Step {
        self.open.close_implied();
        self.open.close_kind(kinds::CELL);
        self.formatting.clear_to_marker();
        self.mode = InsertionMode::InRow;
        Step::Again
    }
}
