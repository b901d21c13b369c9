//! Properties that hold in every position, tested on thousands of random ones.

mod random;

use std::collections::{BTreeSet, HashSet};

use khet::{
    BeamEnd, BeamOrigin, Bitboard, Color, Comment, Direction, Game, GameResult, Move, Piece,
    Placement, Ply, Position, Record, Records, Role, Rotation, Shot, SilverEval, Square, Variation,
    divide, perft, perft_played,
};
use random::{Rng, play_random, random_placement, random_position};

/// Runs a test on a number of random positions.
fn for_positions(cases: u64, mut test: impl FnMut(Position, &mut Rng)) {
    for seed in 0..cases {
        let rng = &mut Rng::new(seed);
        test(random_position(rng), rng);
    }
}

/// All moves that the notation can express.
fn all_moves() -> Vec<Move> {
    let mut moves = Vec::new();
    for from in Square::all() {
        for to in Square::all() {
            moves.extend([Move::Step { from, to }, Move::Unstack { from, to }]);
        }
        for rotation in [Rotation::Clockwise, Rotation::Counterclockwise] {
            moves.push(Move::Rotate { square: from, rotation });
        }
    }
    moves
}

fn has_eye(position: &Position) -> bool {
    position.pieces().any(|(_, piece)| piece.role() == Role::Eye)
}

// The random positions themselves.

#[test]
fn random_positions_are_playable_and_cover_all_editions() {
    let mut variants = BTreeSet::new();
    let mut sides = BTreeSet::new();
    let mut counts = BTreeSet::new();
    for seed in 0..3000 {
        let placement = random_placement(&mut Rng::new(seed));
        assert_eq!(placement.faults(), [], "{placement}");
        let has = |roles: &[Role]| placement.pieces().any(|(_, p)| roles.contains(&p.role()));
        variants.insert((
            has(&[Role::Djed, Role::Obelisk]),
            has(&[Role::Scarab, Role::Anubis]),
            has(&[Role::Eye]),
            has(&[Role::Sphinx]),
        ));
        sides.insert(placement.side_to_move);
        counts.insert(placement.pieces().count());
    }
    for variant in [
        (true, false, false, false),
        (true, false, true, false),
        (true, false, false, true),
        (false, true, false, true),
        (false, true, true, true),
    ] {
        assert!(variants.contains(&variant), "{variant:?}");
    }
    assert_eq!(sides.len(), 2);
    assert!(counts.first() <= Some(&3) && counts.last() >= Some(&28), "{counts:?}");
}

// Hashes.

#[test]
fn the_incremental_hash_equals_the_hash_computed_from_scratch() {
    for_positions(300, |start, rng| {
        let mut position = start;
        while position.outcome().is_none() && rng.below(40) > 0 {
            let fresh = Position::new(&position.placement(), position.rules()).unwrap();
            assert_eq!(position.key(), fresh.key(), "{position}");
            assert_eq!(position.repetition_key(), fresh.repetition_key(), "{position}");
            assert_eq!(position, fresh);
            position.play_unchecked(*rng.pick(&position.legal_moves()));
        }
    });
}

#[test]
fn only_the_position_hash_depends_on_the_side_to_move() {
    for_positions(2000, |position, _| {
        let mut placement = position.placement();
        placement.side_to_move = !placement.side_to_move;
        let other = Position::new(&placement, position.rules()).unwrap();
        assert_ne!(position.key(), other.key(), "{position}");
        assert_eq!(position.repetition_key(), other.repetition_key(), "{position}");
        assert!(position.repeats(&other));
    });
}

#[test]
fn different_arrangements_have_different_hashes() {
    let mut keys = HashSet::new();
    let mut arrangements = HashSet::new();
    for_positions(200, |position, _| {
        for &mv in &position.legal_moves() {
            let (next, _) = position.aim().play(mv);
            keys.insert(next.key());
            arrangements.insert(next.placement());
        }
    });
    assert_eq!(keys.len(), arrangements.len());
}

// Notation.

#[test]
fn positions_survive_writing_and_reading() {
    for_positions(3000, |position, _| {
        let text = position.to_string();
        assert_eq!(text.parse(), Ok(position.placement()), "{text}");
        let read: Position = text.parse().unwrap();
        assert_eq!(read.with_rules(position.rules()), position, "{text}");
    });
}

#[test]
fn there_is_one_way_to_write_a_position() {
    // A text with a random error is rejected, or is the text of another position.
    let characters: Vec<char> = "0123456789/ srkKpPdDoOeEaAxXé".chars().collect();
    for_positions(5000, |position, rng| {
        let mut text: Vec<char> = position.to_string().chars().collect();
        for _ in 0..1 + rng.below(2) {
            let at = rng.below(text.len());
            match rng.below(3) {
                0 => text[at] = *rng.pick(&characters),
                1 => text.insert(at, *rng.pick(&characters)),
                _ => {
                    text.remove(at);
                }
            }
        }
        let text: String = text.into_iter().collect();
        match text.parse::<Placement>() {
            Ok(placement) => assert_eq!(placement.to_string(), text),
            Err(error) => {
                assert!((1..=text.chars().count() + 1).contains(&error.character), "{text}");
                assert_eq!(text.parse::<Position>().unwrap_err().to_string(), error.to_string());
            }
        }
    });
}

#[test]
fn moves_survive_writing_and_reading() {
    let mut texts = HashSet::new();
    let moves = all_moves();
    for &mv in &moves {
        let text = mv.to_string();
        assert_eq!(text.parse(), Ok(mv));
        texts.insert(text);
    }
    assert_eq!(texts.len(), moves.len());
}

/// A comment made of parts that could mislead a reader.
fn random_comment(rng: &mut Rng) -> Comment {
    const PARTS: [&str; 12] =
        ["{", "(", ")", "\n", "[Setup \"Isis\"]", "1. ", "h2+", "\"", "\\", " é", "*", "[%clk 0:0"];
    match rng.below(4) {
        0 => Comment::from_clock(std::time::Duration::from_secs(rng.below(100_000) as u64)),
        1 => Comment::from_eval(SilverEval::Cp(rng.below(100_000) as i32 - 50_000)),
        _ => {
            let parts = (0..rng.below(6)).map(|_| *rng.pick(&PARTS));
            Comment::new_lossy(&parts.collect::<String>())
        }
    }
}

/// Random moves with comments, marks and variations. The first move differs from `not`, the move
/// that the variation replaces.
fn random_variation(rng: &mut Rng, start: Position, not: Option<Move>, depth: usize) -> Variation {
    let mut variation = Variation::default();
    if rng.below(4) == 0 {
        variation.comments.push(random_comment(rng));
    }
    let mut position = start;
    for nth in 0..1 + rng.below(if depth == 0 { 40 } else { 4 }) {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = *rng.pick(&moves);
        if nth == 0 && Some(mv) == not {
            break;
        }
        let mut ply = Ply::new(mv);
        for _ in 0..rng.below(8) / 6 {
            ply.marks.push(rng.below(256) as u8);
        }
        for _ in 0..rng.below(12) / 5 {
            ply.comments.push(random_comment(rng));
        }
        if depth < 4 && rng.below(5) == 0 {
            let alternative = random_variation(rng, position, Some(mv), depth + 1);
            if !alternative.plies.is_empty() {
                ply.variations.push(alternative);
            }
        }
        variation.plies.push(ply);
        position.play_unchecked(mv);
    }
    variation
}

fn random_record(rng: &mut Rng) -> Record {
    const VALUES: [&str; 6] = ["", "a b", "\"q\" \\", "]", "{é", "[x \"y\"]"];
    let mut record = Record::new(random_position(rng));
    let main_line = random_variation(rng, *record.start(), None, 0);
    record.set_main_line(main_line).unwrap();
    let results =
        [GameResult::SilverWins, GameResult::RedWins, GameResult::Draw, GameResult::Unknown];
    record.set_result(match record.game().outcome() {
        Some(outcome) => outcome.result(),
        None => *rng.pick(&results),
    });
    for name in ["Silver", "Date", "Zebra", "x_1"] {
        if rng.below(2) == 0 {
            let value = *rng.pick(&VALUES);
            record.set_tag(name, value).unwrap();
        }
    }
    record
}

#[test]
fn records_survive_writing_and_reading() {
    for seed in 0..1500 {
        let record = random_record(&mut Rng::new(seed));
        let text = record.to_string();
        let read: Record = text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(read, record, "{text}");
        assert_eq!(read.to_string(), text);
    }
}

#[test]
fn a_file_of_records_survives_writing_and_reading() {
    for seed in 0..100 {
        let rng = &mut Rng::new(seed);
        let records: Vec<Record> = (0..rng.below(8)).map(|_| random_record(rng)).collect();
        let between = *rng.pick(&["", "\n", "\n\n\n"]);
        let texts: Vec<String> = records.iter().map(ToString::to_string).collect();
        let read: Result<Vec<Record>, _> = Records::new(&texts.join(between)).collect();
        assert_eq!(read, Ok(records));
    }
}

#[test]
fn a_record_with_a_random_error_is_rejected_with_its_place_or_is_another_record() {
    let characters: Vec<char> = "0123456789.+-^x#!?$*/ \n{}()[]\"\\aejS%é".chars().collect();
    for seed in 0..4000 {
        let rng = &mut Rng::new(seed);
        let mut text: Vec<char> = random_record(rng).to_string().chars().collect();
        let at = rng.below(text.len());
        match rng.below(3) {
            0 => text[at] = *rng.pick(&characters),
            1 => text.insert(at, *rng.pick(&characters)),
            _ => {
                text.remove(at);
            }
        }
        let text: String = text.into_iter().collect();
        match text.parse::<Record>() {
            Ok(record) => assert_eq!(record.to_string().parse(), Ok(record), "{text}"),
            Err(error) => {
                let line = text.split('\n').nth(error.line - 1).expect("the line exists");
                assert!((1..=line.chars().count() + 1).contains(&error.column), "{error}\n{text}");
            }
        }
        // Read as a file of games, no text between the parts is lost.
        assert!(Records::new(&text).count() >= 1);
    }
}

// Moves.

#[test]
fn the_move_count_equals_the_length_of_the_list_without_duplicates() {
    for_positions(5000, |position, _| {
        let moves = position.legal_moves();
        assert_eq!(position.count_legal_moves() as usize, moves.len(), "{position}");
        let different: HashSet<Move> = moves.iter().copied().collect();
        assert_eq!(different.len(), moves.len(), "{position}");
    });
}

#[test]
fn listed_moves_are_legal_and_all_others_are_rejected() {
    let all = all_moves();
    for_positions(1500, |position, _| {
        let listed: HashSet<Move> = position.legal_moves().iter().copied().collect();
        for &mv in &all {
            match position.check(mv) {
                Ok(judged) if judged == mv => {
                    assert!(listed.contains(&mv), "{mv} in {position}");
                }
                // The other spelling of a listed rotation.
                Ok(judged) => {
                    assert!(listed.contains(&judged) && !listed.contains(&mv), "{mv}");
                    let Move::Rotate { square, rotation: Rotation::Counterclockwise } = mv else {
                        panic!("{mv} was read as {judged} in {position}")
                    };
                    assert_eq!(judged, Move::Rotate { square, rotation: Rotation::Clockwise });
                    let role = position.get(square).unwrap().role();
                    assert!(matches!(role, Role::Djed | Role::Scarab | Role::Eye), "{mv}");
                }
                Err(error) => {
                    assert_eq!(error.mv, mv);
                    assert!(!listed.contains(&mv), "{mv} in {position}: {error}");
                }
            }
        }
    });
}

#[test]
fn a_rejected_move_changes_nothing() {
    let all = all_moves();
    for_positions(1000, |position, rng| {
        let mv = *rng.pick(&all);
        let mut same = position;
        if same.play(mv).is_err() {
            assert_eq!(same, position);
        }
    });
}

#[test]
fn a_finished_game_has_no_legal_moves() {
    let mut finished = 0;
    for seed in 0..500 {
        let rng = &mut Rng::new(seed);
        let start = random_position(rng);
        let position = play_random(rng, start, 300);
        if position.outcome().is_some() {
            finished += 1;
            assert_eq!(position.legal_moves().len(), 0, "{position}");
            assert_eq!(position.count_legal_moves(), 0, "{position}");
            assert_eq!(perft(&position, 2), 0, "{position}");
        }
    }
    assert!(finished > 100, "{finished}");
}

#[test]
fn all_methods_of_playing_a_move_agree() {
    for_positions(2000, |position, _| {
        let aim = position.aim();
        for &mv in &position.legal_moves() {
            let mut unchecked = position;
            let removed = unchecked.play_unchecked(mv);
            assert_eq!(aim.play(mv), (unchecked, removed), "{mv} in {position}");

            let mut played = position;
            let shot = played.play(mv).unwrap();
            assert_eq!(played, unchecked, "{mv} in {position}");
            let hit: Bitboard = shot.hits.iter().map(|hit| hit.square).collect();
            assert_eq!(hit, removed, "{mv} in {position}");
            assert_eq!(shot.outcome, played.outcome(), "{mv} in {position}");
            assert_eq!(played.side_to_move(), !position.side_to_move());
            assert_eq!(played.rules(), position.rules());
        }
    });
}

#[test]
fn the_path_of_an_aimed_position_is_that_of_the_beam_before_the_move() {
    for_positions(2000, |position, _| {
        let side = position.side_to_move();
        let shot = position.fire(side);
        let steps = shot.beams.iter().flat_map(|beam| &beam.steps);
        let mut path: Bitboard = steps.map(|step| step.square).collect();
        let corner = Square::laser_corner(side);
        if position.get(corner).is_some_and(|piece| piece.role() == Role::Sphinx) {
            path |= Bitboard::of(corner);
        }
        assert_eq!(position.aim().shot_squares().path, path, "{position}");
    });
}

#[test]
fn an_aimed_position_knows_the_hits_of_a_move_without_playing_it() {
    for_positions(1000, |position, _| {
        let aim = position.aim();
        for &mv in &position.legal_moves() {
            let mut next = position;
            let shot = next.play(mv).expect("a listed move is legal");
            let hits: Vec<_> = shot.hits.iter().map(|hit| (hit.square, hit.piece)).collect();
            assert_eq!(aim.hits(mv).collect::<Vec<_>>(), hits, "{mv} in {position}");
        }
    });
}

#[test]
fn moves_that_touch_the_beam_have_the_values_of_their_shots() {
    for_positions(1000, |position, _| assert_shot_values_match_hits(&position));
}

fn assert_shot_values_match_hits(position: &Position) {
    // Values that identify the removed pieces: no two sums of a few are equal by chance.
    let mut worth = [0; Piece::COUNT];
    for piece in Piece::all() {
        let index = piece.index() as i32;
        worth[piece.index()] = ((index * index * 7 + index * 131) % 2003 - 1000) as i16;
    }
    let aim = position.aim();
    let gain = |mv| aim.hits(mv).map(|(_, piece)| i32::from(worth[piece.index()])).sum::<i32>();
    for above in [i32::MIN, -1, 0, 500] {
        let mut seen = Vec::new();
        aim.each_disturbing_move(&worth, above, |choice, targets, gained| {
            for to in targets {
                let mv = choice.with_target(to);
                assert_eq!(gained, gain(mv), "{mv} in {position}");
                seen.push(mv.to_string());
            }
        });
        let all = position.legal_moves();
        let wanted = all.iter().filter(|&&mv| aim.is_disturbed_by(mv) && gain(mv) > above);
        let mut wanted: Vec<_> = wanted.map(|mv| mv.to_string()).collect();
        seen.sort();
        wanted.sort();
        assert_eq!(seen, wanted, "{position}");
    }
}

/// Counts the reflections of Silver's beam.
fn corners(position: &Position) -> usize {
    let shot = position.fire(Color::Silver);
    let steps = shot.beams[0].steps.iter();
    steps.filter(|step| step.reflection().is_some()).count()
}

#[test]
fn shot_values_are_right_when_the_beam_turns_very_often_or_returns_to_its_sphinx() {
    let stairs: Position =
        "2p2p33k2/1d2d2p1p35/1D22p1p34/5p1P33/6P1P32/7P1P31/8P1P3/4K5 s".parse().unwrap();
    assert_eq!(corners(&stairs), 17, "{stairs}");
    assert_shot_values_match_hits(&stairs);
    let home: Position = "x33k5/10/10/10/10/5P23P3/10/2K2P13X1 s".parse().unwrap();
    assert_eq!(corners(&home), 3, "{home}");
    assert_shot_values_match_hits(&home);
}

#[test]
fn all_perft_methods_agree() {
    fn played(position: &Position, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let next = |&mv: &Move| {
            let mut next = *position;
            next.play(mv).unwrap();
            played(&next, depth - 1)
        };
        position.legal_moves().iter().map(next).sum()
    }
    for_positions(300, |position, _| {
        assert_eq!(perft(&position, 0), 1);
        assert_eq!(perft_played(&position, 0), 1);
        for depth in 1..=2 {
            let count = perft(&position, depth);
            assert_eq!(perft_played(&position, depth), count, "{depth}: {position}");
            assert_eq!(played(&position, depth), count, "{depth}: {position}");
            let divided = divide(&position, depth);
            assert_eq!(divided.iter().map(|(_, count)| count).sum::<u64>(), count, "{position}");
            let moves: Vec<Move> = divided.iter().map(|&(mv, _)| mv).collect();
            assert_eq!(moves, position.legal_moves().to_vec());
        }
    });
    for_positions(5, |position, _| {
        assert_eq!(perft(&position, 3), perft_played(&position, 3), "{position}");
        let divided = divide(&position, 3);
        assert_eq!(divided.iter().map(|(_, count)| count).sum::<u64>(), perft(&position, 3));
    });
}

// Shots.

/// Runs a test on every possible shot of a number of random positions.
fn for_shots(cases: u64, mut test: impl FnMut(&Position, Move, &Shot)) {
    for_positions(cases, |position, _| {
        for &mv in &position.legal_moves() {
            let mut next = position;
            let shot = next.play(mv).unwrap();
            test(&position, mv, &shot);
        }
    });
}

#[test]
fn without_an_eye_one_beam_crosses_each_square_once_per_direction() {
    for_shots(3000, |position, mv, shot| {
        if !has_eye(position) {
            assert_eq!(shot.beams.len(), 1, "{mv} in {position}");
            let steps = &shot.beams[0].steps;
            let visits: HashSet<_> = steps.iter().map(|step| (step.square, step.arrives)).collect();
            assert_eq!(visits.len(), steps.len(), "{mv} in {position}");
            assert!(shot.hits.len() <= 1, "{mv} in {position}");
        }
    });
}

#[test]
fn with_an_eye_beams_cross_each_square_once_per_direction() {
    let mut splits = 0;
    for_shots(2000, |position, mv, shot| {
        let steps = || shot.beams.iter().flat_map(|beam| &beam.steps);
        let visits: HashSet<_> = steps().map(|step| (step.square, step.arrives)).collect();
        assert_eq!(visits.len(), steps().count(), "{mv} in {position}");
        splits += usize::from(shot.beams.len() > 1);
    });
    assert!(splits > 1000, "{splits}");
}

#[test]
fn without_an_eye_no_beam_returns_to_its_own_laser() {
    for_shots(1000, |position, mv, shot| {
        if !has_eye(position) {
            // It would cross the first square in the opposite direction. The side of its own sphinx
            // can be hit.
            let first = shot.beams[0].steps[0];
            let back = Some(first.arrives.opposite());
            let mut steps = shot.beams[0].steps.iter();
            assert!(
                !steps.any(|step| step.square == first.square && step.leaves == back),
                "{mv} in {position}"
            );
        }
    });
}

#[test]
fn a_beam_runs_from_square_to_square_from_its_laser_or_eye_to_its_end() {
    for_shots(1000, |position, mv, shot| {
        assert_eq!(shot.by, position.side_to_move());
        let context = || format!("{mv} in {position}: {shot:?}");
        for (nth, beam) in shot.beams.iter().enumerate() {
            assert_eq!(beam.eye().is_none(), nth == 0, "{}", context());
            for pair in beam.steps.windows(2) {
                assert_eq!(pair[0].leaves, Some(pair[1].arrives), "{}", context());
                let next = pair[0].square.neighbor(pair[1].arrives);
                assert_eq!(next, Some(pair[1].square), "{}", context());
            }
            let first = match beam.origin {
                BeamOrigin::Wall(corner) => Some(corner),
                BeamOrigin::Sphinx(square) | BeamOrigin::Eye(square) => {
                    square.neighbor(beam.direction)
                }
            };
            assert_eq!(beam.steps.first().map(|step| step.square), first, "{}", context());
            assert!(beam.steps.iter().take(1).all(|step| step.arrives == beam.direction));
            // Only at the wall does it leave its last square.
            if let Some(last) = beam.steps.last() {
                match last.leaves {
                    Some(direction) => {
                        assert_eq!(beam.end, BeamEnd::Wall, "{}", context());
                        assert_eq!(last.square.neighbor(direction), None, "{}", context());
                    }
                    None => assert_ne!(beam.end, BeamEnd::Wall, "{}", context()),
                }
            } else {
                assert_eq!(beam.end, BeamEnd::Wall, "{}", context());
            }
        }
        // The hits are the ends of the beams.
        let ends: BTreeSet<Square> = shot
            .beams
            .iter()
            .filter(|beam| beam.end == BeamEnd::Hit)
            .map(|beam| beam.steps.last().unwrap().square)
            .collect();
        let hits: Vec<Square> = shot.hits.iter().map(|hit| hit.square).collect();
        assert_eq!(hits, ends.into_iter().collect::<Vec<_>>(), "{}", context());
    });
}

#[test]
fn the_beam_starts_at_the_laser_of_the_player_who_moved() {
    for_shots(1000, |position, mv, shot| {
        let corner = Square::laser_corner(shot.by);
        let first = shot.beams[0].steps[0];
        match position.get(corner).map(|piece| piece.role()) {
            // It may have been rotated by the move.
            Some(Role::Sphinx) => {
                assert_eq!(shot.beams[0].origin, BeamOrigin::Sphinx(corner), "{mv}");
                assert_eq!(corner.neighbor(first.arrives), Some(first.square), "{mv}");
            }
            _ => {
                let direction = match shot.by {
                    Color::Silver => Direction::North,
                    Color::Red => Direction::South,
                };
                let start = (first.square, first.arrives);
                assert_eq!(start, (corner, direction), "{mv} in {position}");
                assert_eq!(shot.beams[0].origin, BeamOrigin::Wall(corner), "{mv} in {position}");
            }
        }
    });
}

// The board rotated by 180 degrees with the sides exchanged.

/// Returns a shot as the other player sees it, with beams and hits in a canonical order.
fn flipped_shot(shot: &Shot) -> Shot {
    let mut shot = shot.clone();
    shot.by = !shot.by;
    for beam in &mut shot.beams {
        beam.origin = match beam.origin {
            BeamOrigin::Wall(square) => BeamOrigin::Wall(square.flipped()),
            BeamOrigin::Sphinx(square) => BeamOrigin::Sphinx(square.flipped()),
            BeamOrigin::Eye(square) => BeamOrigin::Eye(square.flipped()),
        };
        beam.direction = beam.direction.opposite();
        for step in &mut beam.steps {
            step.square = step.square.flipped();
            step.arrives = step.arrives.opposite();
            step.leaves = step.leaves.map(Direction::opposite);
        }
    }
    for hit in &mut shot.hits {
        hit.square = hit.square.flipped();
        hit.piece = hit.piece.other_color().rotated(2);
        hit.left = hit.left.map(|piece| piece.other_color().rotated(2));
    }
    if let Some(outcome) = &mut shot.outcome {
        outcome.winner = outcome.winner.map(|color| !color);
    }
    sorted(shot)
}

fn sorted(mut shot: Shot) -> Shot {
    shot.beams[1..].sort_by_key(|beam| format!("{beam:?}"));
    shot.hits.sort_by_key(|hit| hit.square);
    shot
}

#[test]
fn rotating_the_board_and_exchanging_colours_exchanges_moves_shots_and_results() {
    for_positions(1000, |position, _| {
        let flipped = position.flipped();
        assert_eq!(flipped.flipped(), position);
        assert_eq!(flipped.side_to_move(), !position.side_to_move());
        let mine: BTreeSet<Move> = position.legal_moves().iter().map(|mv| mv.flipped()).collect();
        let theirs: BTreeSet<Move> = flipped.legal_moves().iter().copied().collect();
        assert_eq!(mine, theirs, "{position}");
        for &mv in &position.legal_moves() {
            let (mut one, mut other) = (position, flipped);
            let shot = one.play(mv).unwrap();
            let other_shot = other.play(mv.flipped()).unwrap();
            assert_eq!(flipped_shot(&shot), sorted(other_shot), "{mv} in {position}");
            assert_eq!(one.flipped(), other, "{mv} in {position}");
        }
    });
}

// Games.

#[test]
fn taking_a_move_back_restores_the_game() {
    for_positions(500, |start, rng| {
        let mut game = Game::new(start);
        let mut before = Vec::new();
        for _ in 0..rng.below(30) {
            let moves = game.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = *rng.pick(&moves);
            before.push((game.clone(), mv));
            game.play(mv).unwrap();
        }
        for (earlier, mv) in before.into_iter().rev() {
            assert_eq!(game.take_back(), Some(mv));
            assert_eq!(game, earlier);
        }
        assert_eq!(game.take_back(), None);
        assert_eq!(game, Game::new(start));
    });
}

#[test]
fn the_repetition_count_equals_a_comparison_of_all_arrangements() {
    for_positions(300, |start, rng| {
        let mut game = Game::new(start);
        for _ in 0..40 {
            // Few different moves, so that arrangements are repeated.
            let moves = game.position().legal_moves();
            let Some(&mv) = moves.get(rng.below(2)) else { break };
            game.play(mv).unwrap();
            let mut now = game.position().placement();
            let mut times = 0;
            for position in game.positions() {
                now.side_to_move = position.side_to_move();
                times += usize::from(position.placement() == now);
            }
            assert_eq!(game.repetitions(), times);
            let claimable = game.outcome().is_none() && times >= start.rules().draw_claim_at();
            assert_eq!(game.can_claim_draw(), claimable);
        }
    });
}

#[test]
fn the_record_of_a_game_replays_the_same_game() {
    for_positions(500, |start, rng| {
        let mut game = Game::new(start);
        for _ in 0..rng.below(60) {
            let moves = game.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            game.play(*rng.pick(&moves)).unwrap();
        }
        let record = Record::from_game(&game);
        assert_eq!(record.game(), game);
        let read: Record = record.to_string().parse().unwrap();
        assert_eq!(read.game(), game);
    });
}

#[cfg(feature = "serde")]
mod json {
    use std::fmt::Debug;

    use khet::{Rules, Setup};
    use serde::Serialize;
    use serde::de::DeserializeOwned;

    use super::*;

    #[test]
    fn values_are_read_from_json_as_they_were_written() {
        #[track_caller]
        fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
            let json = serde_json::to_string(value).unwrap();
            assert_eq!(serde_json::from_str::<T>(&json).unwrap(), *value, "{json}");
        }

        for_positions(500, |position, _| {
            round_trip(&position.placement());
            for (square, piece) in position.pieces() {
                round_trip(&square);
                round_trip(&piece);
            }
            for &mv in &position.legal_moves() {
                round_trip(&mv);
                let mut next = position;
                round_trip(&next.play(mv).unwrap());
            }
        });
        Color::ALL.iter().for_each(round_trip);
        Direction::ALL.iter().for_each(round_trip);
        Rules::ALL.iter().for_each(round_trip);
        Setup::ALL.iter().for_each(round_trip);
    }

    #[test]
    fn values_are_their_notation_in_json() {
        let position = Setup::Classic.position();
        let text = format!("\"{position}\"");
        assert_eq!(serde_json::to_string(&position.placement()).unwrap(), text);
        let mv: Move = "h2+".parse().unwrap();
        assert_eq!(serde_json::to_string(&mv).unwrap(), "\"h2+\"");
        assert_eq!(
            serde_json::to_string(&Setup::Khet2ImhotepEye).unwrap(),
            "\"khet2-imhotep-eye\""
        );
        assert_eq!(serde_json::to_string(&Rules::Czech).unwrap(), "\"czech\"");
        assert_eq!(serde_json::to_string(&Color::Silver).unwrap(), "\"silver\"");
        assert_eq!(serde_json::to_string(&Square::H2).unwrap(), "\"h2\"");

        // The error of the parser is passed on.
        let error = serde_json::from_str::<Move>("\"h2\"").unwrap_err().to_string();
        assert!(error.contains("a move is written like"), "{error}");
        let error = serde_json::from_str::<Placement>("\"4k4\"").unwrap_err().to_string();
        assert!(error.contains("character 4 (rank 8)"), "{error}");
    }

    #[test]
    fn a_shot_in_json_is_plain_data() {
        let mut position: Position = "5k4/10/10/10/3o25P3/10/10/4K5 s".parse().unwrap();
        let shot = position.play("e1e2".parse().unwrap()).unwrap();
        let json = serde_json::to_value(&shot).unwrap();
        assert_eq!(json["by"], "silver");
        assert_eq!(json["beams"][0]["wall"], "j1");
        assert_eq!(json["beams"][0]["direction"], "north");
        assert_eq!(json["beams"][0]["end"], "hit");
        let flipped = serde_json::json!({"square": "j4", "arrives": "north", "leaves": "west"});
        assert_eq!(json["beams"][0]["steps"][3], flipped);
        let hit = serde_json::json!({"square": "d4", "piece": "o2", "left": "o1"});
        assert_eq!(json["hits"], serde_json::json!([hit]));
        assert_eq!(json["outcome"], serde_json::Value::Null);
        assert_eq!(serde_json::from_value::<Shot>(json).unwrap(), shot);

        let split: Position = "4k5/10/10/10/9E1/10/10/4K5 s".parse().unwrap();
        let shot = split.fire(Color::Silver);
        let json = serde_json::to_value(&shot).unwrap();
        assert_eq!(json["beams"][1]["eye"], "j4");
        assert_eq!(serde_json::from_value::<Shot>(json).unwrap(), shot);
    }
}
