//! Touch input on a phone.

use khet::{Color, Kind, Piece, Square};
use khet_browser_tests::{Device, GameScreen, InputMethod, in_browser, moves_of};
use serde_json::json;

use crate::SERVER;

#[test]
#[ignore = "needs the built app and a browser"]
fn stacks_are_taken_apart_and_put_together_by_touch() {
    in_browser(Device::PHONE, |browser| {
        browser.open(&SERVER.at("/en/table"));
        browser.tap("[data-action=begin]");
        let page = GameScreen::hotseat(browser);
        let moves = moves_of("d1^d2 g8^g7 d2d1 g7g8 d1d2");
        let methods = [
            InputMethod::Finger,
            InputMethod::Swipe,
            InputMethod::Finger,
            InputMethod::Swipe,
            InputMethod::Finger,
        ];
        let at = |square: &str| {
            let square: Square = square.parse().expect("a square");
            page.game().position().get(square).map(Piece::kind)
        };
        assert_eq!(at("d1"), Some(Kind::Stack));
        page.play(moves[0], methods[0]);
        assert_eq!((at("d1"), at("d2")), (Some(Kind::Obelisk), Some(Kind::Obelisk)));
        page.play(moves[1], methods[1]);
        assert_eq!((at("g8"), at("g7")), (Some(Kind::Obelisk), Some(Kind::Obelisk)));
        page.play(moves[2], methods[2]);
        assert_eq!((at("d1"), at("d2")), (Some(Kind::Stack), None));
        page.play(moves[3], methods[3]);
        assert_eq!((at("g8"), at("g7")), (Some(Kind::Stack), None));
        page.play(moves[4], methods[4]);
        assert_eq!((at("d1"), at("d2")), (None, Some(Kind::Stack)));
        assert_eq!(page.game().position().side_to_move(), Color::Red);
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn a_wrong_tap_is_never_a_move() {
    in_browser(Device::PHONE, |browser| {
        browser.open(&SERVER.at("/en/table"));
        browser.tap("[data-action=begin]");
        let page = GameScreen::hotseat(browser);
        page.until_ready();
        // An empty square; an opponent's piece; picked up and put back; a target too far away.
        for taps in [&["e3"][..], &["h5"], &["h2", "h2"], &["h2", "c6"]] {
            for square in taps {
                browser.tap(&format!(".game-page .board [data-square={square}]"));
            }
        }
        // Dropped outside the board.
        let from = browser.place(".game-page .board [data-square=h2]");
        browser.swipe(from, (from.0, 60.0));
        assert_eq!(page.plies(), 0);
        page.play(moves_of("h2g2")[0], InputMethod::Finger);
        assert_eq!(page.plies(), 1);
    });
}

#[test]
#[ignore = "needs the built app and a browser"]
fn practice_shows_the_beam_of_a_move_before_it_is_played() {
    in_browser(Device { less_motion: true, ..Device::PHONE }, |browser| {
        browser.open(&SERVER.at("/en"));
        browser.wait_for(".home");
        let record = "[Setup \"Classic\"]\n[Mode \"computer 1 silver practice\"]\n\n*\n";
        browser.script("localStorage['khet.game.computer'] = arguments[0];", json!([record]));
        browser.open(&SERVER.at("/en/computer"));
        let page = GameScreen::computer(browser);
        page.until_ready();
        let preview = "document.querySelector('.board .preview path').getAttribute('d')";
        let before = browser.text(preview);
        // Without the pyramid on j4 the beam runs along the whole file.
        let mv = moves_of("j4i4")[0];
        page.begin(mv, InputMethod::Finger);
        browser.until(&format!("{preview} !== {}", json!(before)));
        assert_eq!(page.plies(), 0, "not played yet");
        page.confirm();
        browser.until("document.querySelector('.game-page').dataset.plies > 0");
        assert_eq!(page.game().moves()[0], mv);
    });
}
