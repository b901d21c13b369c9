//! The page about Khet, in Markdown.
//!
//! The text explains figures and claims nothing about them, so that it stays true for other games.

use std::fmt::Write as _;

use khet_engine::Network;

use super::family::Family;
use super::figures::MoveCategory;
use super::removal_loss::{Mean, PiecePlace, RemovedKind};
use super::report::{FamilyReport, RemovalMeans, ResultReport, StatisticsReport};
use super::self_player::{
    MAX_ADVANTAGE, MAX_PLIES, OPENING_LINES, OPENING_MARGIN, OPENING_NODES_FACTOR, OPENING_PLIES,
    SAMPLED_POSITIONS,
};
use crate::target::CHANCE_SCALE;

/// Longest line of a paragraph, in characters.
const LINE_WIDTH: usize = 120;

/// Writes one figure of a family.
type Figure = fn(&FamilyReport) -> String;

/// Removals below this number say too little for a row of the table of places.
const MIN_REMOVALS: u64 = 100;

/// Returns the page.
pub(super) fn markdown(report: &StatisticsReport) -> String {
    let sections = [
        introduction(report),
        first_player(report),
        lengths(report),
        terminations(report),
        pieces(report),
        shots(report),
        moves(report),
        method(report),
    ];
    wrap(&sections.join("\n"))
}

fn introduction(report: &StatisticsReport) -> String {
    let (games, nodes) = (count(report.games()), count(report.nodes));
    format!(
        "\
# What the engine knows about Khet

Which piece is worth most? Does it help to move first? How long is a game? The engine has played {games} games against
itself, from every official setup, with {nodes} positions searched per move, and this page has the figures. `khet-tune
statistics` makes it; the [last section](#how-it-was-made) says how.

{}
A number after ± is the error of a mean: with a probability of 95 % the true value is not farther away. It covers only the
chance that lies in a limited number of games. The engine is much stronger than people, but not perfect, and people play other games than it does.
",
        summary(report)
    )
}

/// Returns the main figures as a list.
fn summary(report: &StatisticsReport) -> String {
    let mut text = String::new();
    let by_score = |a: &&ResultReport, b: &&ResultReport| a.score.mean.total_cmp(&b.score.mean);
    let (least, most) =
        (report.setups.iter().min_by(by_score), report.setups.iter().max_by(by_score));
    // Writing to a string cannot fail.
    if let (Some(least), Some(most)) = (least, most) {
        let _ = writeln!(
            text,
            "- The player who moves first scores from {} % ({}) to {} % ({}).",
            percent(least.score.mean, 1),
            least.setup,
            percent(most.score.mean, 1),
            most.setup
        );
    }
    if let Some(classic) = report.setups.first() {
        let length = classic.length;
        let _ = writeln!(
            text,
            "- Half of the games of {} last {} to {} moves, both sides counted together.",
            classic.setup, length.lower_quartile, length.upper_quartile
        );
    }
    if let Some(standard) = report.families.first() {
        let _ = writeln!(
            text,
            "- In the {} game a player chooses among {:.0} legal moves on average; {} % of the moves are rotations.",
            standard.family.name(),
            standard.mean_legal_moves,
            percent(share(standard, MoveCategory::Rotation), 0),
        );
        let _ = writeln!(
            text,
            "- {} % of its shots hit a piece of the opponent, {} % one of the player who fired.",
            percent(standard.shots_at_opponent, 1),
            percent(standard.shots_at_own, 1)
        );
    }
    let value = |piece| value_of(report, Family::Standard, piece).map(|loss| loss.cents.mean);
    if let (Some(pyramid), Some(djed)) = (value(RemovedKind::Pyramid), value(RemovedKind::Djed))
        && pyramid > 0.0
    {
        let _ = writeln!(text, "- A djed is worth {:.1} pyramids.", djed / pyramid);
    }
    text
}

fn first_player(report: &StatisticsReport) -> String {
    let mut text = "\
## The first move

Silver moves first. The score counts a win as one point and a draw as half a point, in percent of all games: above 50 % the
first move is an advantage. If 50 % is within the error, these games do not show who is better off. Some games are the same,
many of them where the first moves are forced; the error counts games with the same moves as one sample.

| setup | games | won | drawn | lost | score of the first player | different games |
|---|--:|--:|--:|--:|--:|--:|
"
    .to_owned();
    for setup in &report.setups {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} % | {} |",
            setup.setup,
            count(setup.games),
            count(setup.first_player_wins),
            count(setup.draws),
            count(setup.first_player_losses),
            percent_mean(setup.score),
            count(setup.distinct_games)
        );
    }
    text
}

fn lengths(report: &StatisticsReport) -> String {
    let mut text = "\
## The length of a game

The number of moves of both sides together. A quarter of the games is not longer than the lower quartile, half of them not longer
than the median, three quarters not longer than the upper quartile.

| setup | shortest | lower quartile | median | upper quartile | longest | draws |
|---|--:|--:|--:|--:|--:|--:|
"
    .to_owned();
    for setup in &report.setups {
        let length = setup.length;
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} % |",
            setup.setup,
            length.shortest,
            length.lower_quartile,
            length.median,
            length.upper_quartile,
            length.longest,
            percent(setup.draws as f64 / setup.games.max(1) as f64, 1)
        );
    }
    text
}

fn terminations(report: &StatisticsReport) -> String {
    let mut names: Vec<&String> =
        report.families.iter().flat_map(|family| family.terminations.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let mut text = format!(
        "\
## How games end

Shares of all games. `pharaoh-hit` decides a game; with an Eye of Horus both pharaohs can be hit at once, which is a draw. A player
who is not ahead claims a draw by `repetition`; a game of {MAX_PLIES} moves is a draw by `move-limit`. The last row counts the
games in which the loser's own laser hit the pharaoh.

"
    );
    table_head(&mut text, report);
    for name in names {
        row(&mut text, report, &format!("`{name}`"), |family| {
            let share = family.terminations.get(name).copied().unwrap_or(0.0);
            format!("{} %", percent(share, 1))
        });
    }
    row(&mut text, report, "lost by the player's own shot", |family| {
        format!("{} %", percent(family.own_shot_losses, 1))
    });
    text
}

fn pieces(report: &StatisticsReport) -> String {
    let mut text = format!(
        "\
## The value of pieces

One piece is taken off a quiet position with an advantage of at most {} pyramids, and the engine evaluates what is left. Three
figures say what the owner has lost: in hundredths of a pyramid, on the scale of the engine's evaluation, without the positions in which somebody can
then force a win; in points of the winning chance (0 to 100, a draw counts as 50), with all positions; and how often the owner
then loses by force, for example because the piece was all that stood between a beam and the pharaoh. A piece that does
nothing is worth 0, one that is in its owner's way less.

| game | piece | hundredths of a pyramid | winning chance | loses by force | removed |
|---|---|--:|--:|--:|--:|
",
        MAX_ADVANTAGE / 100
    );
    for piece in report.pieces.iter().filter(|piece| piece.place == PiecePlace::Anywhere) {
        value_row(&mut text, &[piece.family.name(), piece.piece.name()], &piece.loss);
    }
    text.push_str(
        "
The same by place, for the standard game and Khet 2.0. A piece on a beam reflects or stops it; a piece can be in several of these
places at once.

| game | piece | place | hundredths of a pyramid | winning chance | loses by force | removed |
|---|---|---|--:|--:|--:|--:|
",
    );
    for piece in &report.pieces {
        let enough = piece.loss.winning_chance.count >= MIN_REMOVALS;
        let is_place = piece.place != PiecePlace::Anywhere;
        if is_place && enough && piece.family != Family::EyeOfHorus {
            let names = [piece.family.name(), piece.piece.name(), piece.place.name()];
            value_row(&mut text, &names, &piece.loss);
        }
    }
    text.push_str(
        "
Pyramids of all games by the two directions that the mirror faces, as its owner sees the board. The own laser stands in the near corner on the
right, and shoots forward at the start.

| the mirror faces | hundredths of a pyramid | winning chance | loses by force | removed |
|---|--:|--:|--:|--:|
",
    );
    for orientation in &report.pyramid_orientations {
        value_row(&mut text, &[orientation.faces], &orientation.loss);
    }
    text
}

fn shots(report: &StatisticsReport) -> String {
    let mut text = "\
## Shots

Every move ends with a shot. Its length is the number of squares that its beams cross, the last one included; two beams that leave an
Eye of Horus count together. A hit on a stack, which leaves one obelisk, is a hit on an obelisk.

"
    .to_owned();
    table_head(&mut text, report);
    let figures: [(&str, Figure); 8] = [
        ("hits per game on the opponent's pieces", |family| {
            format!("{:.2}", family.hits_on_opponent)
        }),
        ("hits per game on the player's own pieces", |family| format!("{:.2}", family.hits_on_own)),
        ("shots that hit the opponent", |family| {
            format!("{} %", percent(family.shots_at_opponent, 1))
        }),
        ("shots that hit an own piece", |family| format!("{} %", percent(family.shots_at_own, 2))),
        ("reflections per shot", |family| format!("{:.2}", family.reflections)),
        ("most reflections of a shot", |family| family.most_reflections.to_string()),
        ("squares per shot", |family| format!("{:.1}", family.squares)),
        ("most squares of a shot", |family| family.most_squares.to_string()),
    ];
    for (name, figure) in figures {
        row(&mut text, report, name, figure);
    }
    let mut roles: Vec<&String> =
        report.families.iter().flat_map(|family| family.hits_by_role.keys()).collect();
    roles.sort_unstable();
    roles.dedup();
    for role in roles {
        row(&mut text, report, &format!("hits per game on: {role}"), |family| {
            format!("{:.2}", family.hits_by_role.get(role).copied().unwrap_or(0.0))
        });
    }
    text
}

fn moves(report: &StatisticsReport) -> String {
    let mut text = "\
## Moves

The number of legal moves is the branching factor: how much a player has to choose from. As pieces leave the board it falls. Phases
are counted in moves of each side. Shares are those of the moves that were played.

"
    .to_owned();
    table_head(&mut text, report);
    row(&mut text, report, "legal moves, mean", |family| format!("{:.1}", family.mean_legal_moves));
    let phases = report.families.first().map_or(0, |family| family.legal_moves.len());
    for phase in 0..phases {
        let Some(moves) = report.families.first().map(|family| family.legal_moves[phase]) else {
            continue;
        };
        let name = match moves.last_move {
            Some(last) => format!("legal moves, moves {} to {last}", moves.first_move),
            None => format!("legal moves, from move {} on", moves.first_move),
        };
        row(&mut text, report, &name, |family| {
            let phase = family.legal_moves[phase];
            if phase.positions == 0 {
                return "–".to_owned();
            }
            format!("{:.1}", phase.legal_moves)
        });
    }
    row(&mut text, report, "most legal moves", |family| family.most_legal_moves.to_string());
    for (category, name) in [
        (MoveCategory::Step, "steps"),
        (MoveCategory::Rotation, "rotations"),
        (MoveCategory::Swap, "swaps"),
        (MoveCategory::Stack, "stackings"),
        (MoveCategory::Unstack, "unstackings"),
    ] {
        row(&mut text, report, &format!("share of {name}"), |family| {
            format!("{} %", percent(share(family, category), 1))
        });
    }
    text
}

fn method(report: &StatisticsReport) -> String {
    let games = report.setups.iter().map(|setup| setup.games).max().unwrap_or(0);
    let StatisticsReport { nodes, seed, network, network_description, signature, .. } = report;
    let is_built_in = format!("{:016x}", Network::built_in().hash()) == *network;
    let option = if is_built_in { "" } else { " --network FILE" };
    format!(
        "\
## How it was made

```sh
cargo run --release -p khet-tune -- statistics docs/statistics.md --games {games} --nodes {nodes} --seed {seed}{option}
```

The same command gives the same page on every machine and with any number of threads. `--json FILE` writes the figures for programs.

- **Play.** Both sides are the engine on one thread, with {} positions searched per move and tables that are cleared before each game.
- **Openings.** Without chance all games of a setup would be the same. The first {OPENING_PLIES} moves, {} of each side, are
  therefore chosen at random from the {OPENING_LINES} best moves, as far as they are at most {OPENING_MARGIN} hundredths of a pyramid worse than
  the best one, in a search with {OPENING_NODES_FACTOR} times the positions. Both sides choose in the same way, so chance favours neither; the first table says
  how many games differ.
- **Ends.** Forced wins are played out; nobody resigns.
- **Pieces** are removed from {SAMPLED_POSITIONS} positions of each game, chosen at random from those after the opening in which
  neither the present beam of the side to move nor its best move hits anything, and the opponent does not attack the pharaoh. Of each side and kind one piece is removed, of
  pyramids two, one after the other. Both positions are searched like a move. Pieces of one position
  are not independent samples, so the errors of their values are a little too small. The winning chance is that of the engine's training: {CHANCE_SCALE}
  hundredths multiply the odds by e.
- **Network** `{network}`: {network_description}. **Signature** of the search (`khet bench`): {signature}.
",
        count(*nodes),
        OPENING_PLIES / 2
    )
}

/// Returns the value of a kind of piece wherever it stands.
fn value_of(report: &StatisticsReport, family: Family, piece: RemovedKind) -> Option<RemovalMeans> {
    let mut pieces = report.pieces.iter();
    let found = pieces.find(|each| {
        each.family == family && each.piece == piece && each.place == PiecePlace::Anywhere
    });
    found.map(|found| found.loss)
}

/// Returns the share of moves of a category.
fn share(family: &FamilyReport, category: MoveCategory) -> f64 {
    let found = family.moves_by_category.iter().find(|each| each.category == category);
    found.map_or(0.0, |found| found.share)
}

/// Writes the head of a table with a column for each family.
fn table_head(text: &mut String, report: &StatisticsReport) {
    let names: Vec<&str> = report.families.iter().map(|family| family.family.name()).collect();
    let _ = writeln!(text, "| | {} |", names.join(" | "));
    let _ = writeln!(text, "|---|{}", "--:|".repeat(names.len()));
}

/// Writes a row of a table with a column for each family.
fn row(
    text: &mut String,
    report: &StatisticsReport,
    name: &str,
    figure: impl Fn(&FamilyReport) -> String,
) {
    let figures: Vec<String> = report.families.iter().map(figure).collect();
    let _ = writeln!(text, "| {name} | {} |", figures.join(" | "));
}

/// Writes a row of a table of values.
fn value_row(text: &mut String, names: &[&str], loss: &RemovalMeans) {
    let RemovalMeans { cents, winning_chance, forced_losses } = loss;
    let _ = writeln!(
        text,
        "| {} | {:.0} ± {:.0} | {} | {} % | {} |",
        names.join(" | "),
        cents.mean,
        cents.error,
        percent_mean(*winning_chance),
        percent(*forced_losses, 1),
        count(winning_chance.count)
    );
}

/// Writes a share in percent.
fn percent(share: f64, digits: usize) -> String {
    format!("{:.digits$}", 100.0 * share)
}

/// Writes a mean share and its error in percent.
fn percent_mean(mean: Mean) -> String {
    format!("{} ± {}", percent(mean.mean, 1), percent(mean.error, 1))
}

/// Breaks the lines of paragraphs and list items at [`LINE_WIDTH`]. Headings, tables and code stay as
/// they are.
fn wrap(markdown: &str) -> String {
    let mut wrapped = String::new();
    let mut is_code = false;
    // The width of the current line, if it belongs to a paragraph or an item, and its indentation.
    let mut open: Option<(usize, &str)> = None;
    for line in markdown.lines() {
        let is_fence = line.starts_with("```");
        if is_code || is_fence || line.is_empty() || line.starts_with(['|', '#']) {
            if open.take().is_some() {
                wrapped.push('\n');
            }
            wrapped.push_str(line);
            wrapped.push('\n');
            is_code ^= is_fence;
            continue;
        }
        let is_item = line.starts_with("- ");
        if is_item && open.take().is_some() {
            wrapped.push('\n');
        }
        for word in line.split_whitespace() {
            let length = word.chars().count();
            let (width, indentation) = open.unwrap_or((0, if is_item { "  " } else { "" }));
            open = Some(if width == 0 {
                wrapped.push_str(word);
                (length, indentation)
            } else if width + 1 + length <= LINE_WIDTH {
                wrapped.push(' ');
                wrapped.push_str(word);
                (width + 1 + length, indentation)
            } else {
                wrapped.push('\n');
                wrapped.push_str(indentation);
                wrapped.push_str(word);
                (indentation.len() + length, indentation)
            });
        }
    }
    if open.is_some() {
        wrapped.push('\n');
    }
    wrapped
}

/// Writes a number with a comma for every three digits.
fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_and_items_are_wrapped() {
        let word = "eleven-char";
        let words = |count: usize| vec![word; count].join(" ");
        let table = format!("| {} |", words(20));
        let code = format!("```sh\n{}\n```", words(20));
        let text = format!(
            "# {0}\n\n{0}\n{1}\n\n{table}\n\n- {0}\n  {1}\n- x\n\n{code}\n",
            words(15),
            words(4)
        );
        let expected = format!(
            "# {}\n\n{2}\n{1}\n\n{table}\n\n- {1}\n  {1}\n  {word}\n- x\n\n{code}\n",
            words(15),
            words(9),
            words(10)
        );
        assert_eq!(wrap(&text), expected);
    }

    #[test]
    fn numbers_have_commas() {
        let written = [0, 12, 999, 1_000, 20_000, 1_234_567].map(count);
        assert_eq!(written, ["0", "12", "999", "1,000", "20,000", "1,234,567"]);
    }
}
