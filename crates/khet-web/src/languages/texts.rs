//! The texts of the languages. The browser loads only those of the language and the program that it
//! shows, to keep the first load small. Native builds, which run the unit tests, contain all of
//! them.

#[cfg(target_arch = "wasm32")]
mod loaded {
    use std::sync::OnceLock;

    use js_sys::Reflect;
    use leptos::prelude::*;
    use leptos::web_sys::Response;
    use wasm_bindgen::{JsCast, JsValue};
    use wasm_bindgen_futures::JsFuture;

    use super::super::{Language, TextSet};

    static TEXTS: [[OnceLock<Vec<&'static str>>; Language::ALL.len()]; TextSet::COUNT] =
        [const { [const { OnceLock::new() }; Language::ALL.len()] }; TextSet::COUNT];

    pub(in super::super) fn text(language: Language, set: TextSet, index: usize) -> &'static str {
        let texts = TEXTS[set as usize][language as usize].get();
        texts.and_then(|texts| texts.get(index)).copied().unwrap_or_default()
    }

    /// Loads sets of texts of a language unless they are loaded already.
    ///
    /// # Errors
    ///
    /// If they cannot be fetched, or belong to another version of the app.
    pub async fn load(language: Language, sets: &[TextSet]) -> Result<(), JsValue> {
        for set in sets {
            load_set(language, *set).await?;
        }
        Ok(())
    }

    async fn load_set(language: Language, set: TextSet) -> Result<(), JsValue> {
        let texts = &TEXTS[set as usize][language as usize];
        if texts.get().is_some() {
            return Ok(());
        }
        let name = format!("{}{}", set.file_prefix(), language.code());
        let all = match prefetched(&name) {
            Some(all) => all,
            None => fetch(&name).await?,
        };
        if all.lines().count() != set.len() {
            return Err(JsValue::from_str("the words belong to another version of the app"));
        }
        // Leaked because words are used until the page is closed.
        let all: &'static str = Box::leak(all.into_boxed_str());
        texts.get_or_init(|| all.lines().collect());
        Ok(())
    }

    /// Returns the texts that `start.js` fetched while the app was loading.
    fn prefetched(name: &str) -> Option<String> {
        let words = Reflect::get(&window(), &JsValue::from_str("khetWords")).ok()?;
        Reflect::get(&words, &JsValue::from_str(name)).ok()?.as_string()
    }

    async fn fetch(name: &str) -> Result<String, JsValue> {
        let selector = format!("meta[name={name}]");
        let url =
            document().query_selector(&selector)?.and_then(|meta| meta.get_attribute("content"));
        let response = JsFuture::from(window().fetch_with_str(&url.unwrap_or_default())).await?;
        let response: Response = response.dyn_into()?;
        if !response.ok() {
            return Err(JsValue::from_str("the words could not be fetched"));
        }
        Ok(JsFuture::from(response.text()?).await?.as_string().unwrap_or_default())
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod loaded {
    use wasm_bindgen::JsValue;

    use super::super::{Language, TextSet};

    include!(concat!(env!("OUT_DIR"), "/texts.rs"));

    pub(in super::super) fn text(language: Language, set: TextSet, index: usize) -> &'static str {
        TEXTS[set as usize][language as usize][index]
    }

    /// Does nothing, because native builds contain all texts.
    ///
    /// # Errors
    ///
    /// Never.
    pub async fn load(_language: Language, _sets: &[TextSet]) -> Result<(), JsValue> {
        Ok(())
    }
}

pub use loaded::load;
pub(super) use loaded::text;
