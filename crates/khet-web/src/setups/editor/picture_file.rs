//! The board as a file: the drawing itself, or painted.

use khet::{Color, Position};
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, HtmlImageElement, Url};

use crate::board::picture;
use crate::play::papers::{address_of, download_as, save_from};

const SVG: &str = "image/svg+xml";
/// The drawing is 1080 by 880; painted it is twice as large.
const PAINTED: (u32, u32) = (2160, 1760);

/// Saves the drawing.
pub(super) fn save_svg(position: &Position) {
    download_as("khet.svg", SVG, &picture(position, Color::Silver));
}

/// Saves the drawing as pixels.
pub(super) fn save_png(position: &Position) {
    let drawing = picture(position, Color::Silver);
    spawn_local(async move {
        // What the browser refuses, it says itself.
        let _ = paint(&drawing).await;
    });
}

async fn paint(drawing: &str) -> Result<(), JsValue> {
    let address = address_of(SVG, drawing)?;
    let image = HtmlImageElement::new()?;
    image.set_src(&address);
    JsFuture::from(image.decode()).await?;
    Url::revoke_object_url(&address)?;
    let canvas: HtmlCanvasElement = document().create_element("canvas")?.dyn_into()?;
    let (width, height) = PAINTED;
    canvas.set_width(width);
    canvas.set_height(height);
    let context = canvas.get_context("2d")?.ok_or(JsValue::NULL)?;
    let context: CanvasRenderingContext2d = context.dyn_into()?;
    let (width, height) = (f64::from(width), f64::from(height));
    context.draw_image_with_html_image_element_and_dw_and_dh(&image, 0.0, 0.0, width, height)?;
    save_from(&canvas.to_data_url()?, "khet.png")
}
