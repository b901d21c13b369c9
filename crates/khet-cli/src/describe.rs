//! Descriptions of sides and shots in English.

use khet::{BoardSquare, Color, Hit, Kind, Shot};

/// Returns the name of a side, capitalised.
pub(crate) fn side_name(color: Color) -> &'static str {
    match color {
        Color::Silver => "Silver",
        Color::Red => "Red",
    }
}

/// Describes a shot in a sentence: `Silver's laser hits the red pyramid on g3.`
pub(crate) fn shot<S: BoardSquare>(shot: &Shot<S>) -> String {
    format!("{}'s laser {}.", side_name(shot.by), effect(shot))
}

/// Describes the effect of a shot, to follow "the laser": `hits the red pyramid on g3`.
pub(crate) fn effect<S: BoardSquare>(shot: &Shot<S>) -> String {
    if shot.hits.is_empty() {
        return "hits nothing".to_string();
    }
    // A pharaoh comes last, because its hit decides the game.
    let mut hits: Vec<&Hit<S>> = shot.hits.iter().collect();
    hits.sort_by_key(|hit| hit.piece.kind() == Kind::Pharaoh);
    let pieces: Vec<String> = hits.into_iter().map(hit_piece).collect();
    format!("hits {}", pieces.join(" and "))
}

/// Returns a hit in words, such as "the red pyramid on e4".
fn hit_piece<S: BoardSquare>(hit: &Hit<S>) -> String {
    let top = if hit.piece.kind() == Kind::Stack { "the top " } else { "the " };
    format!("{top}{} {} on {}", hit.piece.color(), hit.piece.role(), hit.square)
}

#[cfg(test)]
mod tests {
    use khet::Position;

    use super::*;

    #[test]
    fn a_shot_is_described_in_a_sentence() {
        let description = |position: &str, mv: &str| {
            let mut position: Position = position.parse().expect("a position");
            shot(&position.play(mv.parse().expect("a move")).expect("a legal move"))
        };
        let text = description("4k5/10/10/10/10/10/9O2/4K4P1 s", "e1e2");
        assert_eq!(text, "Silver's laser hits the silver pyramid on j1.");
        let text = description("4k5/10/10/10/10/10/9O2/4K5 s", "e1e2");
        assert_eq!(text, "Silver's laser hits the top silver obelisk on j2.");
        let text = description("4k5/10/10/10/10/10/10/4K4P4 s", "j1-");
        assert_eq!(text, "Silver's laser hits the silver pharaoh on e1.");
        let text = description("4k5/10/10/10/10/10/10/4K5 s", "e1e2");
        assert_eq!(text, "Silver's laser hits nothing.");
    }
}
