//! Services of the browser: storage, keyboard focus, pointers, time, random numbers, clipboard,
//! sharing, downloads.

pub(crate) mod clipboard;
pub(crate) mod download;
pub(crate) mod focus;
pub(crate) mod key_press;
pub(crate) mod pointer;
pub(crate) mod random;
pub(crate) mod share;
pub(crate) mod storage;
pub(crate) mod time;
