//! A table of players over many games: their accuracy and how often they err.

use std::collections::BTreeMap;

use khet::{AnyPosition, Record};
use khet_review::{PlayerSummary, Review};

use crate::output::{Output, Problem};

/// The summaries of all games, by the name of the player.
#[derive(Default)]
pub(super) struct PlayerTable {
    players: BTreeMap<String, Vec<PlayerSummary>>,
}

impl PlayerTable {
    /// Adds both players of a game. A player without a judged move is left out.
    pub(super) fn add(&mut self, record: &Record<AnyPosition>, review: &Review<AnyPosition>) {
        let players = &review.players;
        for (tag, summary) in [("Silver", players.silver), ("Red", players.red)] {
            if summary.moves > 0 {
                let name = record.tag(tag).unwrap_or(tag).to_string();
                self.players.entry(name).or_default().push(summary);
            }
        }
    }

    /// Writes a line for each player.
    pub(super) fn write(&self, output: &mut Output) -> Result<(), Problem> {
        let widest = self.players.keys().map(|name| name.chars().count()).max().unwrap_or(0);
        let width = widest.max("player".len());
        output.line(format!(
            "{:<width$}  games  moves  ?!/100  ?/100  ??/100  accuracy  middle half",
            "player"
        ))?;
        let lines = self.players.iter().map(|(name, games)| player_line(name, width, games));
        lines.into_iter().try_for_each(|line| output.line(line))
    }
}

/// Returns the line of a player: marks per hundred moves, the median accuracy and its quartiles.
fn player_line(name: &str, width: usize, games: &[PlayerSummary]) -> String {
    let moves: u32 = games.iter().map(|game| game.moves).sum();
    let rate = |count: fn(&PlayerSummary) -> u32| {
        100.0 * f64::from(games.iter().map(count).sum::<u32>()) / f64::from(moves)
    };
    let [inaccuracies, mistakes, blunders] =
        [rate(|game| game.inaccuracies), rate(|game| game.mistakes), rate(|game| game.blunders)];
    let mut accuracies: Vec<f64> = games.iter().filter_map(|game| game.accuracy).collect();
    accuracies.sort_by(f64::total_cmp);
    let [low, median, high] = [1, 2, 3].map(|quarter| quartile(&accuracies, quarter));
    let games = games.len();
    format!(
        "{name:<width$}  {games:>5}  {moves:>5}  {inaccuracies:>6.1}  {mistakes:>5.1}  \
         {blunders:>6.1}  {median:>6.1} %  {low:.1}–{high:.1}"
    )
}

/// Returns the first, second or third quartile of sorted numbers.
fn quartile(sorted: &[f64], quarter: usize) -> f64 {
    let index = (sorted.len().saturating_sub(1) * quarter + 2) / 4;
    sorted.get(index).copied().unwrap_or(0.0)
}
