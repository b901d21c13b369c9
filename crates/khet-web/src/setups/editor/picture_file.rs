//! Downloads of the board picture as SVG or PNG.

use khet_picture::{Picture, Theme};
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, HtmlImageElement, Url};

use crate::browser::download::{download_as, download_from, object_url};
use crate::rules::Position;

const SVG: &str = "image/svg+xml";
/// Width of the PNG in pixels.
const PNG_WIDTH: u32 = 2160;

/// Returns the picture in the current theme of the page.
fn picture(position: &Position) -> Picture<Position> {
    let root = document().document_element();
    let light =
        root.and_then(|root| root.get_attribute("data-theme")).is_some_and(|it| it == "light");
    Picture::new(position).theme(if light { Theme::Light } else { Theme::Dark })
}

/// Downloads the picture as SVG.
pub(super) fn save_svg(position: &Position) {
    download_as("khet.svg", SVG, &picture(position).to_svg());
}

/// Downloads the picture as PNG.
pub(super) fn save_png(position: &Position) {
    let svg = picture(position).width(PNG_WIDTH).to_svg();
    spawn_local(async move {
        // Nothing is downloaded on an error; the browser logs it.
        let _ = download_png(&svg).await;
    });
}

/// Renders an SVG on a canvas and downloads the result.
async fn download_png(svg: &str) -> Result<(), JsValue> {
    let url = object_url(SVG, svg)?;
    let image = HtmlImageElement::new()?;
    image.set_src(&url);
    JsFuture::from(image.decode()).await?;
    Url::revoke_object_url(&url)?;
    let canvas: HtmlCanvasElement = document().create_element("canvas")?.dyn_into()?;
    canvas.set_width(image.natural_width());
    canvas.set_height(image.natural_height());
    let context = canvas.get_context("2d")?.ok_or(JsValue::NULL)?;
    let context: CanvasRenderingContext2d = context.dyn_into()?;
    context.draw_image_with_html_image_element(&image, 0.0, 0.0)?;
    download_from(&canvas.to_data_url()?, "khet.png")
}
