//! The value of a piece: what its owner loses when it is removed.

use std::collections::BTreeMap;

use khet::{Bitboard, Color, Corner, Kind, MoverEval, Piece, Position, Square};
use serde::Serialize;

use super::family::Family;
use super::self_player::Removal;
use crate::target::sigmoid;

/// What is removed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum RemovedKind {
    Pyramid,
    Djed,
    Obelisk,
    Stack,
    StackTop,
    Scarab,
    Anubis,
    Eye,
}

impl RemovedKind {
    fn of(piece: Piece, top_only: bool) -> Option<RemovedKind> {
        Some(match piece.kind() {
            Kind::Pyramid(_) => RemovedKind::Pyramid,
            Kind::Djed(_) => RemovedKind::Djed,
            Kind::Obelisk => RemovedKind::Obelisk,
            Kind::Stack if top_only => RemovedKind::StackTop,
            Kind::Stack => RemovedKind::Stack,
            Kind::Scarab(_) => RemovedKind::Scarab,
            Kind::Anubis(_) => RemovedKind::Anubis,
            Kind::Eye(_) => RemovedKind::Eye,
            Kind::Pharaoh | Kind::Sphinx(_) => return None,
        })
    }

    /// Returns the name in a table.
    pub(super) fn name(self) -> &'static str {
        match self {
            RemovedKind::Pyramid => "pyramid",
            RemovedKind::Djed => "djed",
            RemovedKind::Obelisk => "single obelisk",
            RemovedKind::Stack => "stack of two obelisks",
            RemovedKind::StackTop => "top obelisk of a stack",
            RemovedKind::Scarab => "scarab",
            RemovedKind::Anubis => "Anubis",
            RemovedKind::Eye => "Eye of Horus",
        }
    }
}

/// Where a piece stands. Places overlap: a piece can be on both beams and beside its pharaoh.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum PiecePlace {
    Anywhere,
    OnOwnBeam,
    OnOtherBeam,
    BesidePharaoh,
    Elsewhere,
}

impl PiecePlace {
    /// Returns the name in a table.
    pub(super) fn name(self) -> &'static str {
        match self {
            PiecePlace::Anywhere => "anywhere",
            PiecePlace::OnOwnBeam => "on its own side's beam",
            PiecePlace::OnOtherBeam => "on the opponent's beam",
            PiecePlace::BesidePharaoh => "beside its pharaoh",
            PiecePlace::Elsewhere => "none of these",
        }
    }

    /// Returns the places of a piece.
    fn of(position: &Position, square: Square, color: Color) -> Vec<PiecePlace> {
        let on_beam = |by| position.shot_squares(by).path.has(square);
        let beside = |pharaoh| Bitboard::around(pharaoh).has(square);
        let found = [
            (PiecePlace::OnOwnBeam, on_beam(color)),
            (PiecePlace::OnOtherBeam, on_beam(!color)),
            (PiecePlace::BesidePharaoh, position.pharaoh(color).is_some_and(beside)),
        ];
        let mut places: Vec<PiecePlace> =
            found.into_iter().filter(|(_, is_there)| *is_there).map(|(place, _)| place).collect();
        if places.is_empty() {
            places.push(PiecePlace::Elsewhere);
        }
        places.push(PiecePlace::Anywhere);
        places
    }
}

/// A mean with its 95 % error.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub(super) struct Mean {
    pub(super) mean: f64,
    pub(super) error: f64,
    pub(super) count: u64,
}

impl Mean {
    /// Returns the mean of samples whose number, sum and sum of squares are known.
    pub(super) fn new(count: u64, sum: f64, squares: f64) -> Mean {
        let number = count.max(1) as f64;
        let mean = sum / number;
        let variance = (squares / number - mean * mean).max(0.0);
        Mean { mean, error: 1.96 * (variance / number).sqrt(), count }
    }
}

/// What owners lose with one kind of piece, summed up over many removals.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct RemovalLoss {
    count: u64,
    /// Removals after which neither side has a forced win.
    quiet_count: u64,
    cents: f64,
    cents_squares: f64,
    chance: f64,
    chance_squares: f64,
    forced_losses: u64,
}

impl RemovalLoss {
    /// Counts the loss of the owner: in hundredths of a pyramid unless a win is forced, and in
    /// winning chances.
    fn add(&mut self, with: MoverEval, without: MoverEval, owner_moves: bool) {
        let sign = if owner_moves { 1.0 } else { -1.0 };
        self.count += 1;
        if let (MoverEval::Cp(with), MoverEval::Cp(without)) = (with, without) {
            let cents = sign * f64::from(with - without);
            self.quiet_count += 1;
            self.cents += cents;
            self.cents_squares += cents * cents;
        }
        let chance = sign * (winning_chance(with) - winning_chance(without));
        self.chance += chance;
        self.chance_squares += chance * chance;
        let mover_wins = matches!(without, MoverEval::MateIn(1..));
        let mover_loses = matches!(without, MoverEval::MateIn(..=0));
        self.forced_losses += u64::from(if owner_moves { mover_loses } else { mover_wins });
    }

    /// Returns the mean loss in hundredths of a pyramid.
    pub(super) fn cents(&self) -> Mean {
        Mean::new(self.quiet_count, self.cents, self.cents_squares)
    }

    /// Returns the mean loss of winning chances, as a share.
    pub(super) fn chance(&self) -> Mean {
        Mean::new(self.count, self.chance, self.chance_squares)
    }

    /// Returns the share of removals after which the owner loses by force.
    pub(super) fn forced_losses(&self) -> f64 {
        self.forced_losses as f64 / self.count.max(1) as f64
    }
}

/// Returns the chance of the side to move to win, in which a draw counts as half.
fn winning_chance(eval: MoverEval) -> f64 {
    match eval {
        MoverEval::Cp(cp) => sigmoid(f64::from(cp)),
        MoverEval::MateIn(1..) => 1.0,
        MoverEval::MateIn(_) => 0.0,
    }
}

/// What owners lose with each kind of piece.
#[derive(Clone, Default, Debug)]
pub(super) struct RemovalTable {
    /// By family, kind and place.
    pub(super) kinds: BTreeMap<(Family, RemovedKind, PiecePlace), RemovalLoss>,
    /// Pyramids by the corner that the mirror faces, seen from the owner's side.
    pub(super) orientations: BTreeMap<Corner, RemovalLoss>,
}

impl RemovalTable {
    /// Counts a removal. Returns `None` if it does not fit the position.
    pub(super) fn add(
        &mut self,
        family: Family,
        position: &Position,
        removal: &Removal,
    ) -> Option<()> {
        let Removal { square, top_only, with, without, .. } = *removal;
        let piece = position.get(square)?;
        let kind = RemovedKind::of(piece, top_only)?;
        let owner_moves = piece.color() == position.side_to_move();
        for place in PiecePlace::of(position, square, piece.color()) {
            self.kinds.entry((family, kind, place)).or_default().add(with, without, owner_moves);
        }
        let seen = if piece.color() == Color::Silver { piece } else { piece.rotated(2) };
        if let Kind::Pyramid(corner) = seen.kind() {
            self.orientations.entry(corner).or_default().add(with, without, owner_moves);
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use khet::Setup;

    use super::*;

    #[test]
    fn a_loss_counts_for_the_owner_of_the_piece() {
        let position = Setup::Classic.position();
        let mut table = RemovalTable::default();
        let removal = |square: Square, without: MoverEval| Removal {
            ply: 0,
            square,
            top_only: false,
            with: MoverEval::Cp(20),
            without,
        };
        let pyramid = |color: Color| {
            let mut pieces = position.pieces();
            let found = pieces.find(|(_, piece)| {
                piece.color() == color && matches!(piece.kind(), Kind::Pyramid(_))
            });
            found.expect("a pyramid").0
        };
        let (own, other) = (pyramid(Color::Silver), pyramid(Color::Red));
        for removal in [
            removal(own, MoverEval::Cp(-80)),
            removal(other, MoverEval::Cp(120)),
            removal(own, MoverEval::MateIn(-2)),
            removal(other, MoverEval::MateIn(3)),
        ] {
            table.add(Family::Standard, &position, &removal).expect("a pyramid");
        }
        let loss = table.kinds[&(Family::Standard, RemovedKind::Pyramid, PiecePlace::Anywhere)];
        assert_eq!(loss.cents(), Mean { mean: 100.0, error: 0.0, count: 2 });
        assert_eq!(loss.forced_losses(), 0.5);
        assert_eq!(loss.chance().count, 4);
        let expected = (1.0 + sigmoid(120.0) - sigmoid(-80.0)) / 4.0;
        assert!((loss.chance().mean - expected).abs() < 1e-9);
        let pharaoh = position.pharaoh(Color::Silver).expect("a pharaoh");
        let removal = removal(pharaoh, MoverEval::Cp(0));
        assert_eq!(table.add(Family::Standard, &position, &removal), None);
    }
}
