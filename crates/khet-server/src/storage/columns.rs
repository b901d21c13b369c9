//! Conversions between columns and Rust types.
//!
//! Ids and other types with a text form are stored as [`sqlx::types::Text`]; this module adds the
//! two other forms, and the macro that declares row structs.

use std::fmt::Display;
use std::str::FromStr;

use khet_protocol::is_invisible;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::error::BoxDynError;
use sqlx::types::Text;

use super::StorageError;
use super::sql::{ColumnValue, SqlValue, unusable_value};

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

/// A type that is written into a column.
pub(super) trait ToValue {
    /// `NULL` in such a column.
    const NULL: SqlValue;

    fn to_value(self) -> Result<SqlValue, StorageError>;
}

impl ToValue for SqlValue {
    const NULL: SqlValue = SqlValue::Text(None);

    fn to_value(self) -> Result<SqlValue, StorageError> {
        Ok(self)
    }
}

/// A type that is read from a column.
pub(super) trait FromColumn: Sized {
    fn from_column(value: ColumnValue<'_>) -> Result<Self, BoxDynError>;
}

impl<T: ToValue> ToValue for Option<T> {
    const NULL: SqlValue = T::NULL;

    fn to_value(self) -> Result<SqlValue, StorageError> {
        self.map_or(Ok(T::NULL), T::to_value)
    }
}

impl<T: FromColumn> FromColumn for Option<T> {
    fn from_column(value: ColumnValue<'_>) -> Result<Option<T>, BoxDynError> {
        match value {
            ColumnValue::Null => Ok(None),
            value => T::from_column(value).map(Some),
        }
    }
}

/// Implements both conversions for types that are stored as integers.
macro_rules! integer {
    ($($integer:ty),*) => {$(
        impl ToValue for $integer {
            const NULL: SqlValue = SqlValue::Integer(None);

            fn to_value(self) -> Result<SqlValue, StorageError> {
                Ok(SqlValue::Integer(Some(self.into())))
            }
        }

        impl FromColumn for $integer {
            fn from_column(value: ColumnValue<'_>) -> Result<$integer, BoxDynError> {
                Ok(read_integer(value)?.try_into()?)
            }
        }
    )*};
}

integer!(i64, u32, u16, u8);

impl FromColumn for u64 {
    fn from_column(value: ColumnValue<'_>) -> Result<u64, BoxDynError> {
        Ok(read_integer(value)?.try_into()?)
    }
}

impl ToValue for bool {
    const NULL: SqlValue = SqlValue::Integer(None);

    fn to_value(self) -> Result<SqlValue, StorageError> {
        Ok(SqlValue::Integer(Some(self.into())))
    }
}

impl FromColumn for bool {
    fn from_column(value: ColumnValue<'_>) -> Result<bool, BoxDynError> {
        Ok(read_integer(value)? != 0)
    }
}

impl ToValue for f64 {
    const NULL: SqlValue = SqlValue::Real(None);

    fn to_value(self) -> Result<SqlValue, StorageError> {
        Ok(SqlValue::Real(Some(self)))
    }
}

impl FromColumn for f64 {
    fn from_column(value: ColumnValue<'_>) -> Result<f64, BoxDynError> {
        match value {
            ColumnValue::Real(number) => Ok(number),
            other => Err(unexpected(other, "a number")),
        }
    }
}

impl ToValue for String {
    const NULL: SqlValue = SqlValue::Text(None);

    fn to_value(self) -> Result<SqlValue, StorageError> {
        Ok(SqlValue::Text(Some(self)))
    }
}

impl ToValue for &String {
    const NULL: SqlValue = SqlValue::Text(None);

    fn to_value(self) -> Result<SqlValue, StorageError> {
        Ok(SqlValue::Text(Some(self.clone())))
    }
}

impl ToValue for &str {
    const NULL: SqlValue = SqlValue::Text(None);

    fn to_value(self) -> Result<SqlValue, StorageError> {
        Ok(SqlValue::Text(Some(self.to_owned())))
    }
}

impl FromColumn for String {
    fn from_column(value: ColumnValue<'_>) -> Result<String, BoxDynError> {
        Ok(read_text(value)?.to_owned())
    }
}

impl ToValue for Vec<u8> {
    const NULL: SqlValue = SqlValue::Bytes(None);

    fn to_value(self) -> Result<SqlValue, StorageError> {
        Ok(SqlValue::Bytes(Some(self)))
    }
}

impl FromColumn for Vec<u8> {
    fn from_column(value: ColumnValue<'_>) -> Result<Vec<u8>, BoxDynError> {
        match value {
            ColumnValue::Bytes(bytes) => Ok(bytes.to_owned()),
            other => Err(unexpected(other, "bytes")),
        }
    }
}

impl<T: Display> ToValue for Text<T> {
    const NULL: SqlValue = SqlValue::Text(None);

    fn to_value(self) -> Result<SqlValue, StorageError> {
        Ok(SqlValue::Text(Some(self.0.to_string())))
    }
}

impl<T: FromStr<Err: Into<BoxDynError>>> FromColumn for Text<T> {
    fn from_column(value: ColumnValue<'_>) -> Result<Text<T>, BoxDynError> {
        read_text(value)?.parse().map(Text).map_err(Into::into)
    }
}

impl<T: FromStr<Err: Into<BoxDynError>>> FromColumn for VisibleText<T> {
    fn from_column(value: ColumnValue<'_>) -> Result<VisibleText<T>, BoxDynError> {
        let mut text = read_text(value)?.to_owned();
        text.retain(|letter| letter == '\n' || !is_invisible(letter));
        text.parse().map(VisibleText).map_err(Into::into)
    }
}

impl<T: Serialize> ToValue for Json<T> {
    const NULL: SqlValue = SqlValue::Text(None);

    fn to_value(self) -> Result<SqlValue, StorageError> {
        let json = serde_json::to_string(&self.0).map_err(|error| unusable_value(error.into()))?;
        Ok(SqlValue::Text(Some(json)))
    }
}

impl<T: DeserializeOwned> FromColumn for Json<T> {
    fn from_column(value: ColumnValue<'_>) -> Result<Json<T>, BoxDynError> {
        Ok(Json(serde_json::from_str(read_text(value)?)?))
    }
}

impl<T: Serialize> ToValue for Name<T> {
    const NULL: SqlValue = SqlValue::Text(None);

    fn to_value(self) -> Result<SqlValue, StorageError> {
        let json = serde_json::to_string(&self.0).map_err(|error| unusable_value(error.into()))?;
        Ok(SqlValue::Text(Some(json.trim_matches('"').to_owned())))
    }
}

impl<T: DeserializeOwned> FromColumn for Name<T> {
    fn from_column(value: ColumnValue<'_>) -> Result<Name<T>, BoxDynError> {
        Ok(Name(serde_json::from_str(&format!("\"{}\"", read_text(value)?))?))
    }
}

fn read_integer(value: ColumnValue<'_>) -> Result<i64, BoxDynError> {
    match value {
        ColumnValue::Integer(number) => Ok(number),
        other => Err(unexpected(other, "an integer")),
    }
}

fn read_text(value: ColumnValue<'_>) -> Result<&str, BoxDynError> {
    match value {
        ColumnValue::Text(text) => Ok(text),
        other => Err(unexpected(other, "a text")),
    }
}

fn unexpected(value: ColumnValue<'_>, expected: &str) -> BoxDynError {
    let found = match value {
        ColumnValue::Null => "nothing",
        ColumnValue::Integer(_) => "an integer",
        ColumnValue::Real(_) => "a number",
        ColumnValue::Text(_) => "a text",
        ColumnValue::Bytes(_) => "bytes",
    };
    format!("expected {expected}, found {found}").into()
}

/// Declares a struct whose fields are read from the columns of the same names.
macro_rules! row {
    ($(#[$meta:meta])* $visibility:vis struct $name:ident {
        $($(#[$field_meta:meta])* $field_visibility:vis $field:ident: $type:ty),* $(,)?
    }) => {
        $(#[$meta])*
        $visibility struct $name {
            $($(#[$field_meta])* $field_visibility $field: $type),*
        }

        impl $crate::storage::sql::FromRow for $name {
            fn from_row(
                row: &$crate::storage::sql::DatabaseRow,
            ) -> Result<$name, $crate::storage::StorageError> {
                Ok($name { $($field: row.get(stringify!($field))?),* })
            }
        }
    };
}

pub(super) use row;
