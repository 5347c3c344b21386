//! Deserializes JSON objects only.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};

/// Rejects arrays, which serde would read as the fields in their order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Object<T>(pub(crate) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor(PhantomData)).map(Self)
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Default, serde::Deserialize)]
    #[serde(default)]
    struct Outer {
        one: u8,
        two: Object<Vec2>,
    }

    #[derive(Debug, Default, serde::Deserialize)]
    struct Vec2 {
        x: u8,
        y: u8,
    }

    #[test]
    fn arrays_are_rejected() {
        let read = serde_json::from_str::<Object<Outer>>;
        let Object(two) = read(r#"{"one": 1, "two": {"y": 2, "x": 3}}"#).unwrap();
        assert_eq!((two.one, two.two.0.x, two.two.0.y), (1, 3, 2));
        for wrong in ["[1]", r#"{"two": [1, 2]}"#, "null", "3", r#"{"two": null}"#] {
            let cause = read(wrong).unwrap_err().to_string();
            assert!(cause.contains("expected an object"), "{wrong}: {cause}");
        }
    }
}
