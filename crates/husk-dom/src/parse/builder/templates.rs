//! Templates.

use super::super::tags::Tag;
use super::{Builder, InsertionMode, StartTag, Step, kinds};

impl Builder {
    pub(super) fn start_template(&mut self, start: &StartTag) -> Step {
        let template = self.insert(start);
        self.tree.add_contents(template);
        self.formatting.push_marker();
        self.may_be_frameset = false;
        self.mode = InsertionMode::InTemplate;
        self.template_modes.push(InsertionMode::InTemplate);
        Step::Done
    }

    pub(super) fn end_template(&mut self) -> Step {
        if self.open.has(Tag::Template) {
            while self.open.is_in_kind(kinds::IMPLIED_END_IN_TEMPLATE) {
                self.open.pop();
            }
            self.close_template();
        }
        Step::Done
    }

    pub(super) fn close_template(&mut self) {
        self.open.close(Tag::Template);
        self.formatting.clear_to_marker();
        self.template_modes.pop();
        self.reset_mode();
    }

    /// The first tag in a template determines the mode for its contents.
    pub(super) fn start_in_template(&mut self, start: &StartTag) -> Step {
        use Tag::*;
        let mode = match start.tag {
            Base | Basefont | Bgsound | Link | Meta | Noframes | Script | Style | Template | Title => {
                return self.start_in_head(start);
            }
            Caption | Colgroup | Tbody | Tfoot | Thead => InsertionMode::InTable,
            Col => InsertionMode::InColumnGroup,
            Tr => InsertionMode::InTableBody,
            Td | Th => InsertionMode::InRow,
            _ => InsertionMode::InBody,
        };
        self.template_modes.pop();
        self.template_modes.push(mode);
        self.mode = mode;
        Step::Again
    }
}
