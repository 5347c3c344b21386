//! Names of SVG with capitals. The tokenizer returns names in lower case.

use web_atoms::{LocalName, local_name};

/// Names with capitals, sorted by their lower-case form.
macro_rules! names {
    ($($name:tt)*) => {
        [$(($name, local_name!($name)),)*]
    };
}

static ELEMENTS: [(&str, LocalName); 37] = names! {
    "altGlyph" "altGlyphDef" "altGlyphItem" "animateColor" "animateMotion" "animateTransform" "clipPath"
    "feBlend" "feColorMatrix" "feComponentTransfer" "feComposite" "feConvolveMatrix" "feDiffuseLighting"
    "feDisplacementMap" "feDistantLight" "feDropShadow" "feFlood" "feFuncA" "feFuncB" "feFuncG" "feFuncR"
    "feGaussianBlur" "feImage" "feMerge" "feMergeNode" "feMorphology" "feOffset" "fePointLight"
    "feSpecularLighting" "feSpotLight" "feTile" "feTurbulence" "foreignObject" "glyphRef" "linearGradient"
    "radialGradient" "textPath"
};

static ATTRIBUTES: [(&str, LocalName); 58] = names! {
    "attributeName" "attributeType" "baseFrequency" "baseProfile" "calcMode" "clipPathUnits"
    "diffuseConstant" "edgeMode" "filterUnits" "glyphRef" "gradientTransform" "gradientUnits"
    "kernelMatrix" "kernelUnitLength" "keyPoints" "keySplines" "keyTimes" "lengthAdjust"
    "limitingConeAngle" "markerHeight" "markerUnits" "markerWidth" "maskContentUnits" "maskUnits"
    "numOctaves" "pathLength" "patternContentUnits" "patternTransform" "patternUnits" "pointsAtX"
    "pointsAtY" "pointsAtZ" "preserveAlpha" "preserveAspectRatio" "primitiveUnits" "refX" "refY"
    "repeatCount" "repeatDur" "requiredExtensions" "requiredFeatures" "specularConstant"
    "specularExponent" "spreadMethod" "startOffset" "stdDeviation" "stitchTiles" "surfaceScale"
    "systemLanguage" "tableValues" "targetX" "targetY" "textLength" "viewBox" "viewTarget"
    "xChannelSelector" "yChannelSelector" "zoomAndPan"
};

/// The name of an SVG element, if it differs from its lower-case form.
pub(super) fn svg_name(name: &str) -> Option<LocalName> {
    with_capitals(&ELEMENTS, name)
}

/// The name of an attribute of an SVG element, if it differs from its lower-case form.
pub(super) fn svg_attribute_name(name: &LocalName) -> Option<LocalName> {
    with_capitals(&ATTRIBUTES, name)
}

fn with_capitals(names: &[(&str, LocalName)], name: &str) -> Option<LocalName> {
    let found = names.binary_search_by(|(known, _)| {
        let in_small = known.bytes().map(|byte| byte.to_ascii_lowercase());
        in_small.cmp(name.bytes())
    });
    found.ok().map(|index| names[index].1.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_gets_its_capitals() {
        for (names, find) in [
            (&ELEMENTS[..], svg_name as fn(&str) -> _),
            (&ATTRIBUTES, |name| svg_attribute_name(&name.into())),
        ] {
            for (name, _) in names {
                let found: Option<LocalName> = find(&name.to_ascii_lowercase());
                assert_eq!(found.as_deref(), Some(*name));
            }
        }
        assert_eq!(svg_name("path"), None);
    }
}
