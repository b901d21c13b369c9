//! The rules page: the pieces, then all lessons.

use khet::Piece;
use leptos::prelude::*;

use super::guide_page::GuidePage;
use super::lessons::RULES;
use crate::board::{PiecePicture, capital};
use crate::languages::{Words, use_words};
use crate::routing::{Page, use_navigation};

/// The rules page.
#[component]
pub fn RulesPage() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let next = view! {
        <a class="button primary" href=navigation.path(Page::Computer)>{words.home_computer()}</a>
        <a class="button" href=navigation.path(Page::Strategy)>{words.strategy_title()}</a>
    };
    let intro = view! {
        <p class="learn-course"><a href=navigation.path(Page::Course)>{words.learn_course()}</a></p>
        <PieceGallery/>
    };
    view! {
        <GuidePage
            guide=&RULES
            intro=intro.into_any()
            next=next.into_any()
        />
    }
}

/// A piece as it looks in the gallery, its name and a sentence about it.
type GalleryPiece = (&'static str, fn(Words) -> &'static str, fn(Words) -> &'static str);

/// The pieces of the standard game, in notation: Silver's, and Red's beside it.
const PIECES: [GalleryPiece; 5] = [
    ("K k", Words::board_pharaoh, Words::learn_piece_pharaoh),
    ("P1 p3", Words::board_pyramid, Words::learn_piece_pyramid),
    ("D2 d2", Words::board_djed, Words::learn_piece_djed),
    ("O1 o1", Words::board_obelisk, Words::learn_piece_obelisk),
    ("O2 o2", Words::board_stack, Words::learn_piece_stack),
];

/// Pictures and names of all pieces.
#[component]
fn PieceGallery() -> impl IntoView {
    let words = use_words();
    let pieces = PIECES.map(|(notation, name, about)| {
        let pictures = notation.split(' ').filter_map(|piece| piece.parse::<Piece>().ok());
        let pictures = pictures.map(|piece| view! { <PiecePicture piece/> }).collect_view();
        view! {
            <li>
                <span class="gallery-pictures" aria-hidden="true">{pictures}</span>
                <strong>{capital(name(words))}</strong>
                <span>{about(words)}</span>
            </li>
        }
    });
    view! {
        <section class="gallery" id="pieces" aria-labelledby="pieces-title">
            <h2 id="pieces-title">{words.learn_pieces()}</h2>
            <ul>{pieces.into_iter().collect_view()}</ul>
        </section>
    }
}
