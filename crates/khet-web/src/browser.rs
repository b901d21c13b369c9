//! Services of the browser: storage, keyboard focus, pointers, time, random numbers, clipboard, downloads.

pub(crate) mod clipboard;
pub(crate) mod download;
pub(crate) mod focus;
pub(crate) mod pointer;
pub(crate) mod random;
pub(crate) mod storage;
pub(crate) mod time;
