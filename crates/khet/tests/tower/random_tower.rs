//! Random placements and positions with a tower, which are the same on every run.

use khet::tower::{BoardLevel, Placement, Position, Square, TowerColumn};
use khet::{Role, Rules};

use crate::random::{Rng, random_placement};

/// Returns a random playable placement of any edition, with pieces on both levels.
pub fn random_tower_placement(rng: &mut Rng) -> Placement {
    let ground = random_placement(rng);
    let columns: Vec<TowerColumn> = TowerColumn::all().collect();
    let column = *rng.pick(&columns);
    let mut placement = Placement::new(ground, column);
    let share = rng.below(4);
    for (ground, piece) in ground.pieces() {
        let inside = column.squares().has(ground);
        let lifted = column.upper_level().has(ground) && rng.below(4) < share;
        if !inside && (!lifted || piece.role() == Role::Sphinx) {
            continue;
        }
        placement.set(Square::from(ground), None);
        let is_free = |square: &khet::Square| {
            placement.get(Square::new(BoardLevel::Upper, *square)).is_none()
                && !(piece.role() == Role::Pharaoh && column.corners().has(*square))
        };
        let free: Vec<khet::Square> = column.upper_level().into_iter().filter(is_free).collect();
        placement.set(Square::new(BoardLevel::Upper, *rng.pick(&free)), Some(piece));
    }
    placement
}

/// Returns a random position in which the game is not over, under random rules: a random placement,
/// or one reached from it by random play.
pub fn random_tower_position(rng: &mut Rng) -> Position {
    loop {
        let rules = *rng.pick(&Rules::ALL);
        let mut position =
            Position::new(&random_tower_placement(rng), rules).expect("it can be played");
        for _ in 0..rng.below(30) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(*rng.pick(&moves));
        }
        if position.outcome().is_none() {
            return position;
        }
    }
}
