//! The figures of the page, computed from the games.

use std::collections::BTreeMap;
use std::error::Error;

use khet::{Corner, Game, Role, Setup};
use serde::Serialize;

use super::family::Family;
use super::figures::{GameFigures, MoveCategory, PHASE_ENDS, Tally};
use super::games_file::GamesHeader;
use super::removal_loss::{Mean, PiecePlace, RemovalLoss, RemovalTable, RemovedKind};
use super::self_player::SelfPlayGame;

/// All figures.
#[derive(Clone, Debug, Serialize)]
pub(super) struct StatisticsReport {
    pub(super) nodes: u64,
    pub(super) seed: u64,
    /// The hash of the network, in hexadecimal digits.
    pub(super) network: String,
    pub(super) network_description: String,
    pub(super) signature: u64,
    pub(super) setups: Vec<ResultReport>,
    pub(super) families: Vec<FamilyReport>,
    pub(super) pieces: Vec<PieceValueReport>,
    pub(super) pyramid_orientations: Vec<OrientationReport>,
}

/// Results and lengths of the games of a setup.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ResultReport {
    pub(super) setup: String,
    pub(super) games: u64,
    pub(super) distinct_games: u64,
    pub(super) first_player_wins: u64,
    pub(super) draws: u64,
    pub(super) first_player_losses: u64,
    /// The score of the first player, as a share.
    pub(super) score: Mean,
    /// Number of moves of both sides.
    pub(super) length: LengthReport,
}

/// The distribution of lengths of games.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct LengthReport {
    pub(super) shortest: u64,
    pub(super) lower_quartile: u64,
    pub(super) median: u64,
    pub(super) upper_quartile: u64,
    pub(super) longest: u64,
}

/// Shots, moves and terminations of the games of a family.
#[derive(Clone, Debug, Serialize)]
pub(super) struct FamilyReport {
    pub(super) family: Family,
    pub(super) games: u64,
    /// Shares of the games.
    pub(super) terminations: BTreeMap<String, f64>,
    pub(super) own_shot_losses: f64,
    /// Per game.
    pub(super) hits_on_opponent: f64,
    pub(super) hits_on_own: f64,
    /// Shares of the shots.
    pub(super) shots_at_opponent: f64,
    pub(super) shots_at_own: f64,
    /// Hits per game by the role of the piece.
    pub(super) hits_by_role: BTreeMap<String, f64>,
    /// Per shot.
    pub(super) reflections: f64,
    pub(super) most_reflections: u64,
    pub(super) squares: f64,
    pub(super) most_squares: u64,
    pub(super) legal_moves: Vec<PhaseReport>,
    pub(super) mean_legal_moves: f64,
    pub(super) most_legal_moves: u64,
    /// Shares of the moves.
    pub(super) moves_by_category: Vec<MoveCategoryReport>,
}

/// The mean number of legal moves in a phase of the game.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct PhaseReport {
    /// The first and the last move of the phase; the last phase has no end.
    pub(super) first_move: usize,
    pub(super) last_move: Option<usize>,
    pub(super) positions: u64,
    pub(super) legal_moves: f64,
}

/// The share of moves of a category.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct MoveCategoryReport {
    pub(super) category: MoveCategory,
    pub(super) share: f64,
}

/// The value of a piece in a place.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct PieceValueReport {
    pub(super) family: Family,
    pub(super) piece: RemovedKind,
    pub(super) place: PiecePlace,
    #[serde(flatten)]
    pub(super) loss: RemovalMeans,
}

/// The value of pyramids by orientation.
#[derive(Clone, Debug, Serialize)]
pub(super) struct OrientationReport {
    /// The directions that the mirror faces, seen by the owner, who sits in the south.
    pub(super) faces: &'static str,
    #[serde(flatten)]
    pub(super) loss: RemovalMeans,
}

/// What the owner of a removed piece loses.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct RemovalMeans {
    /// In hundredths of a pyramid.
    pub(super) cents: Mean,
    /// As a share.
    pub(super) winning_chance: Mean,
    /// The share of positions that are lost by force without the piece.
    pub(super) forced_losses: f64,
}

impl StatisticsReport {
    /// Computes all figures. Fails if a game breaks the rules.
    pub(super) fn new(
        games: &[SelfPlayGame],
        header: GamesHeader,
        network_description: &str,
    ) -> Result<StatisticsReport, Box<dyn Error>> {
        let mut setups: BTreeMap<Setup, GameFigures> = BTreeMap::new();
        let mut families: BTreeMap<Family, GameFigures> = BTreeMap::new();
        let mut removal_table = RemovalTable::default();
        for played in games {
            let family = Family::of(played.setup);
            let failed = |problem: &dyn std::fmt::Display| {
                format!("{} {}: {problem}", played.setup, played.number)
            };
            setups.entry(played.setup).or_default().add(played).map_err(|e| failed(&e))?;
            families.entry(family).or_default().add(played).map_err(|e| failed(&e))?;
            let mut game = Game::new(played.setup.position());
            for &mv in &played.moves {
                game.play(mv)?;
            }
            for removal in &played.removals {
                let position = game.positions().get(removal.ply);
                position
                    .and_then(|position| removal_table.add(family, position, removal))
                    .ok_or_else(|| failed(&format_args!("no piece on {}", removal.square)))?;
            }
        }
        Ok(StatisticsReport {
            nodes: header.nodes,
            seed: header.seed,
            network: format!("{:016x}", header.network),
            network_description: network_description.to_owned(),
            signature: header.signature,
            setups: setups.iter().map(|(setup, figures)| result(*setup, figures)).collect(),
            families: families.iter().map(|(family, figures)| shots(*family, figures)).collect(),
            pieces: removal_table
                .kinds
                .iter()
                .map(|(&(family, piece, place), loss)| PieceValueReport {
                    family,
                    piece,
                    place,
                    loss: means(loss),
                })
                .collect(),
            pyramid_orientations: removal_table
                .orientations
                .iter()
                .map(|(&corner, loss)| OrientationReport {
                    faces: faces(corner),
                    loss: means(loss),
                })
                .collect(),
        })
    }

    /// Returns the number of all games.
    pub(super) fn games(&self) -> u64 {
        self.setups.iter().map(|setup| setup.games).sum()
    }
}

/// Returns the directions that a pyramid's mirror faces, as its owner sees them.
fn faces(corner: Corner) -> &'static str {
    match corner {
        Corner::NorthEast => "forward and right",
        Corner::SouthEast => "back and right",
        Corner::SouthWest => "back and left",
        Corner::NorthWest => "forward and left",
    }
}

fn means(loss: &RemovalLoss) -> RemovalMeans {
    RemovalMeans {
        cents: loss.cents(),
        winning_chance: loss.chance(),
        forced_losses: loss.forced_losses(),
    }
}

fn result(setup: Setup, figures: &GameFigures) -> ResultReport {
    let (wins, draws) = (figures.silver_wins, figures.draws);
    ResultReport {
        setup: setup.to_string(),
        games: figures.games(),
        distinct_games: figures.distinct_games(),
        first_player_wins: wins,
        draws,
        first_player_losses: figures.red_wins,
        score: first_player_score(figures),
        length: length(&figures.lengths),
    }
}

/// Returns the score of the first player. Games with the same moves are one sample of a larger
/// weight, not several samples.
fn first_player_score(figures: &GameFigures) -> Mean {
    let count = figures.games();
    let number = count.max(1) as f64;
    let mean = (figures.silver_wins as f64 + figures.draws as f64 / 2.0) / number;
    let deviations = figures.distinct.values().map(|game| game.count as f64 * (game.score - mean));
    let squares: f64 = deviations.map(|deviation| deviation * deviation).sum();
    Mean { mean, error: 1.96 * squares.sqrt() / number, count }
}

/// Returns the quartiles by the nearest rank.
fn length(lengths: &[u64]) -> LengthReport {
    let mut lengths = lengths.to_vec();
    lengths.sort_unstable();
    let rank = |part: usize| {
        let last = lengths.len().saturating_sub(1);
        lengths.get((last * part + 2) / 4).copied().unwrap_or(0)
    };
    LengthReport {
        shortest: rank(0),
        lower_quartile: rank(1),
        median: rank(2),
        upper_quartile: rank(3),
        longest: rank(4),
    }
}

fn shots(family: Family, figures: &GameFigures) -> FamilyReport {
    let per_game = |count: u64| count as f64 / figures.games().max(1) as f64;
    let per_shot = |count: u64| count as f64 / figures.shots().max(1) as f64;
    let phases = figures.legal_moves.iter().enumerate().map(|(phase, tally)| PhaseReport {
        first_move: if phase == 0 { 1 } else { PHASE_ENDS[phase - 1] + 1 },
        last_move: PHASE_ENDS.get(phase).copied(),
        positions: tally.count,
        legal_moves: tally.mean(),
    });
    let all = figures.legal_moves.iter().fold(Tally::default(), |all, tally| Tally {
        sum: all.sum + tally.sum,
        count: all.count + tally.count,
    });
    let hit = Role::ALL.into_iter().filter(|&role| figures.hits_by_role[role as usize] > 0);
    let terminations = figures.terminations.iter();
    FamilyReport {
        family,
        games: figures.games(),
        terminations: terminations.map(|(each, &n)| (each.to_string(), per_game(n))).collect(),
        own_shot_losses: per_game(figures.own_shot_losses),
        hits_on_opponent: per_game(figures.hits_on_opponent),
        hits_on_own: per_game(figures.hits_on_own),
        shots_at_opponent: per_shot(figures.shots_at_opponent),
        shots_at_own: per_shot(figures.shots_at_own),
        hits_by_role: hit
            .map(|role| (role.to_string(), per_game(figures.hits_by_role[role as usize])))
            .collect(),
        reflections: figures.reflections.mean(),
        most_reflections: figures.most_reflections,
        squares: figures.squares.mean(),
        most_squares: figures.most_squares,
        legal_moves: phases.collect(),
        mean_legal_moves: all.mean(),
        most_legal_moves: figures.most_legal_moves,
        moves_by_category: MoveCategory::ALL
            .into_iter()
            .map(|category| MoveCategoryReport {
                category,
                share: per_shot(figures.moves_by_category[category as usize]),
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use khet::Rotation::Clockwise;
    use khet::{Move, Square};

    use super::super::figures::DistinctGame;
    use super::*;

    #[test]
    fn quartiles_of_lengths() {
        let LengthReport { shortest, lower_quartile, median, upper_quartile, longest } =
            length(&[9, 1, 5, 3, 7]);
        assert_eq!([shortest, lower_quartile, median, upper_quartile, longest], [1, 3, 5, 7, 9]);
        assert_eq!(length(&[4]).median, 4);
        assert_eq!(length(&[]).longest, 0);
    }

    #[test]
    fn score_of_the_first_player_has_its_error() {
        // Of 100 games, 25 differ, and each of these was played four times.
        let moves = Square::all().map(|square| Move::Rotate { square, rotation: Clockwise });
        let scores = [1.0; 10].into_iter().chain([0.5; 10]).chain([0.0; 5]);
        let games = moves.zip(scores);
        let distinct = games.map(|(mv, score)| (vec![mv], DistinctGame { count: 4, score }));
        let figures = GameFigures {
            silver_wins: 40,
            draws: 40,
            red_wins: 20,
            lengths: vec![1; 100],
            distinct: distinct.collect(),
            ..GameFigures::default()
        };
        let score = result(Setup::Classic, &figures).score;
        assert!((score.mean - 0.6).abs() < 1e-9);
        // The variance of one game is 0.4 + 0.4 / 4 − 0.6².
        assert!((score.error - 1.96 * (0.14_f64 / 25.0).sqrt()).abs() < 1e-9);
    }
}
