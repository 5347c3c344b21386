//! Doctypes that cause quirks mode.

use super::comments::Doctype;

/// Public identifiers that cause quirks mode.
const PUBLIC_IDS: [&str; 3] = [
    "-//w3o//dtd w3 html strict 3.0//en//",
    "-/w3c/dtd html 4.0 transitional/en",
    "html",
];

const SYSTEM_ID: &str = "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd";

/// Prefixes of public identifiers that cause quirks mode without a system identifier.
const PREFIXES_WITHOUT_SYSTEM_ID: [&str; 2] = [
    "-//w3c//dtd html 4.01 frameset//",
    "-//w3c//dtd html 4.01 transitional//",
];

/// Prefixes of public identifiers that cause quirks mode: organization and document type.
const PREFIXES: [(&str, &[&str]); 17] = [
    ("-//advasoft ltd//dtd ", &["html 3.0 aswedit + extensions//"]),
    ("-//as//dtd ", &["html 3.0 aswedit + extensions//"]),
    (
        "-//ietf//dtd html ",
        &[
            "2.0 level 1//",
            "2.0 level 2//",
            "2.0 strict level 1//",
            "2.0 strict level 2//",
            "2.0 strict//",
            "2.0//",
            "2.1e//",
            "3.0//",
            "3.2 final//",
            "3.2//",
            "3//",
            "level 0//",
            "level 1//",
            "level 2//",
            "level 3//",
            "strict level 0//",
            "strict level 1//",
            "strict level 2//",
            "strict level 3//",
            "strict//",
        ],
    ),
    ("-//ietf//dtd ", &["html//"]),
    ("-//metrius//dtd ", &["metrius presentational//"]),
    (
        "-//microsoft//dtd internet explorer ",
        &[
            "2.0 html strict//",
            "2.0 html//",
            "2.0 tables//",
            "3.0 html strict//",
            "3.0 html//",
            "3.0 tables//",
        ],
    ),
    ("-//netscape comm. corp.//dtd ", &["html//", "strict html//"]),
    (
        "-//o'reilly and associates//dtd html ",
        &["2.0//", "extended 1.0//", "extended relaxed 1.0//"],
    ),
    (
        "-//softquad software//dtd hotmetal pro ",
        &["6.0::19990601::extensions to html 4.0//"],
    ),
    (
        "-//softquad//dtd hotmetal pro ",
        &["4.0::19971010::extensions to html 4.0//"],
    ),
    ("-//spyglass//dtd ", &["html 2.0 extended//"]),
    ("-//sq//dtd ", &["html 2.0 hotmetal + extensions//"]),
    (
        "-//sun microsystems corp.//dtd hotjava ",
        &["html//", "strict html//"],
    ),
    (
        "-//w3c//dtd html ",
        &[
            "3 1995-03-24//",
            "3.2 draft//",
            "3.2 final//",
            "3.2//",
            "3.2s draft//",
            "4.0 frameset//",
            "4.0 transitional//",
            "experimental 19960712//",
            "experimental 970421//",
        ],
    ),
    ("-//w3c//dtd w3 ", &["html//"]),
    ("-//w3o//dtd w3 ", &["html 3.0//"]),
    ("-//webtechs//dtd mozilla ", &["html 2.0//", "html//"]),
];

/// Whether a doctype causes quirks mode.
pub(super) fn causes_quirks(doctype: &Doctype<'_>) -> bool {
    if doctype.is_broken || doctype.name.as_deref() != Some("html") {
        return true;
    }
    let system_id = doctype.system_id.as_deref();
    if system_id.is_some_and(|id| id.eq_ignore_ascii_case(SYSTEM_ID)) {
        return true;
    }
    let Some(public_id) = doctype.public_id.as_deref() else {
        return false;
    };
    let public_id = public_id.to_ascii_lowercase();
    let begins_with = |beginning: &str| public_id.starts_with(beginning);
    PUBLIC_IDS.contains(&&*public_id)
        || (system_id.is_none() && PREFIXES_WITHOUT_SYSTEM_ID.into_iter().any(begins_with))
        || PREFIXES.iter().any(|(maker, languages)| {
            public_id
                .strip_prefix(maker)
                .is_some_and(|language| languages.iter().any(|known| language.starts_with(known)))
        })
}
