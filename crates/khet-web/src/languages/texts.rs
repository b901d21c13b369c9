//! The texts of the languages. A browser loads those of the language that it shows; they are too long to load
//! all of them. Natively, where the app is tested, all are there.

#[cfg(target_arch = "wasm32")]
mod loaded {
    use std::sync::OnceLock;

    use js_sys::Reflect;
    use leptos::prelude::*;
    use leptos::web_sys::Response;
    use wasm_bindgen::{JsCast, JsValue};
    use wasm_bindgen_futures::JsFuture;

    use super::super::{COUNT, Language};

    static TEXTS: [OnceLock<Vec<&'static str>>; Language::ALL.len()] =
        [const { OnceLock::new() }; Language::ALL.len()];

    pub(in super::super) fn text(language: Language, index: usize) -> &'static str {
        let texts = TEXTS[language as usize].get();
        texts.and_then(|texts| texts.get(index)).copied().unwrap_or_default()
    }

    /// Loads the texts of a language, unless they are there. Afterwards they can be used.
    ///
    /// # Errors
    ///
    /// If they can't be had, or are not those of this version of the app.
    pub async fn load(language: Language) -> Result<(), JsValue> {
        let texts = &TEXTS[language as usize];
        if texts.get().is_some() {
            return Ok(());
        }
        let all = match brought(language) {
            Some(all) => all,
            None => fetch(language).await?,
        };
        if all.lines().count() != COUNT {
            return Err(JsValue::from_str("these are not the words of the app"));
        }
        // Words are used as long as the page lives.
        let all: &'static str = Box::leak(all.into_boxed_str());
        texts.get_or_init(|| all.lines().collect());
        Ok(())
    }

    /// What `start.js` has fetched while the app was loaded.
    fn brought(language: Language) -> Option<String> {
        let words = Reflect::get(&window(), &JsValue::from_str("khetWords")).ok()?;
        Reflect::get(&words, &JsValue::from_str(language.code())).ok()?.as_string()
    }

    async fn fetch(language: Language) -> Result<String, JsValue> {
        let place = format!("meta[name=words-{}]", language.code());
        let place =
            document().query_selector(&place)?.and_then(|meta| meta.get_attribute("content"));
        let response = JsFuture::from(window().fetch_with_str(&place.unwrap_or_default())).await?;
        let response: Response = response.dyn_into()?;
        if !response.ok() {
            return Err(JsValue::from_str("the words of the app are not there"));
        }
        Ok(JsFuture::from(response.text()?).await?.as_string().unwrap_or_default())
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod loaded {
    use wasm_bindgen::JsValue;

    use super::super::{COUNT, Language};

    include!(concat!(env!("OUT_DIR"), "/texts.rs"));

    pub(in super::super) fn text(language: Language, index: usize) -> &'static str {
        TEXTS[language as usize][index]
    }

    /// Loads the texts of a language; here all are there.
    ///
    /// # Errors
    ///
    /// Never.
    pub async fn load(_language: Language) -> Result<(), JsValue> {
        Ok(())
    }
}

pub use loaded::load;
pub(super) use loaded::text;
