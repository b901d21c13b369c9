//! Khet in one minute, for people who got an invitation and do not know the game.

use khet::{Color, Corner, Diagonal, GamePosition, Kind, Piece};
use khet_picture::beam_path::beam_paths;
use khet_picture::geometry::{Orientation, path};
use leptos::prelude::*;

use crate::board::{BoardPicture, PiecePicture, capital};
use crate::languages::{Words, use_words};
use crate::routing::{Page, use_navigation};
use crate::rules::{Position, classic};

/// A step of the explanation with the corner of a board around Silver's laser.
struct IntroStep {
    name: &'static str,
    title: fn(Words) -> &'static str,
    text: fn(Words) -> &'static str,
    position: &'static str,
    /// The drawing over the board.
    drawing: Drawing,
}

/// A drawing over the board of a step.
enum Drawing {
    /// The squares to which the pyramid on h3 can move, and its rotations.
    Moves,
    /// The beam of Silver's laser.
    Beam,
}

/// The steps. The tests below check what their texts say about the boards.
const STEPS: [IntroStep; 4] = [
    IntroStep {
        name: "move",
        title: |words| words.intro_move(),
        text: |words| words.intro_move_text(),
        position: "4k5/10/10/10/10/7P32/10/4K5 s",
        drawing: Drawing::Moves,
    },
    IntroStep {
        name: "beam",
        title: |words| words.intro_beam(),
        text: |words| words.intro_beam_text(),
        position: "4k5/10/10/10/10/10/6D12P3/4K5 s",
        drawing: Drawing::Beam,
    },
    IntroStep {
        name: "hit",
        title: |words| words.intro_hit(),
        text: |words| words.intro_hit_text(),
        position: "4k5/10/10/10/10/6p32P3/10/4K5 s",
        drawing: Drawing::Beam,
    },
    IntroStep {
        name: "win",
        title: |words| words.intro_win(),
        text: |words| words.intro_win_text(),
        position: "10/10/10/10/6k3/10/6P12P3/4K5 s",
        drawing: Drawing::Beam,
    },
];

/// The part of the board in the pictures: files g to j, ranks 1 to 4, and the wall.
const CORNER: &str = "596 396 444 444";

/// The explanation: the pieces, then a turn step by step, and a link to the rules.
#[component]
pub(super) fn Introduction() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    view! {
        <section class="intro" aria-labelledby="intro-title">
            <h2 id="intro-title">{words.intro_title()}</h2>
            <ol class="intro-steps">
                <li class="intro-step" data-step="pieces">
                    <Pieces/>
                    <h3>{words.intro_pieces()}</h3>
                    <p>{words.intro_pieces_text()}</p>
                </li>
                {STEPS.iter().map(|step| view! { <IntroductionStep step/> }).collect_view()}
            </ol>
            <p>
                <a class="button" data-action="rules" target="_blank" rel="noopener"
                    href=navigation.path(Page::Rules)>
                    {words.intro_rules()} <span class="visually-hidden">" " {words.intro_new_tab()}</span>
                </a>
            </p>
        </section>
    }
}

/// The four types of pieces with their names.
#[component]
fn Pieces() -> impl IntoView {
    let words = use_words();
    let pieces = [
        (Kind::Pharaoh, words.board_pharaoh()),
        (Kind::Pyramid(Corner::SouthWest), words.board_pyramid()),
        (Kind::Djed(Diagonal::Falling), words.board_djed()),
        (Kind::Obelisk, words.board_obelisk()),
    ];
    let piece = |(kind, name): (Kind, &'static str)| {
        view! {
            <li>
                <PiecePicture piece=Piece::new(Color::Silver, kind)/>
                <span>{capital(name)}</span>
            </li>
        }
    };
    view! { <ul class="intro-pieces">{pieces.map(piece).into_iter().collect_view()}</ul> }
}

/// A step with its picture.
#[component]
fn IntroductionStep(step: &'static IntroStep) -> impl IntoView {
    let words = use_words();
    // The tests check that the positions are valid.
    let position = step.position.parse::<Position>().unwrap_or(classic());
    let drawing = match step.drawing {
        Drawing::Moves => moves_drawing().into_any(),
        Drawing::Beam => beam_drawing(&position).into_any(),
    };
    view! {
        <li class="intro-step" data-step=step.name>
            <div class="intro-picture">
                <BoardPicture position view_box=CORNER/>
                <svg class="intro-drawing" viewBox=CORNER aria-hidden="true">{drawing}</svg>
            </div>
            <h3>{(step.title)(words)}</h3>
            <p>{(step.text)(words)}</p>
        </li>
    }
}

/// Draws the beam of Silver's laser.
fn beam_drawing(position: &Position) -> impl IntoView + use<> {
    let paths = beam_paths(&position.fire(Color::Silver), Orientation::new(Color::Silver));
    let lines = paths.into_iter().map(|beam| {
        let line = path(&beam.points);
        view! { <path class="intro-glow" d=line.clone()></path> <path class="intro-beam" d=line></path> }
    });
    lines.collect_view()
}

/// Draws the targets and the rotations of the pyramid on h3.
fn moves_drawing() -> impl IntoView {
    let around = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];
    let dots = around.map(|(x, y)| {
        view! { <circle class="intro-dot" cx=750 + 100 * x cy=550 + 100 * y r="14"></circle> }
    });
    view! {
        {dots.into_iter().collect_view()}
        <path class="intro-rotate"
            d="M703 520A56 56 0 0 1 797 520M797 520l4-28M797 520l-27-7M797 580A56 56 0 0 1 703 580M703 580l-4 28M703 580l27 7"></path>
    }
}

#[cfg(test)]
mod tests {
    use khet::Square;

    use super::*;

    /// Returns the squares that Silver's laser hits in the picture of a step.
    fn hits(name: &str) -> Vec<Square> {
        let step = STEPS.iter().find(|step| step.name == name).expect("a step");
        let position: Position = step.position.parse().expect("a position");
        position.fire(Color::Silver).hits.iter().map(|hit| hit.square.ground()).collect()
    }

    #[test]
    fn pictures_show_what_the_texts_say() {
        assert_eq!(hits("beam"), []);
        assert_eq!(hits("hit"), [Square::G3]);
        assert_eq!(hits("win"), [Square::G4]);
        let step = STEPS.iter().find(|step| step.name == "move").expect("a step");
        let position: Position = step.position.parse().expect("a position");
        let moves = position.legal_moves();
        let of_pyramid = moves
            .iter()
            .filter(|mv| mv.squares().is_some_and(|[from, _]| from == Square::H3.into()))
            .count();
        assert_eq!(of_pyramid, 10, "eight squares and two rotations");
    }

    #[test]
    fn beam_is_reflected_at_two_mirrors() {
        let step = STEPS.iter().find(|step| step.name == "beam").expect("a step");
        let position: Position = step.position.parse().expect("a position");
        let paths = beam_paths(&position.fire(Color::Silver), Orientation::new(Color::Silver));
        assert_eq!(paths.iter().map(|path| path.sparks.len()).sum::<usize>(), 2);
    }
}
