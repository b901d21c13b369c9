//! Measures the speed of the library, with the slow reference implementation for comparison:
//! `cargo bench --package khet`.

use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
use khet::{Color, Game, Placement, Position, Record, Setup};

#[path = "../tests/reference/mod.rs"]
mod reference;

use reference::{Board, Edition};

fn main() {
    divan::main();
}

fn classic() -> Position {
    Setup::Classic.position()
}

fn classic_board() -> Board {
    Board::read(Setup::Classic.notation())
}

/// Moves of one position, listed or counted.
mod generation {
    use super::*;

    #[divan::bench]
    fn list(bencher: Bencher) {
        let position = classic();
        bencher.counter(ItemsCount::new(79u32)).bench(|| black_box(&position).legal_moves());
    }

    #[divan::bench]
    fn count(bencher: Bencher) {
        let position = classic();
        bencher.counter(ItemsCount::new(79u32)).bench(|| black_box(&position).count_legal_moves());
    }

    #[divan::bench]
    fn list_reference(bencher: Bencher) {
        let board = classic_board();
        bencher
            .counter(ItemsCount::new(79u32))
            .bench(|| black_box(&board).moves(Edition::Standard));
    }
}

/// All moves of one position played and shot.
mod play {
    use super::*;

    #[divan::bench]
    fn unchecked(bencher: Bencher) {
        let position = classic();
        let moves = position.legal_moves();
        bencher.counter(ItemsCount::new(moves.len())).bench(|| {
            for &mv in &moves {
                let mut next = *black_box(&position);
                next.play_unchecked(mv);
                black_box(&next);
            }
        });
    }

    #[divan::bench]
    fn aimed(bencher: Bencher) {
        let position = classic();
        let moves = position.legal_moves();
        bencher.counter(ItemsCount::new(moves.len())).bench(|| {
            let aim = black_box(&position).aim();
            for &mv in &moves {
                black_box(aim.play(mv));
            }
        });
    }

    /// With the legality check and the full shot.
    #[divan::bench]
    fn full_shot(bencher: Bencher) {
        let position = classic();
        let moves = position.legal_moves();
        bencher.counter(ItemsCount::new(moves.len())).bench(|| {
            for &mv in &moves {
                let mut next = *black_box(&position);
                black_box(next.play(mv)).ok();
            }
        });
    }

    #[divan::bench]
    fn reference(bencher: Bencher) {
        let board = classic_board();
        let moves = board.moves(Edition::Standard);
        bencher.counter(ItemsCount::new(moves.len())).bench(|| {
            for mv in &moves {
                black_box(board.play(mv));
            }
        });
    }
}

/// One shot in each setup.
mod beam {
    use super::*;

    #[divan::bench(args = Setup::ALL)]
    fn shot_squares(bencher: Bencher, setup: Setup) {
        let position = setup.position();
        bencher.bench(|| black_box(&position).shot_squares(Color::Silver));
    }

    #[divan::bench(args = Setup::ALL)]
    fn full_shot(bencher: Bencher, setup: Setup) {
        let position = setup.position();
        bencher.bench(|| black_box(&position).fire(Color::Silver));
    }

    #[divan::bench(args = Setup::ALL)]
    fn reference(bencher: Bencher, setup: Setup) {
        let board = Board::read(setup.notation());
        bencher.bench(|| black_box(&board).fire(true));
    }
}

/// Move sequences of length 3.
mod perft {
    use super::*;

    const NODES: u32 = 489_517;

    #[divan::bench]
    fn bulk_count(bencher: Bencher) {
        let position = classic();
        bencher.counter(ItemsCount::new(NODES)).bench(|| khet::perft(black_box(&position), 3));
    }

    #[divan::bench]
    fn make_moves(bencher: Bencher) {
        let position = classic();
        bencher
            .counter(ItemsCount::new(NODES))
            .bench(|| khet::perft_played(black_box(&position), 3));
    }

    #[divan::bench(sample_count = 10)]
    fn reference(bencher: Bencher) {
        let board = classic_board();
        bencher
            .counter(ItemsCount::new(NODES))
            .bench(|| black_box(&board).perft(3, Edition::Standard));
    }
}

/// Text into values.
mod readers {
    use super::*;

    #[divan::bench]
    fn position(bencher: Bencher) {
        let text = Setup::Classic.notation();
        bencher
            .counter(BytesCount::of_str(text))
            .bench(|| black_box(text).parse::<Position>().is_ok());
    }

    #[divan::bench]
    fn placement(bencher: Bencher) {
        let text = Setup::Classic.notation();
        bencher
            .counter(BytesCount::of_str(text))
            .bench(|| black_box(text).parse::<Placement>().is_ok());
    }

    #[divan::bench]
    fn position_reference(bencher: Bencher) {
        let text = Setup::Classic.notation();
        bencher.counter(BytesCount::of_str(text)).bench(|| Board::read(black_box(text)).playable());
    }

    #[divan::bench]
    fn record(bencher: Bencher) {
        let text = record_of_a_game();
        bencher
            .counter(BytesCount::of_str(&text))
            .bench(|| black_box(&text).parse::<Record>().is_ok());
    }

    /// A game that goes on for a while: every seventh legal move.
    fn record_of_a_game() -> String {
        let mut game = Game::new(classic());
        for number in 0..100 {
            let moves = game.position().legal_moves();
            if moves.is_empty() || game.play(moves[number * 7 % moves.len()]).is_err() {
                break;
            }
        }
        Record::from_game(&game).to_string()
    }
}
