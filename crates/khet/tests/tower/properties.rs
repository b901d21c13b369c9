//! Properties that hold in every position with a tower, tested on thousands of random ones.

use std::collections::{BTreeSet, HashSet};

use khet::tower::{BoardLevel, Placement, Position, Square, TowerMove};
use khet::{
    Beam, BeamEnd, BeamOrigin, BoardSquare, Game, Hit, Move, Outcome, Record, Role, Rotation, Shot,
};

use crate::random::Rng;
use crate::random_tower::{random_tower_placement, random_tower_position};

/// Runs a test on a number of random positions.
fn for_positions(cases: u64, mut test: impl FnMut(Position, &mut Rng)) {
    for seed in 0..cases {
        let rng = &mut Rng::new(seed);
        test(random_tower_position(rng), rng);
    }
}

fn has_eye(position: &Position) -> bool {
    position.pieces().any(|(_, piece)| piece.role() == Role::Eye)
}

/// Returns all moves that the notation can express.
fn all_moves() -> Vec<Move<Square>> {
    let squares: Vec<Square> = (0..Square::COUNT).filter_map(Square::from_index).collect();
    let mut moves = Vec::new();
    for &from in &squares {
        for &to in &squares {
            moves.extend([Move::Step { from, to }, Move::Unstack { from, to }]);
        }
    }
    for rotation in [Rotation::Clockwise, Rotation::Counterclockwise] {
        moves.extend(squares.iter().map(|&square| Move::Rotate { square, rotation }));
        moves.push(Move::Tower(TowerMove::Rotate(rotation)));
    }
    moves.extend(khet::Square::all().map(|square| Move::Tower(TowerMove::Shift(square))));
    moves
}

#[test]
fn random_placements_are_playable_and_cover_all_editions() {
    let mut variants = BTreeSet::new();
    let mut columns = BTreeSet::new();
    let mut upstairs = BTreeSet::new();
    for seed in 0..3000 {
        let placement = random_tower_placement(&mut Rng::new(seed));
        assert_eq!(placement.faults(), [], "{placement}");
        let has = |roles: &[Role]| placement.pieces().any(|(_, p)| roles.contains(&p.role()));
        variants.insert((
            has(&[Role::Djed, Role::Obelisk]),
            has(&[Role::Scarab, Role::Anubis]),
            has(&[Role::Eye]),
            has(&[Role::Sphinx]),
        ));
        columns.insert(placement.column());
        upstairs
            .insert(placement.pieces().filter(|(at, _)| at.level() == BoardLevel::Upper).count());
    }
    assert!(variants.len() >= 5, "{variants:?}");
    assert_eq!(columns.len(), 15);
    assert!(upstairs.contains(&0) && upstairs.last() >= Some(&10), "{upstairs:?}");
}

#[test]
fn positions_survive_writing_and_reading() {
    for_positions(2000, |position, _| {
        let text = position.to_string();
        let placement: Placement = text.parse().unwrap();
        assert_eq!(placement.to_string(), text);
        assert_eq!(Position::new(&placement, position.rules()).unwrap(), position);
    });
}

#[test]
fn a_changed_text_is_rejected_or_is_another_placement() {
    const CHARACTERS: &[u8] = b"0123456789/+:- srKkPpDdOoEeSsAaXxcg";
    for_positions(1000, |position, rng| {
        let text = position.to_string();
        let mut bytes = text.clone().into_bytes();
        let at = rng.below(bytes.len());
        match rng.below(3) {
            0 => bytes[at] = *rng.pick(CHARACTERS),
            1 => bytes.insert(at, *rng.pick(CHARACTERS)),
            _ => drop(bytes.remove(at)),
        }
        let changed = String::from_utf8(bytes).unwrap();
        match changed.parse::<Placement>() {
            Ok(placement) => assert_eq!(placement.to_string(), changed),
            Err(error) => assert!((1..=changed.len() + 1).contains(&error.character), "{error}"),
        }
    });
}

#[test]
fn listed_moves_are_legal_and_all_others_are_rejected() {
    let all = all_moves();
    for_positions(40, |position, _| {
        let listed: HashSet<Move<Square>> = position.legal_moves().iter().copied().collect();
        assert_eq!(listed.len(), position.legal_moves().len(), "{position}");
        assert_eq!(listed.len() as u32, position.count_legal_moves());
        for &mv in &all {
            match position.check(mv) {
                Ok(canonical) => assert!(listed.contains(&canonical), "{position} {mv}"),
                Err(error) => {
                    assert!(!listed.contains(&mv), "{position} {error}");
                    assert!(error.to_string().starts_with(&format!("{mv}: ")));
                }
            }
            assert_eq!(mv.to_string().parse(), Ok(mv));
        }
    });
}

#[test]
fn every_move_leads_to_a_playable_position_or_ends_the_game() {
    for_positions(400, |position, _| {
        for &mv in &position.legal_moves() {
            let mut next = position;
            let shot = next.play(mv).unwrap();
            let mut same = position;
            let removed = same.play_unchecked(mv);
            assert_eq!(same, next);
            let hit: Vec<Square> = shot.hits.iter().map(|hit| hit.square).collect();
            assert_eq!(removed.into_iter().collect::<Vec<_>>(), hit);
            assert_eq!(next.side_to_move(), !position.side_to_move());
            let fresh = Position::new(&next.placement(), next.rules());
            let over = shot.hits.iter().any(|hit| hit.piece.role() == Role::Pharaoh);
            assert_eq!(fresh.is_err(), over, "{position} {mv}");
            if let Ok(fresh) = fresh {
                assert_eq!(fresh, next);
                assert_eq!(fresh.key(), next.key());
            }
        }
    });
}

#[test]
fn different_arrangements_have_different_hashes() {
    let mut keys = HashSet::new();
    let mut arrangements = HashSet::new();
    for_positions(200, |position, _| {
        for &mv in &position.legal_moves() {
            let mut next = position;
            next.play_unchecked(mv);
            keys.insert(next.key());
            arrangements.insert(next.placement());
        }
    });
    assert_eq!(keys.len(), arrangements.len());
}

#[test]
fn rotating_the_tower_four_times_is_the_identity() {
    for_positions(1000, |position, _| {
        for (rotation, back) in [
            (Rotation::Clockwise, Rotation::Counterclockwise),
            (Rotation::Counterclockwise, Rotation::Clockwise),
        ] {
            let [forth, back] =
                [rotation, back].map(|rotation| Move::Tower(TowerMove::Rotate(rotation)));
            if position.check(forth).is_err() {
                continue;
            }
            let once = position.before_shot(forth);
            assert_ne!(once, position);
            assert_eq!(once.before_shot(back), position);
            let thrice = once.before_shot(forth).before_shot(forth);
            assert_eq!(thrice, position.before_shot(back));
            assert_eq!(thrice.before_shot(forth), position);
        }
    });
}

#[test]
fn a_shift_there_and_back_is_the_identity() {
    for_positions(300, |position, _| {
        for &mv in &position.legal_moves() {
            if let Move::Tower(TowerMove::Shift(_)) = mv {
                let back = Move::Tower(TowerMove::Shift(position.column().lower_left()));
                let there = position.before_shot(mv);
                assert_eq!(there.check(back), Ok(back));
                assert_eq!(there.before_shot(back), position);
            }
        }
    });
}

/// Returns the number of times that a beam changes levels.
fn level_changes(beam: &Beam<Square>) -> usize {
    beam.steps.windows(2).filter(|pair| pair[0].square.level() != pair[1].square.level()).count()
}

#[test]
fn without_an_eye_a_shot_changes_levels_at_most_four_times() {
    // Tests of the library itself trace boards full of mirrors, on which all four occur.
    let mut most = 0;
    for_positions(2000, |position, _| {
        if !has_eye(&position) {
            let beams = khet::Color::ALL.map(|by| level_changes(&position.fire(by).beams[0]));
            most = most.max(beams[0]).max(beams[1]);
        }
    });
    assert!((1..=4).contains(&most), "{most}");
}

#[test]
fn beams_cross_each_square_once_per_direction_and_end_where_they_say() {
    for_positions(2000, |position, _| {
        let column = position.column();
        for by in khet::Color::ALL {
            let shot = position.fire(by);
            let mut seen = HashSet::new();
            for beam in &shot.beams {
                for step in &beam.steps {
                    assert!(seen.insert((step.square, step.arrives)), "{position}");
                    assert!(!column.squares().has(step.square.ground()), "{position}");
                }
                let Some(last) = beam.steps.last() else { continue };
                let area = match last.square.level() {
                    BoardLevel::Ground => khet::Bitboard::ALL,
                    BoardLevel::Upper => column.upper_level() | column.squares(),
                };
                let ahead = last.leaves.and_then(|travel| last.square.ground().neighbor(travel));
                let ahead = ahead.filter(|&square| area.has(square));
                match beam.end {
                    BeamEnd::Wall => assert_eq!(ahead, None, "{position}"),
                    BeamEnd::Column => {
                        let (square, travel) = (ahead.unwrap(), last.leaves.unwrap());
                        assert!(column.squares().has(square), "{position}");
                        assert!(!column.has_periscope(square, travel), "{position}");
                    }
                    BeamEnd::Hit | BeamEnd::Absorbed | BeamEnd::Split => {
                        assert!(position.get(last.square).is_some());
                        assert_eq!(last.leaves, None);
                    }
                }
            }
        }
    });
}

fn flipped_origin(origin: BeamOrigin<Square>) -> BeamOrigin<Square> {
    match origin {
        BeamOrigin::Wall(square) => BeamOrigin::Wall(square.flipped()),
        BeamOrigin::Sphinx(square) => BeamOrigin::Sphinx(square.flipped()),
        BeamOrigin::Eye(square) => BeamOrigin::Eye(square.flipped()),
    }
}

/// Returns a shot as the other player sees it.
fn flipped_shot(shot: &Shot<Square>) -> Shot<Square> {
    let mut flipped = shot.clone();
    flipped.by = !shot.by;
    for beam in &mut flipped.beams {
        beam.origin = flipped_origin(beam.origin);
        beam.direction = beam.direction.opposite();
        for step in &mut beam.steps {
            step.square = step.square.flipped();
            step.arrives = step.arrives.opposite();
            step.leaves = step.leaves.map(|leaves| leaves.opposite());
        }
    }
    for hit in &mut flipped.hits {
        let flip = |piece: khet::Piece| piece.rotated(2).other_color();
        *hit =
            Hit { square: hit.square.flipped(), piece: flip(hit.piece), left: hit.left.map(flip) };
    }
    flipped.hits.sort_by_key(|hit| hit.square);
    flipped.outcome = shot
        .outcome
        .map(|outcome| Outcome { winner: outcome.winner.map(|winner| !winner), ..outcome });
    flipped
}

#[test]
fn a_half_turn_with_colours_exchanged_exchanges_moves_shots_and_results() {
    for_positions(300, |position, _| {
        let flipped = position.flipped();
        assert_eq!(flipped.flipped(), position);
        let moves: BTreeSet<Move<Square>> =
            position.legal_moves().iter().map(|mv| mv.flipped().unwrap()).collect();
        assert_eq!(moves, flipped.legal_moves().iter().copied().collect());
        for &mv in &position.legal_moves() {
            let (mut next, mut flipped_next) = (position, flipped);
            let shot = next.play(mv).unwrap();
            let other = flipped_next.play(mv.flipped().unwrap()).unwrap();
            assert_eq!(flipped_shot(&shot), other, "{position} {mv}");
            assert_eq!(next.flipped(), flipped_next);
        }
    });
}

#[test]
fn the_records_of_random_games_survive_writing_and_reading() {
    for_positions(100, |position, rng| {
        let mut game = Game::new(position);
        for _ in 0..40 {
            let moves = game.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            game.play(*rng.pick(&moves)).unwrap();
        }
        let record = Record::from_game(&game);
        let read: Record<Position> = record.to_string().parse().unwrap();
        assert_eq!(read, record);
        assert_eq!(read.game().positions(), game.positions());
    });
}

#[cfg(feature = "serde")]
#[test]
fn values_are_read_from_json_as_they_were_written() {
    #[track_caller]
    fn round_trip<T>(value: &T)
    where
        T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug,
    {
        let json = serde_json::to_string(value).unwrap();
        assert_eq!(serde_json::from_str::<T>(&json).unwrap(), *value, "{json}");
    }

    for_positions(200, |position, _| {
        round_trip(&position.placement());
        for (square, _) in position.pieces() {
            round_trip(&square);
        }
        for &mv in &position.legal_moves() {
            round_trip(&mv);
            let mut next = position;
            round_trip(&next.play(mv).unwrap());
        }
    });
}
