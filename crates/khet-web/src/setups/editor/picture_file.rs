//! The board as a file: the drawing itself, or painted.

use khet::Position;
use khet_picture::{Picture, Theme};
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, HtmlImageElement, Url};

use crate::browser::download::{download_as, download_from, object_url};

const SVG: &str = "image/svg+xml";
/// The painted one is so wide, in pixels.
const WIDTH: u32 = 2160;

/// The picture, by day or by night as the page is shown.
fn picture(position: &Position) -> Picture {
    let root = document().document_element();
    let day =
        root.and_then(|root| root.get_attribute("data-theme")).is_some_and(|it| it == "light");
    Picture::new(position).theme(if day { Theme::Light } else { Theme::Dark })
}

/// Saves the drawing.
pub(super) fn save_svg(position: &Position) {
    download_as("khet.svg", SVG, &picture(position).to_svg());
}

/// Saves the drawing as pixels.
pub(super) fn save_png(position: &Position) {
    let drawing = picture(position).width(WIDTH).to_svg();
    spawn_local(async move {
        // What the browser refuses, it says itself.
        let _ = paint(&drawing).await;
    });
}

async fn paint(drawing: &str) -> Result<(), JsValue> {
    let address = object_url(SVG, drawing)?;
    let image = HtmlImageElement::new()?;
    image.set_src(&address);
    JsFuture::from(image.decode()).await?;
    Url::revoke_object_url(&address)?;
    let canvas: HtmlCanvasElement = document().create_element("canvas")?.dyn_into()?;
    canvas.set_width(image.natural_width());
    canvas.set_height(image.natural_height());
    let context = canvas.get_context("2d")?.ok_or(JsValue::NULL)?;
    let context: CanvasRenderingContext2d = context.dyn_into()?;
    context.draw_image_with_html_image_element(&image, 0.0, 0.0)?;
    download_from(&canvas.to_data_url()?, "khet.png")
}
