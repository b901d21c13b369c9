//! Schemas of the rules library's outcome types for the API document. The library itself does not
//! depend on utoipa.

use std::borrow::Cow;

use khet::Termination;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// How a game ended.
#[derive(Debug, ToSchema)]
#[schema(as = Outcome)]
#[allow(dead_code)]
pub struct OutcomeSchema {
    /// The winner; null in a draw and in an aborted game.
    #[schema(example = "silver")]
    winner: Option<String>,
    /// Why the game ended.
    termination: TerminationSchema,
}

/// The names of all terminations.
#[derive(Debug)]
pub struct TerminationSchema;

impl PartialSchema for TerminationSchema {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("Why a game ended."))
            .enum_values(Some(Termination::ALL.map(Termination::name)))
            .into()
    }
}

impl ToSchema for TerminationSchema {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("Termination")
    }
}
