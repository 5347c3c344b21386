// What the engine writes, in its own types.
//
// It is named by its path: who shows results need not have the engine installed, only its types are read, and these
// stand beside this package.

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
