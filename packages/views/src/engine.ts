// The engine's types.
//
// Imported by path: only types are needed, so the engine need not be
// installed.

export type {
    ContentJson,
    Mark,
    MarksJson,
    MenuItemJson,
    MenuJson,
    NavigationJson,
    PageletJson,
    PageletsJson,
    SelectionReason,
    TemplateJson,
    Visit,
} from "../../core/dist/husk";
