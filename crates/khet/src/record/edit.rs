//! Navigating and editing the move tree of a record.

use std::fmt;

use super::tree_path::Branch;
use super::{Comment, MAX_NESTING, Ply, Record, TreePath, Variation};
use crate::{BoardSquare, Game, GameError, GamePosition, IllegalMove, Move, Square};

/// The reason why moves can't be added to a record. The record is unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VariationError<S: BoardSquare = Square> {
    /// The record has no move at this path.
    NoSuchMove,
    /// A variation needs a move.
    Empty,
    /// Variations would be nested more than [`MAX_NESTING`] deep.
    NestedTooDeep,
    /// A move is illegal in its position.
    Illegal(IllegalMove<S>),
}

impl<S: BoardSquare> fmt::Display for VariationError<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VariationError::NoSuchMove => f.write_str("the record has no such move"),
            VariationError::Empty => f.write_str("a variation needs a move"),
            VariationError::NestedTooDeep => {
                write!(f, "variations are nested more than {MAX_NESTING} deep")
            }
            VariationError::Illegal(error) => error.fmt(f),
        }
    }
}

impl<S: BoardSquare> std::error::Error for VariationError<S> {}

impl<P: GamePosition> Record<P> {
    /// Returns the main line or variation that a path ends in, if the record has this path.
    pub fn variation_at(&self, path: &TreePath) -> Option<&Variation<P::Square>> {
        let variation = path.branches.iter().try_fold(&self.main_line, |variation, branch| {
            variation.plies.get(branch.ply)?.variations.get(branch.variation)
        })?;
        let least = usize::from(!path.branches.is_empty());
        (least..=variation.plies.len()).contains(&path.moves).then_some(variation)
    }

    /// Returns the last move of a path; `None` at the start.
    pub fn ply_at(&self, path: &TreePath) -> Option<&Ply<P::Square>> {
        self.variation_at(path)?.plies.get(path.moves.checked_sub(1)?)
    }

    fn ply_at_mut(&mut self, path: &TreePath) -> Option<&mut Ply<P::Square>> {
        self.variation_at(path)?;
        let index = path.moves.checked_sub(1)?;
        self.branch_mut(&path.branches).plies.get_mut(index)
    }

    /// Returns the comments after the last move of a path, or at the start those before the first
    /// move, for editing.
    pub fn comments_mut(&mut self, path: &TreePath) -> Option<&mut Vec<Comment>> {
        if *path == TreePath::default() {
            return Some(&mut self.main_line.comments);
        }
        self.ply_at_mut(path).map(|ply| &mut ply.comments)
    }

    /// Returns the marks of the last move of a path for editing; `None` at the start.
    pub fn marks_mut(&mut self, path: &TreePath) -> Option<&mut Vec<u8>> {
        self.ply_at_mut(path).map(|ply| &mut ply.marks)
    }

    /// Returns the game along a path.
    pub fn game_at(&self, path: &TreePath) -> Option<Game<P>> {
        self.variation_at(path)?;
        let mut game = Game::new(self.start);
        let mut variation = &self.main_line;
        for branch in &path.branches {
            replay(&mut game, &variation.plies[..branch.ply]);
            variation = &variation.plies[branch.ply].variations[branch.variation];
        }
        replay(&mut game, &variation.plies[..path.moves]);
        Some(game)
    }

    /// Returns the paths one move further: first the next move of the same variation, then the
    /// alternatives to it.
    pub fn children(&self, path: &TreePath) -> Vec<TreePath> {
        let Some(variation) = self.variation_at(path) else { return Vec::new() };
        let mut children = Vec::new();
        add_children(variation, path.clone(), &mut children);
        children
    }

    /// Returns the path to the last move of the variation that a path ends in.
    pub fn variation_end(&self, path: &TreePath) -> TreePath {
        let moves = self.variation_at(path).map_or(path.moves, |variation| variation.plies.len());
        TreePath { moves, ..path.clone() }
    }

    /// Plays a move after a path, and returns the path to it. A known move is not added again. A
    /// new one is appended at the end of a variation, and becomes an alternative elsewhere.
    ///
    /// Returns `path` itself if the record has no such path, or if the new variation would be
    /// nested more than [`MAX_NESTING`] deep.
    pub fn play_at(
        &mut self,
        path: &TreePath,
        mv: Move<P::Square>,
    ) -> Result<TreePath, GameError<P::Square>> {
        let Some(mut game) = self.game_at(path) else { return Ok(path.clone()) };
        game.play(mv)?;
        // The game has the canonical spelling of the move.
        let mv = game.take_back().unwrap_or(mv);
        let is_same_move = |child: &TreePath| self.ply_at(child).is_some_and(|ply| ply.mv == mv);
        if let Some(child) = self.children(path).into_iter().find(is_same_move) {
            return Ok(child);
        }
        let variation = self.branch_mut(&path.branches);
        let mut next = path.next();
        match variation.plies.get_mut(path.moves) {
            None => variation.plies.push(Ply::new(mv)),
            Some(_) if path.branches.len() >= MAX_NESTING => return Ok(path.clone()),
            Some(ply) => {
                next = path.into_variation(ply.variations.len()).next();
                ply.variations.push(Variation::new([mv]));
            }
        }
        self.update_outcome();
        Ok(next)
    }

    /// Replaces all moves of the record.
    pub fn set_main_line(
        &mut self,
        mut moves: Variation<P::Square>,
    ) -> Result<(), VariationError<P::Square>> {
        check_moves(&mut moves, self.start, 0)?;
        self.main_line = moves;
        self.update_outcome();
        Ok(())
    }

    /// Adds an alternative to the last move of a path.
    pub fn add_variation(
        &mut self,
        path: &TreePath,
        mut variation: Variation<P::Square>,
    ) -> Result<(), VariationError<P::Square>> {
        let before = self.ply_at(path).and(path.parent());
        let game = before.and_then(|before| self.game_at(&before));
        let game = game.ok_or(VariationError::NoSuchMove)?;
        check_moves(&mut variation, *game.position(), path.branches.len() + 1)?;
        let ply = self.ply_at_mut(path).ok_or(VariationError::NoSuchMove)?;
        ply.variations.push(variation);
        Ok(())
    }

    /// Exchanges the variation that a path ends in with the rest of the line it branches from.
    /// Returns the new path to the same position. Nothing changes in the main line, and where the
    /// result would be nested more than [`MAX_NESTING`] deep.
    pub fn promote(&mut self, path: &TreePath) -> TreePath {
        let Some((&branch, parents)) = path.branches.split_last() else { return path.clone() };
        let Some(variation) = self.variation_at(path) else { return path.clone() };
        let parent = self.branch(parents);
        // The rest of the parent line becomes nested one level deeper.
        let rest = nesting(&parent.plies[branch.ply..], Some(branch.variation));
        if parents.len() + 1 + rest > MAX_NESTING || variation.plies.is_empty() {
            return path.clone();
        }
        let parent = self.branch_mut(parents);
        let mut variation = parent.plies[branch.ply].variations.remove(branch.variation);
        let siblings = std::mem::take(&mut parent.plies[branch.ply].variations);
        let comments = std::mem::take(&mut variation.comments);
        match branch.ply.checked_sub(1) {
            Some(before) => parent.plies[before].comments.extend(comments),
            None => parent.comments.extend(comments),
        }
        let demoted = parent.plies.split_off(branch.ply);
        parent.plies.append(&mut variation.plies);
        let first = &mut parent.plies[branch.ply];
        // Alternatives to the first move of the promoted variation stay alternatives to it.
        let nested = std::mem::take(&mut first.variations);
        first.variations.push(Variation { comments: Vec::new(), plies: demoted });
        first.variations.extend(siblings);
        first.variations.extend(nested);
        self.update_outcome();
        TreePath { branches: parents.to_vec(), moves: branch.ply + path.moves }
    }

    /// Deletes the last move of a path and all that follow it. Its first variation replaces it.
    /// Returns the path to the position before it.
    pub fn delete(&mut self, path: &TreePath) -> TreePath {
        let Some(parent) = path.parent().filter(|_| self.variation_at(path).is_some()) else {
            return path.clone();
        };
        let index = path.moves - 1;
        match path.branches.split_last() {
            Some((branch, parents))
                if index == 0 && self.ply_at(path).is_some_and(|ply| ply.variations.is_empty()) =>
            {
                self.branch_mut(parents).plies[branch.ply].variations.remove(branch.variation);
            }
            _ => {
                let variation = self.branch_mut(&path.branches);
                let mut alternatives = std::mem::take(&mut variation.plies[index].variations);
                variation.plies.truncate(index);
                if !alternatives.is_empty() {
                    let mut first = alternatives.remove(0);
                    if let Some(ply) = first.plies.first_mut() {
                        ply.variations.extend(alternatives);
                    }
                    let comments = match index.checked_sub(1) {
                        Some(before) => &mut variation.plies[before].comments,
                        None => &mut variation.comments,
                    };
                    comments.append(&mut first.comments);
                    variation.plies.append(&mut first.plies);
                }
            }
        }
        self.update_outcome();
        parent
    }

    /// Returns the variation after branches that exist.
    fn branch(&self, branches: &[Branch]) -> &Variation<P::Square> {
        branches.iter().fold(&self.main_line, |variation, branch| {
            &variation.plies[branch.ply].variations[branch.variation]
        })
    }

    fn branch_mut(&mut self, branches: &[Branch]) -> &mut Variation<P::Square> {
        branches.iter().fold(&mut self.main_line, |variation, branch| {
            &mut variation.plies[branch.ply].variations[branch.variation]
        })
    }

    /// Sets result and termination to those of the board, if the game is over there.
    fn update_outcome(&mut self) {
        self.follow_board(self.game().outcome());
    }

    /// Returns the number of the last move of a path as records write it: `3.` or `3...`
    pub fn move_number_at(&self, path: &TreePath) -> String {
        let before = (path.plies() + self.start.side_to_move() as usize).saturating_sub(1);
        let dots = if before.is_multiple_of(2) { "." } else { "..." };
        format!("{}{dots}", before / 2 + 1)
    }
}

/// Adds the paths one move further in a variation, and those of the alternatives to that move.
fn add_children<S: BoardSquare>(
    variation: &Variation<S>,
    path: TreePath,
    children: &mut Vec<TreePath>,
) {
    let Some(next) = variation.plies.get(path.moves) else { return };
    children.push(path.next());
    for (index, variation) in next.variations.iter().enumerate() {
        add_children(variation, path.into_variation(index), children);
    }
}

/// Plays the moves.
fn replay<P: GamePosition>(game: &mut Game<P>, plies: &[Ply<P::Square>]) {
    for ply in plies {
        // Moves of a record are legal in their positions.
        if game.play(ply.mv).is_err() {
            return;
        }
    }
}

/// Checks a tree of moves that begins at a position, and spells its moves canonically.
fn check_moves<P: GamePosition>(
    variation: &mut Variation<P::Square>,
    mut position: P,
    depth: usize,
) -> Result<(), VariationError<P::Square>> {
    if depth > MAX_NESTING {
        return Err(VariationError::NestedTooDeep);
    }
    if depth > 0 && variation.plies.is_empty() {
        return Err(VariationError::Empty);
    }
    for ply in &mut variation.plies {
        for alternative in &mut ply.variations {
            check_moves(alternative, position, depth + 1)?;
        }
        ply.mv = position.check(ply.mv).map_err(VariationError::Illegal)?;
        position.play_unchecked(ply.mv);
    }
    Ok(())
}

/// Returns how deep variations are nested in moves. `without` is a variation of the first move that
/// does not count.
fn nesting<S: BoardSquare>(plies: &[Ply<S>], without: Option<usize>) -> usize {
    let of_ply = |(index, ply): (usize, &Ply<S>)| {
        let counts =
            |&(variation, _): &(usize, &Variation<S>)| index != 0 || Some(variation) != without;
        let nested = ply.variations.iter().enumerate().filter(counts);
        nested.map(|(_, variation)| 1 + nesting(&variation.plies, None)).max().unwrap_or(0)
    };
    plies.iter().enumerate().map(of_ply).max().unwrap_or(0)
}
