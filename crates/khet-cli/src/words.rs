//! What happens in a game, in words.

use khet::{Color, Hit, Kind, Shot};

/// A player's name at the start of a sentence.
pub(crate) fn player(color: Color) -> &'static str {
    match color {
        Color::Silver => "Silver",
        Color::Red => "Red",
    }
}

/// A shot in a sentence.
pub(crate) fn shot(shot: &Shot) -> String {
    format!("{}'s laser {}.", player(shot.by), effect(shot))
}

/// What a shot does, behind "the laser": `hits the red pyramid on g3`.
pub(crate) fn effect(shot: &Shot) -> String {
    if shot.hits.is_empty() {
        return "hits nothing".to_string();
    }
    let mut text = String::new();
    for verb in ["hits", "lights"] {
        let pharaohs = verb == "lights";
        let named = shot.hits.iter().filter(|hit| (hit.piece.kind() == Kind::Pharaoh) == pharaohs);
        let named: Vec<String> = named.map(piece).collect();
        if !named.is_empty() {
            let and = if text.is_empty() { "" } else { " and " };
            text += &format!("{and}{verb} {}", named.join(" and "));
        }
    }
    text
}

fn piece(hit: &Hit) -> String {
    let top = if hit.piece.kind() == Kind::Stack { "the top " } else { "the " };
    format!("{top}{} {} on {}", hit.piece.color(), hit.piece.role(), hit.square)
}

#[cfg(test)]
mod tests {
    use khet::Position;

    use super::*;

    #[test]
    fn shots_are_told_in_words() {
        let told = |position: &str, mv: &str| {
            let mut position: Position = position.parse().expect("a position");
            shot(&position.play(mv.parse().expect("a move")).expect("a legal move"))
        };
        let text = told("4k5/10/10/10/10/10/9O2/4K4P1 s", "e1e2");
        assert_eq!(text, "Silver's laser hits the silver pyramid on j1.");
        let text = told("4k5/10/10/10/10/10/9O2/4K5 s", "e1e2");
        assert_eq!(text, "Silver's laser hits the top silver obelisk on j2.");
        let text = told("4k5/10/10/10/10/10/10/4K4P4 s", "j1-");
        assert_eq!(text, "Silver's laser lights the silver pharaoh on e1.");
        let text = told("4k5/10/10/10/10/10/10/4K5 s", "e1e2");
        assert_eq!(text, "Silver's laser hits nothing.");
    }
}
