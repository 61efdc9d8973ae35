//! The query parameters of a `GET`, taken from the schema of the body of the `POST`, so that the two cannot differ.

use utoipa::PartialSchema;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::SchemaType;
use utoipa::openapi::{RefOr, Required, Schema, Type};

/// One optional query parameter for each property of `T`, with the property's description, bounds and examples.
pub(crate) fn query_parameters<T: PartialSchema>() -> Vec<Parameter> {
    let RefOr::T(Schema::Object(object)) = T::schema() else { return Vec::new() };
    object
        .properties
        .into_iter()
        .map(|(name, property)| {
            ParameterBuilder::new()
                .name(name)
                .parameter_in(ParameterIn::Query)
                .required(Required::False)
                .description(description(&property))
                .schema(Some(without_null(property)))
                .build()
        })
        .collect()
}

fn description(property: &RefOr<Schema>) -> Option<String> {
    match property {
        RefOr::Ref(reference) => Some(reference.description.clone()).filter(|text| !text.is_empty()),
        RefOr::T(Schema::OneOf(one_of)) => one_of.description.clone(),
        RefOr::T(Schema::Object(object)) => object.description.clone(),
        RefOr::T(_) => None,
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
