//! The query parameters of a `GET`, taken from the schema of the body of the `POST`, so that the two cannot differ.

use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::SchemaType;
use utoipa::openapi::{RefOr, Required, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use super::MoveTexts;

/// One optional query parameter for each property of `T`, with the property's description, bounds and examples.
pub(crate) fn query_parameters<T: PartialSchema>() -> Vec<Parameter> {
    let RefOr::T(Schema::Object(object)) = T::schema() else { return Vec::new() };
    object
        .properties
        .into_iter()
        .map(|(name, property)| {
            let mut schema = without_null(property);
            let description = take_description(&mut schema);
            ParameterBuilder::new()
                .name(name)
                .parameter_in(ParameterIn::Query)
                .required(Required::False)
                .description(description)
                .schema(Some(as_text(schema)))
                .build()
        })
        .collect()
}

/// A parameter has its description beside its schema, not in it.
fn take_description(schema: &mut RefOr<Schema>) -> Option<String> {
    match schema {
        RefOr::Ref(reference) => {
            Some(std::mem::take(&mut reference.description)).filter(|text| !text.is_empty())
        }
        RefOr::T(Schema::OneOf(one_of)) => one_of.description.take(),
        RefOr::T(Schema::Object(object)) => object.description.take(),
        RefOr::T(_) => None,
    }
}

/// The longest list of moves that a query string is meant for, in characters: with every character percent-encoded two
/// such lists still fit into a request's first line. Longer ones are taken as far as they fit; a `POST` is for them.
const LONGEST_LINE: usize = 2048;

/// A list of moves in a query string is always one text.
fn as_text(schema: RefOr<Schema>) -> RefOr<Schema> {
    match schema {
        RefOr::Ref(reference) if reference.ref_location.ends_with(MoveTexts::name().as_ref()) => {
            MoveTexts::line_schema(LONGEST_LINE)
        }
        other => other,
    }
}

/// A query string has no `null`: a field is absent by being left out.
fn without_null(property: RefOr<Schema>) -> RefOr<Schema> {
    match property {
        RefOr::T(Schema::OneOf(mut one_of)) => {
            one_of.items.retain(|item| !is_null(item));
            match (one_of.items.pop(), one_of.items.is_empty()) {
                (Some(only), true) => only,
                (last, _) => {
                    one_of.items.extend(last);
                    RefOr::T(Schema::OneOf(one_of))
                }
            }
        }
        RefOr::T(Schema::Object(mut object)) => {
            if let SchemaType::Array(types) = &mut object.schema_type {
                types.retain(|kind| *kind != Type::Null);
                if let [only] = types.as_slice() {
                    object.schema_type = SchemaType::Type(only.clone());
                }
            }
            RefOr::T(Schema::Object(object))
        }
        other => other,
    }
}

fn is_null(schema: &RefOr<Schema>) -> bool {
    matches!(schema, RefOr::T(Schema::Object(object)) if object.schema_type == SchemaType::Type(Type::Null))
}
