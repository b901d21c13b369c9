//! Conversions between columns and Rust types.
//!
//! Ids and other types with a text form are stored as [`sqlx::types::Text`]; this module adds the
//! two forms that sqlx lacks without further features, and the macro that declares row structs.

use std::str::FromStr;

use khet_protocol::is_invisible;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::sqlite::{Sqlite, SqliteArgumentsBuffer, SqliteTypeInfo, SqliteValueRef};
use sqlx::{Decode, Encode, Type};

/// A value stored as JSON text.
#[derive(Clone, Debug)]
pub(super) struct Json<T>(pub(super) T);

/// An enum variant stored by its serde name, as in `guest`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name<T>(pub(super) T);

/// A text that people wrote. Invisible characters, some of which earlier versions accepted, are
/// dropped, so that one such text can't make a list unreadable.
#[derive(Clone, Debug)]
pub(super) struct VisibleText<T>(pub(super) T);

impl<T> Type<Sqlite> for VisibleText<T> {
    fn type_info() -> SqliteTypeInfo {
        <String as Type<Sqlite>>::type_info()
    }
}

impl<'r, T: FromStr<Err: std::error::Error + Send + Sync + 'static>> Decode<'r, Sqlite>
    for VisibleText<T>
{
    fn decode(value: SqliteValueRef<'r>) -> Result<VisibleText<T>, BoxDynError> {
        let mut text = <String as Decode<Sqlite>>::decode(value)?;
        text.retain(|letter| letter == '\n' || !is_invisible(letter));
        Ok(VisibleText(text.parse()?))
    }
}

impl<T> Type<Sqlite> for Json<T> {
    fn type_info() -> SqliteTypeInfo {
        <String as Type<Sqlite>>::type_info()
    }
}

impl<T: Serialize> Encode<'_, Sqlite> for Json<T> {
    fn encode_by_ref(&self, buffer: &mut SqliteArgumentsBuffer) -> Result<IsNull, BoxDynError> {
        Encode::<Sqlite>::encode(serde_json::to_string(&self.0)?, buffer)
    }
}

impl<'r, T: DeserializeOwned> Decode<'r, Sqlite> for Json<T> {
    fn decode(value: SqliteValueRef<'r>) -> Result<Json<T>, BoxDynError> {
        let text = <String as Decode<Sqlite>>::decode(value)?;
        Ok(Json(serde_json::from_str(&text)?))
    }
}

impl<T> Type<Sqlite> for Name<T> {
    fn type_info() -> SqliteTypeInfo {
        <String as Type<Sqlite>>::type_info()
    }
}

impl<T: Serialize> Encode<'_, Sqlite> for Name<T> {
    fn encode_by_ref(&self, buffer: &mut SqliteArgumentsBuffer) -> Result<IsNull, BoxDynError> {
        let json = serde_json::to_string(&self.0)?;
        Encode::<Sqlite>::encode(json.trim_matches('"').to_owned(), buffer)
    }
}

impl<'r, T: DeserializeOwned> Decode<'r, Sqlite> for Name<T> {
    fn decode(value: SqliteValueRef<'r>) -> Result<Name<T>, BoxDynError> {
        let text = <String as Decode<Sqlite>>::decode(value)?;
        Ok(Name(serde_json::from_str(&format!("\"{text}\""))?))
    }
}

/// Declares a struct whose fields are read from the columns of the same names.
///
/// It stands in for `#[derive(sqlx::FromRow)]`, which needs the crate `sqlx-macros` and with it a
/// second build of SQLite for the compiler's host.
macro_rules! row {
    ($(#[$meta:meta])* $visibility:vis struct $name:ident {
        $($(#[$field_meta:meta])* $field_visibility:vis $field:ident: $type:ty),* $(,)?
    }) => {
        $(#[$meta])*
        $visibility struct $name {
            $($(#[$field_meta])* $field_visibility $field: $type),*
        }

        impl<'r> sqlx::FromRow<'r, sqlx::sqlite::SqliteRow> for $name {
            fn from_row(row: &'r sqlx::sqlite::SqliteRow) -> Result<$name, sqlx::Error> {
                Ok($name { $($field: sqlx::Row::try_get(row, stringify!($field))?),* })
            }
        }
    };
}

pub(super) use row;
