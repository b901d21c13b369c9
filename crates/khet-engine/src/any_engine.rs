//! One engine for games with and without a tower, for programs that play both.

use std::sync::Arc;

use khet::AnyPosition;
use khet::tower::Square;

use crate::{
    BestMove, Control, Engine, GameEngine, Info, Level, Limits, Network, Options, SearchRoot, tower,
};

/// An engine for games with and without a tower.
///
/// Each game has its own search. Only that of the last game is in memory, with one transposition
/// table, and it is created for the first search.
///
/// ```
/// use khet::{AnyPosition, Game};
/// use khet_engine::{AnyEngine, Limits, Options, SearchRoot};
///
/// let mut engine = AnyEngine::new(Options::default());
/// for setup in ["classic", "orontes"] {
///     let game: Game<AnyPosition> = Game::new(setup.parse()?);
///     let limits = Limits { depth: Some(2), ..Limits::default() };
///     let best = engine.search_to_limits(&SearchRoot::new(&game), limits);
///     assert!(best.mv.is_some());
/// }
/// # Ok::<_, khet::ParseAnyPositionError>(())
/// ```
pub struct AnyEngine {
    options: Options,
    network: Arc<Network>,
    /// At most one of the two engines exists.
    standard: Option<Engine>,
    tower: Option<tower::Engine>,
}

impl std::fmt::Debug for AnyEngine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AnyEngine").field("options", &self.options).finish_non_exhaustive()
    }
}

/// The engine for a position, with the position and its moves as those of its game.
enum PreparedSearch<'a> {
    Standard(&'a mut Engine, SearchRoot),
    Tower(&'a mut tower::Engine, SearchRoot<khet::tower::Position>),
}

impl AnyEngine {
    /// Creates an engine with the built-in network.
    pub fn new(options: Options) -> AnyEngine {
        AnyEngine::with_network(options, Network::built_in())
    }

    /// Creates an engine with another network, which evaluates positions without a tower.
    pub fn with_network(options: Options, network: Arc<Network>) -> AnyEngine {
        AnyEngine { options, network, standard: None, tower: None }
    }

    /// Returns the options.
    pub fn options(&self) -> Options {
        self.options
    }

    /// Changes the options. Another hash size clears the transposition table.
    pub fn set_options(&mut self, options: Options) {
        self.options = options;
        if let Some(engine) = &mut self.standard {
            engine.set_options(options);
        }
        if let Some(engine) = &mut self.tower {
            engine.set_options(options);
        }
    }

    /// Replaces the network; see [`Engine::set_network`].
    pub fn set_network(&mut self, network: Arc<Network>) {
        if let Some(engine) = &mut self.standard {
            engine.set_network(Arc::clone(&network));
        }
        self.network = network;
    }

    /// Clears the transposition table and the history, for a new game.
    pub fn clear(&mut self) {
        if let Some(engine) = &mut self.standard {
            engine.clear();
        }
        if let Some(engine) = &mut self.tower {
            engine.clear();
        }
    }

    /// Creates the engine for the game of a position, unless it exists, so that the first search
    /// does not have to.
    pub fn load(&mut self, position: &AnyPosition) {
        match position {
            AnyPosition::Standard(_) => {
                self.standard();
            }
            AnyPosition::Tower(_) => {
                self.tower();
            }
        }
    }

    fn standard(&mut self) -> &mut Engine {
        self.tower = None;
        let (options, network) = (self.options, &self.network);
        self.standard.get_or_insert_with(|| Engine::with_network(options, Arc::clone(network)))
    }

    fn tower(&mut self) -> &mut tower::Engine {
        self.standard = None;
        let options = self.options;
        self.tower.get_or_insert_with(|| tower::Engine::new(options))
    }

    fn prepare(&mut self, search_root: &SearchRoot<AnyPosition>) -> PreparedSearch<'_> {
        match *search_root.position() {
            AnyPosition::Standard(position) => {
                let moves = search_root.moves().iter().filter_map(|mv| mv.without_tower());
                let search_root = search_root.with_position(position, moves.collect());
                PreparedSearch::Standard(self.standard(), search_root)
            }
            AnyPosition::Tower(position) => {
                let search_root = search_root.with_position(position, search_root.moves().to_vec());
                PreparedSearch::Tower(self.tower(), search_root)
            }
        }
    }

    /// Searches until a limit is reached or the control stops it. Calls `report` with every
    /// principal variation of each iteration.
    pub fn search(
        &mut self,
        search_root: &SearchRoot<AnyPosition>,
        limits: Limits,
        control: Control<'_>,
        report: &mut dyn FnMut(&Info<Square>),
    ) -> BestMove<Square> {
        match self.prepare(search_root) {
            PreparedSearch::Standard(engine, search_root) => {
                let mut report_any = |info: &Info| report(&info.clone().into());
                engine.search(&search_root, limits, control, &mut report_any).into()
            }
            PreparedSearch::Tower(engine, search_root) => {
                engine.search(&search_root, limits, control, report)
            }
        }
    }

    /// Searches until a limit is reached, without a way to stop it earlier. Time limits are not
    /// supported.
    pub fn search_to_limits(
        &mut self,
        search_root: &SearchRoot<AnyPosition>,
        limits: Limits,
    ) -> BestMove<Square> {
        match self.prepare(search_root) {
            PreparedSearch::Standard(engine, search_root) => {
                engine.search_to_limits(&search_root, limits).into()
            }
            PreparedSearch::Tower(engine, search_root) => {
                engine.search_to_limits(&search_root, limits)
            }
        }
    }
}

impl GameEngine for AnyEngine {
    type Square = Square;
    type Position = AnyPosition;

    fn search(
        &mut self,
        search_root: &SearchRoot<AnyPosition>,
        limits: Limits,
        control: Control<'_>,
        report: &mut dyn FnMut(&Info<Square>),
    ) -> BestMove<Square> {
        self.search(search_root, limits, control, report)
    }
}

impl Level {
    /// Chooses a move in a game with or without a tower; otherwise like [`Level::choose_move`].
    pub fn choose_any_move(
        self,
        engine: &mut AnyEngine,
        search_root: &SearchRoot<AnyPosition>,
        limits: Limits,
        seed: u64,
        control: Control<'_>,
    ) -> BestMove<Square> {
        match engine.prepare(search_root) {
            PreparedSearch::Standard(engine, search_root) => {
                self.choose_move(engine, &search_root, limits, seed, control).into()
            }
            PreparedSearch::Tower(engine, search_root) => {
                self.choose_tower_move(engine, &search_root, limits, seed, control)
            }
        }
    }
}

impl From<Info> for Info<Square> {
    fn from(info: Info) -> Info<Square> {
        let Info { depth, seldepth, multi_pv, score, nodes, hash_full, time, pv } = info;
        let pv = pv.into_iter().map(Into::into).collect();
        Info { depth, seldepth, multi_pv, score, nodes, hash_full, time, pv }
    }
}

impl From<BestMove> for BestMove<Square> {
    fn from(best: BestMove) -> BestMove<Square> {
        let BestMove { mv, ponder, score, nodes } = best;
        BestMove { mv: mv.map(Into::into), ponder: ponder.map(Into::into), score, nodes }
    }
}
