//! Text in large letters, three rows high, for the result of a game.

/// The letters that results need, five dots high.
const FONT: [(char, [&str; 5]); 11] = [
    ('A', [" # ", "# #", "###", "# #", "# #"]),
    ('D', ["## ", "# #", "# #", "# #", "## "]),
    ('E', ["###", "#  ", "## ", "#  ", "###"]),
    ('I', ["#", "#", "#", "#", "#"]),
    ('L', ["#  ", "#  ", "#  ", "#  ", "###"]),
    ('N', ["#  #", "## #", "# ##", "#  #", "#  #"]),
    ('R', ["## ", "# #", "## ", "# #", "# #"]),
    ('S', ["###", "#  ", "###", "  #", "###"]),
    ('V', ["# #", "# #", "# #", "# #", " # "]),
    ('W', ["#   #", "#   #", "# # #", "# # #", " # # "]),
    (' ', ["  ", "  ", "  ", "  ", "  "]),
];

/// Returns the rows of a text. Skips letters that the font lacks.
pub(crate) fn rows(text: &str) -> [String; 3] {
    let mut rows = [const { String::new() }; 3];
    let letters = text.chars().filter_map(|letter| FONT.iter().find(|(known, _)| *known == letter));
    for (_, dots) in letters {
        for (index, row) in rows.iter_mut().enumerate() {
            let upper = dots[2 * index].bytes();
            let lower = dots.get(2 * index + 1).map_or(" ", |dots| dots).bytes();
            for (upper, lower) in upper.zip(lower.chain(std::iter::repeat(b' '))) {
                row.push(match (upper == b'#', lower == b'#') {
                    (true, true) => '█',
                    (true, false) => '▀',
                    (false, true) => '▄',
                    (false, false) => ' ',
                });
            }
            row.push(' ');
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_has_all_letters_of_results() {
        assert_eq!(
            rows("DRAW"),
            ["█▀▄ █▀▄ ▄▀▄ █   █ ", "█ █ █▀▄ █▀█ █ █ █ ", "▀▀  ▀ ▀ ▀ ▀  ▀ ▀  "]
        );
        for text in ["SILVER WINS", "RED WINS", "DRAW"] {
            assert!(text.chars().all(|letter| FONT.iter().any(|(known, _)| *known == letter)));
        }
    }
}
