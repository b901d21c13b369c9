//! Checks that hold for every position and every move.

use khet::{
    BeamEnd, BeamStep, Bitboard, Color, Kind, Move, Outcome, Piece, Placement, Position, Shot,
    Square, Termination, perft,
};

/// Compares all results of a position that must agree.
pub fn inspect(position: &Position) {
    let text = position.to_string();
    let placement: Placement = text.parse().expect("a position writes what can be read");
    assert_eq!(placement, position.placement());
    assert_eq!(position.flipped().flipped(), *position);

    let pharaoh_hit = Color::ALL.map(|color| position.pharaoh(color).is_none());
    match Position::new(&placement, position.rules()) {
        Ok(fresh) => {
            assert_eq!(fresh, *position);
            assert_eq!(fresh.key(), position.key());
            assert_eq!(fresh.repetition_key(), position.repetition_key());
            assert_eq!(pharaoh_hit, [false, false]);
        }
        Err(error) => assert_ne!(pharaoh_hit, [false, false], "{text}: {error}"),
    }

    let moves = inspect_moves(position);
    let (winner, termination) = match pharaoh_hit {
        [true, true] => (None, Termination::PharaohHit),
        [true, false] => (Some(Color::Red), Termination::PharaohHit),
        [false, true] => (Some(Color::Silver), Termination::PharaohHit),
        [false, false] => (Some(!position.side_to_move()), Termination::NoLegalMove),
    };
    let over = pharaoh_hit != [false, false] || moves == 0;
    assert_eq!(position.outcome(), over.then_some(Outcome { winner, termination }));

    for by in Color::ALL {
        let (shot, sweep) = (position.fire(by), position.shot_squares(by));
        assert!(hit_squares(&shot).into_iter().eq(sweep.removed), "{text}");
        let steps = shot.beams.iter().flat_map(|beam| &beam.steps);
        assert!(steps.map(|step| step.square).all(|square| sweep.path.has(square)), "{text}");
        assert_eq!((shot.by, shot.outcome), (by, None));
        inspect_shot(position, &shot);
    }
    for warning in position.warnings() {
        assert!(!warning.to_string().is_empty());
    }
}

/// Compares the list of moves with the other two opinions on what is legal. Returns its length.
fn inspect_moves(position: &Position) -> usize {
    let mut moves = position.legal_moves().to_vec();
    let listed = moves.len();
    assert_eq!(position.count_legal_moves() as usize, listed, "{position}");
    for &mv in &moves {
        assert_eq!(position.check(mv), Ok(mv), "{position}");
    }
    let aim = position.aim();
    let mut parts = aim.disturbing_moves().to_vec();
    assert!(parts.iter().all(|&mv| aim.is_disturbed_by(mv)), "{position}");
    let mut disturbing = Vec::new();
    let worth = std::array::from_fn(|index| 1 << (index % 14));
    aim.each_disturbing_move(&worth, i32::MIN, |choice, targets, gained| {
        for mv in targets.into_iter().map(|to| choice.with_target(to)) {
            let hits = aim.hits(mv).map(|(_, piece)| i32::from(worth[piece.index()]));
            assert_eq!(hits.sum::<i32>(), gained, "{position}, {mv}");
            disturbing.push(mv);
        }
    });
    disturbing.sort();
    parts.sort();
    assert_eq!(disturbing, parts, "{position}");
    aim.each_undisturbing_move(|choice, targets| {
        for mv in targets.into_iter().map(|to| choice.with_target(to)) {
            assert!(!aim.is_disturbed_by(mv), "{position}, {mv}");
            parts.push(mv);
        }
    });
    parts.sort();
    moves.sort();
    moves.dedup();
    assert_eq!(parts, moves, "{position}");
    assert_eq!(moves.len(), listed, "{position}: a move is listed twice");

    let mut flipped: Vec<Move> =
        position.flipped().legal_moves().iter().map(|mv| mv.flipped()).collect();
    flipped.sort();
    assert_eq!(flipped, moves, "{position}: the flipped board has other moves");
    listed
}

/// Checks every beam from square to square, on the board as it was when the laser fired.
fn inspect_shot(board: &Position, shot: &Shot) {
    let mut hit = Bitboard::EMPTY;
    for (index, beam) in shot.beams.iter().enumerate() {
        assert_eq!(beam.eye().is_none(), index == 0, "{board}");
        for pair in beam.steps.windows(2) {
            let leaves = pair[0].leaves.expect("the beam goes on");
            assert_eq!(pair[0].square.neighbor(leaves), Some(pair[1].square), "{board}");
            assert_eq!(pair[1].arrives, leaves, "{board}");
        }
        match (beam.end, beam.steps.last()) {
            (BeamEnd::Wall, Some(last)) => {
                assert_eq!(last.leaves.map(|to| last.square.neighbor(to)), Some(None), "{board}");
            }
            // An Eye at the edge sends a beam straight out.
            (BeamEnd::Wall, None) => assert!(beam.eye().is_some(), "{board}"),
            (_, None) => panic!("{board}: a beam ends nowhere"),
            (end, Some(last)) => {
                assert_eq!(last.leaves, None, "{board}");
                match end {
                    BeamEnd::Hit => hit |= Bitboard::of(last.square),
                    BeamEnd::Split => inspect_split(board, shot, last),
                    BeamEnd::Absorbed | BeamEnd::Wall | BeamEnd::Column => {}
                }
            }
        }
    }
    assert_eq!(hit_squares(shot), hit.into_iter().collect::<Vec<_>>(), "{board}");
    for hit in &shot.hits {
        assert_eq!(hit.left, hit.piece.remains(), "{board}");
    }
}

/// Checks that the two beams that leave an Eye occur once each.
fn inspect_split(board: &Position, shot: &Shot, reached: &BeamStep) {
    let Some(Kind::Eye(mirror)) = board.get(reached.square).map(Piece::kind) else {
        panic!("{board}: a beam splits on {}", reached.square);
    };
    for direction in [reached.arrives, mirror.reflect(reached.arrives)] {
        let sent = shot.beams.iter().filter(|beam| beam.eye() == Some(reached.square));
        let mut sent = sent.filter(|beam| beam.direction == direction);
        let (beam, second) = (sent.next().expect("a beam goes on"), sent.next());
        assert_eq!(second, None, "{board}");
        let first = beam.steps.first().map(|step| step.square);
        assert_eq!(first, reached.square.neighbor(direction), "{board}");
    }
}

fn hit_squares(shot: &Shot) -> Vec<Square> {
    shot.hits.iter().map(|hit| hit.square).collect()
}

/// Plays a move in each of the three ways. Returns the position behind it and the shot, or `None`
/// for an illegal move.
pub fn play_three_ways(position: &Position, mv: Move) -> Option<(Position, Shot)> {
    let mut played = *position;
    let (shot, mv) = match (played.play(mv), position.check(mv)) {
        (Ok(shot), Ok(mv)) => (shot, mv),
        (Err(played_error), Err(check_error)) => {
            assert_eq!(played_error, check_error);
            assert!(!check_error.to_string().is_empty());
            assert_eq!(played, *position, "{mv} is illegal and changed something");
            return None;
        }
        (played, checked) => panic!("{position}, {mv}: {played:?} and {checked:?}"),
    };
    let mut unchecked = *position;
    let removed = unchecked.play_unchecked(mv);
    assert_eq!(unchecked, played, "{position}, {mv}");
    let aim = position.aim();
    assert_eq!(aim.play(mv), (played, removed), "{position}, {mv}");

    assert_eq!(shot.by, position.side_to_move());
    assert_eq!(played.side_to_move(), !shot.by);
    assert_eq!(shot.outcome, played.outcome(), "{position}, {mv}");
    assert_eq!(hit_squares(&shot), removed.into_iter().collect::<Vec<_>>(), "{position}, {mv}");
    let ready = position.before_shot(mv);
    assert_eq!(Shot { outcome: shot.outcome, ..ready.fire(shot.by) }, shot, "{position}, {mv}");
    inspect_shot(&ready, &shot);
    for hit in &shot.hits {
        assert_eq!(played.get(hit.square), hit.left, "{position}, {mv}");
    }
    let hits = shot.hits.iter().map(|hit| (hit.square, hit.piece));
    assert!(aim.hits(mv).eq(hits), "{position}, {mv}");

    // Seen from the other chair it is the same. Turning puts all pieces on an empty board, so this
    // also compares the sets and the hash that the move changed with fresh ones.
    let mut other_chair = position.flipped();
    other_chair.play_unchecked(mv.flipped());
    assert_eq!(other_chair.flipped(), played, "{position}, {mv}");
    Some((played, shot))
}

/// Plays every legal move of a position.
pub fn play_all(position: &Position) {
    let mut next_moves = 0;
    for &mv in &position.legal_moves() {
        let (next, _) = play_three_ways(position, mv).expect("a listed move is legal");
        next_moves += u64::from(next.count_legal_moves());
    }
    assert_eq!(perft(position, 2), next_moves, "{position}");
}
