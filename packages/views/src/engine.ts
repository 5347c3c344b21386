// The engine's types.
//
// Imported by path: only types are needed, so the engine need not be
// installed.

export type {
    ContentJson,
    EntryJson,
    Mark,
    MarksJson,
    MenuJson,
    NavigationJson,
    PageletJson,
    PageletsJson,
    TemplateJson,
    Visit,
    Why,
} from "../../core/dist/husk";
