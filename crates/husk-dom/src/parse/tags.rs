//! The tags that the HTML standard has rules for.

/// Lists tags, sorted by name.
macro_rules! tags {
    ($($tag:ident $name:literal)*) => {
        /// The name of an element, as far as the rules distinguish names.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u8)]
        pub(super) enum Tag {
            $($tag,)*
            /// Any other HTML element.
            Other,
            /// An element of SVG or MathML.
            Foreign,
        }

        /// All tags with a name of their own.
        const NAMED: &[(&str, Tag)] = &[$(($name, Tag::$tag),)*];
    };
}

tags! {
    A "a" Address "address" AnnotationXml "annotation-xml" Applet "applet" Area "area" Article "article"
    Aside "aside" B "b" Base "base" Basefont "basefont" Bgsound "bgsound" Big "big" Blockquote "blockquote"
    Body "body" Br "br" Button "button" Caption "caption" Center "center" Code "code" Col "col"
    Colgroup "colgroup" Dd "dd" Desc "desc" Details "details" Dialog "dialog" Dir "dir" Div "div" Dl "dl"
    Dt "dt" Em "em" Embed "embed" Fieldset "fieldset" Figcaption "figcaption" Figure "figure" Font "font"
    Footer "footer" ForeignObject "foreignobject" Form "form" Frame "frame" Frameset "frameset" H1 "h1" H2 "h2"
    H3 "h3" H4 "h4" H5 "h5" H6 "h6" Head "head" Header "header" Hgroup "hgroup" Hr "hr" Html "html" I "i"
    Iframe "iframe" Image "image" Img "img" Input "input" Keygen "keygen" Li "li" Link "link" Listing "listing"
    Main "main" Malignmark "malignmark" Marquee "marquee" Math "math" Menu "menu" Meta "meta" Mglyph "mglyph"
    Mi "mi" Mn "mn" Mo "mo" Ms "ms" Mtext "mtext" Nav "nav" Nobr "nobr" Noembed "noembed" Noframes "noframes"
    Noscript "noscript" Object "object" Ol "ol" Optgroup "optgroup" Option "option" P "p" Param "param"
    Plaintext "plaintext" Pre "pre" Rb "rb" Rp "rp" Rt "rt" Rtc "rtc" Ruby "ruby" S "s" Script "script"
    Search "search" Section "section" Select "select" Small "small" Source "source" Span "span"
    Strike "strike" Strong "strong" Style "style" Sub "sub" Summary "summary" Sup "sup" Svg "svg" Table "table"
    Tbody "tbody" Td "td" Template "template" Textarea "textarea" Tfoot "tfoot" Th "th" Thead "thead"
    Title "title" Tr "tr" Track "track" Tt "tt" U "u" Ul "ul" Var "var" Wbr "wbr" Xmp "xmp"
}

/// The number of tags.
pub(super) const COUNT: usize = NAMED.len() + 2;

/// All tags, each at its own index.
pub(super) const ALL: [Tag; COUNT] = {
    let mut all = [Tag::Other; COUNT];
    let mut index = 0;
    while index < NAMED.len() {
        all[index] = NAMED[index].1;
        index += 1;
    }
    all[COUNT - 1] = Tag::Foreign;
    all
};

impl Tag {
    /// The tag with a name in lower case.
    pub(super) fn of(name: &str) -> Self {
        match NAMED.binary_search_by(|(known, _)| (*known).cmp(name)) {
            Ok(index) => NAMED[index].1,
            Err(_) => Self::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found() {
        for &(name, tag) in NAMED {
            assert_eq!(Tag::of(name), tag, "{name}");
        }
        assert_eq!(Tag::of("x-custom"), Tag::Other);
        assert_eq!(Tag::of("Div"), Tag::Other);
    }

    #[test]
    fn each_tag_is_at_its_index() {
        for (index, &tag) in ALL.iter().enumerate() {
            assert_eq!(tag as usize, index);
        }
    }
}
