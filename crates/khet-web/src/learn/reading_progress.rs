//! The reader's place on a long page: the section in view, and the share of the page above it.

use leptos::prelude::*;
use leptos::web_sys::Element;

/// The share of the window's height above which a section counts as the current one.
const READING_LINE: f64 = 0.4;

/// The reader's place on a page.
#[derive(Clone, Copy)]
pub struct ReadingProgress {
    anchors: StoredValue<Vec<&'static str>>,
    current: RwSignal<Option<&'static str>>,
    share: RwSignal<f64>,
    /// An update is scheduled for the next frame.
    scheduled: StoredValue<bool>,
}

impl ReadingProgress {
    /// Starts to follow the reader through the sections with these ids, in the order of the page.
    pub fn start(anchors: Vec<&'static str>) -> ReadingProgress {
        let progress = ReadingProgress {
            anchors: StoredValue::new(anchors),
            current: RwSignal::new(None),
            share: RwSignal::new(0.0),
            scheduled: StoredValue::new(false),
        };
        let listener = window_event_listener(leptos::ev::scroll, move |_| progress.schedule());
        on_cleanup(move || listener.remove());
        progress
    }

    /// Returns the id of the section that is read, or `None` above the first.
    pub fn current(self) -> Option<&'static str> {
        self.current.get()
    }

    /// Returns the share of the page that was scrolled through, from 0 to 1.
    pub fn share(self) -> f64 {
        self.share.get()
    }

    /// Updates the place once per frame, because scrolling sends many events.
    fn schedule(self) {
        if self.scheduled.try_get_value() == Some(false) {
            self.scheduled.set_value(true);
            request_animation_frame(move || self.update());
        }
    }

    fn update(self) {
        // The page may have been closed by then.
        let Some(current) = self.anchors.try_with_value(|anchors| section_at_reading_line(anchors))
        else {
            return;
        };
        self.scheduled.set_value(false);
        if self.current.get_untracked() != current {
            self.current.set(current);
        }
        self.share.set(scrolled_share());
    }
}

/// Returns the last section that begins above the reading line. Sections in closed chapters have no
/// height.
fn section_at_reading_line(anchors: &[&'static str]) -> Option<&'static str> {
    let height = window().inner_height().ok()?.as_f64()?;
    let is_above_line = |anchor: &&&'static str| {
        document().get_element_by_id(anchor).is_some_and(|section| {
            let place = section.get_bounding_client_rect();
            place.height() > 0.0 && place.top() <= height * READING_LINE
        })
    };
    anchors.iter().rev().find(is_above_line).copied()
}

fn scrolled_share() -> f64 {
    let Some(root) = document().document_element() else { return 0.0 };
    let most = f64::from(root.scroll_height() - root.client_height());
    if most > 0.0 { (f64::from(root.scroll_top()) / most).clamp(0.0, 1.0) } else { 1.0 }
}

/// Scrolls to the element with an id, and opens the `<details>` that it is in or that it consists
/// of.
pub fn reveal(id: &str) {
    let Some(target) = document().get_element_by_id(id).filter(|_| !id.is_empty()) else { return };
    let own = target.query_selector(":scope > details").ok().flatten();
    let mut next = own.or_else(|| enclosing_details(&target));
    while let Some(details) = next {
        // Setting an attribute with a valid name does not fail.
        let _ = details.set_attribute("open", "");
        next = details.parent_element().and_then(|parent| enclosing_details(&parent));
    }
    target.scroll_into_view();
}

fn enclosing_details(element: &Element) -> Option<Element> {
    element.closest("details").ok().flatten()
}
