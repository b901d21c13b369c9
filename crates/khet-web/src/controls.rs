//! Controls that pages of all kinds use: dialogs, form fields, icons.

pub(crate) mod dialog;
pub(crate) mod fields;
pub(crate) mod icon;
