//! The searches with their default parts, for any game of perfect information by name, and for games that have views: what
//! a game's own bot is to be compared with, and a start for a new game.

use crate::client_seat::ClientSeat;
use crate::parameters::{ParameterError, Parameters};
use crate::search_player::{DecisionsLeft, SearchPlayer};
use crate::seat::Seat;
use crate::time_plan::TimePlan;
use alloc::boxed::Box;
use games::Client;
use mcts_core::{
    Game, GraphUct, HiddenInformation, InformationSets, IsMcts, Parts, Pimc, Pomcp, Search, Ucb1,
    Uct,
};

/// A client, and how its player uses the clock.
#[derive(Debug, Clone, Copy)]
pub struct Table<C: Client> {
    /// The protocol of the game.
    pub client: C,
    /// The clock.
    pub plan: TimePlan,
    /// How many decisions are still to come.
    pub decisions_left: DecisionsLeft<C::Position>,
}

/// A seat, or what is wrong with its parameters.
type Built = Result<Box<dyn Seat>, ParameterError>;

fn uct_parts(parameters: &mut Parameters) -> Result<Uct, ParameterError> {
    let exploration = parameters.number("exploration", 0.7, (0.0, 10.0))?;
    let selection = Ucb1 { exploration, ..Ucb1::default() };
    Ok(Uct { selection, memory_cap_bytes: 128 << 20, ..Uct::default() })
}

/// Plain UCT; takes `exploration` and what a [`SearchPlayer`] takes.
///
/// # Errors
/// [`ParameterError`] if a parameter does not fit.
pub fn uct<G, C>(table: Table<C>, parameters: &mut Parameters) -> Built
where
    G: Game<State: Send> + Clone + PartialEq + Send + 'static,
    G::Action: Send,
    C: Client<Game = G, Position = G::State, Action = G::Action> + 'static,
{
    let parts = uct_parts(parameters)?;
    seat(table, parts, parameters)
}

/// UCT on a graph, where states that are reached by several ways share statistics.
///
/// # Errors
/// [`ParameterError`] if a parameter does not fit.
pub fn graph<G, C>(table: Table<C>, parameters: &mut Parameters) -> Built
where
    G: Game<State: Send> + Clone + PartialEq + Send + 'static,
    G::Action: Send,
    C: Client<Game = G, Position = G::State, Action = G::Action> + 'static,
{
    let Uct { selection, memory_cap_bytes, .. } = uct_parts(parameters)?;
    let parts: GraphUct = GraphUct { selection, memory_cap_bytes, ..GraphUct::default() };
    seat(table, parts, parameters)
}

/// Plain UCT on `threads` threads that share one tree on a fixed schedule: equal seeds and playouts play alike.
///
/// # Errors
/// [`ParameterError`] if a parameter does not fit.
#[cfg(feature = "std")]
pub fn pipeline<G, C>(table: Table<C>, parameters: &mut Parameters) -> Built
where
    G: Game<State: Send, Action: Send> + Clone + PartialEq + Send + 'static,
    C: Client<Game = G, Position = G::State, Action = G::Action> + 'static,
{
    let uct = uct_parts(parameters)?;
    let threads = threads(parameters)?;
    let default = mcts_core::PipelineParallel::default();
    seat(table, mcts_core::PipelineParallel { uct, threads, ..default }, parameters)
}

/// Plain UCT on `threads` threads that share one tree as they come.
///
/// # Errors
/// [`ParameterError`] if a parameter does not fit.
#[cfg(feature = "std")]
pub fn tree_parallel<G, C>(table: Table<C>, parameters: &mut Parameters) -> Built
where
    G: Game<State: Send, Action: Send> + Clone + PartialEq + Send + 'static,
    C: Client<Game = G, Position = G::State, Action = G::Action> + 'static,
{
    let uct = uct_parts(parameters)?;
    let threads = threads(parameters)?;
    let parts = mcts_core::TreeParallel { uct, threads, ..mcts_core::TreeParallel::default() };
    seat(table, parts, parameters)
}

/// Plain UCT on `threads` threads with a tree each; `memory` is that of each tree.
///
/// # Errors
/// [`ParameterError`] if a parameter does not fit.
#[cfg(feature = "std")]
pub fn root_parallel<G, C>(table: Table<C>, parameters: &mut Parameters) -> Built
where
    G: Game<State: Send + Sync, Action: Send> + Clone + PartialEq + Send + 'static,
    C: Client<Game = G, Position = G::State, Action = G::Action> + 'static,
{
    let uct = uct_parts(parameters)?;
    let threads = threads(parameters)?;
    seat(table, mcts_core::RootParallel { uct, threads }, parameters)
}

#[cfg(feature = "std")]
fn threads(parameters: &mut Parameters) -> Result<core::num::NonZero<usize>, ParameterError> {
    let threads = parameters.whole("threads", 2, (1, 256))?;
    Ok(core::num::NonZero::new(threads).unwrap_or(core::num::NonZero::<usize>::MIN))
}

/// ISMCTS for games that have views: one tree per player, whose nodes are views of that player.
///
/// # Errors
/// [`ParameterError`] if a parameter does not fit.
pub fn is_mcts<G, C>(table: Table<C>, parameters: &mut Parameters) -> Built
where
    G: InformationSets<State: Send, Action: Send, View: Send> + Clone + PartialEq + Send + 'static,
    C: Client<Game = G, Position = G::View, Action = G::Action> + 'static,
{
    let parts = IsMcts { memory_cap_bytes: 128 << 20, ..IsMcts::default() };
    seat(table, parts, parameters)
}

/// PIMC for games that have views: UCT in `worlds` determinizations as if nothing were hidden; takes `exploration`, too.
///
/// # Errors
/// [`ParameterError`] if a parameter does not fit.
pub fn pimc<G, C>(table: Table<C>, parameters: &mut Parameters) -> Built
where
    G: HiddenInformation<State: Send, Action: Send, View: Send>
        + Clone
        + PartialEq
        + Send
        + 'static,
    C: Client<Game = G, Position = G::View, Action = G::Action> + 'static,
{
    let uct = Uct { solver: false, ..uct_parts(parameters)? };
    let worlds = parameters.whole("worlds", 20_u32, (1, 10_000))?;
    seat(table, Pimc { worlds, ..Pimc::new(uct) }, parameters)
}

/// POMCP for games that have views: one tree over what its own player does and sees, against players who act at random.
///
/// # Errors
/// [`ParameterError`] if a parameter does not fit.
pub fn pomcp<G, C>(table: Table<C>, parameters: &mut Parameters) -> Built
where
    G: InformationSets<State: Send, Action: Send, View: Send, Observation: Send>
        + Clone
        + PartialEq
        + Send
        + 'static,
    C: Client<Game = G, Position = G::View, Action = G::Action> + 'static,
{
    let parts = Pomcp { memory_cap_bytes: 128 << 20, ..Pomcp::default() };
    seat(table, parts, parameters)
}

/// A seat where a search with these parts decides.
///
/// # Errors
/// [`ParameterError`] if a parameter does not fit.
pub fn seat<C, P>(table: Table<C>, parts: P, parameters: &mut Parameters) -> Built
where
    C: Client + 'static,
    C::Game: Clone + PartialEq + Send + 'static,
    C::Action: Copy + PartialEq + core::fmt::Debug,
    C::Position: Clone + PartialEq + Send + 'static,
    P: Parts<C::Game> + 'static,
    P::Search: Search<Position = C::Position, Action = C::Action> + Send + 'static,
{
    let Table { client, plan, decisions_left } = table;
    let player = SearchPlayer::<C::Game, P>::new(parts, plan, decisions_left, parameters)?;
    Ok(Box::new(ClientSeat::new(client, player)))
}

/// [`BotEntry`](crate::BotEntry)s of the plain searches for the game `$game`, whose tables `$table` makes.
macro_rules! plain_bots {
    ($game:expr, $table:expr) => {
        &[
            $crate::registry::BotEntry {
                game: $game,
                name: "uct",
                summary: "plain UCT",
                build: |parameters| $crate::plain::uct($table, parameters),
            },
            $crate::registry::BotEntry {
                game: $game,
                name: "graph",
                summary: "UCT on a graph of states",
                build: |parameters| $crate::plain::graph($table, parameters),
            },
            #[cfg(feature = "std")]
            $crate::registry::BotEntry {
                game: $game,
                name: "pipeline",
                summary: "UCT, threads that share a tree on a fixed schedule",
                build: |parameters| $crate::plain::pipeline($table, parameters),
            },
            #[cfg(feature = "std")]
            $crate::registry::BotEntry {
                game: $game,
                name: "tree-parallel",
                summary: "UCT, threads that share a tree as they come",
                build: |parameters| $crate::plain::tree_parallel($table, parameters),
            },
            #[cfg(feature = "std")]
            $crate::registry::BotEntry {
                game: $game,
                name: "root-parallel",
                summary: "UCT, a tree for each thread",
                build: |parameters| $crate::plain::root_parallel($table, parameters),
            },
        ]
    };
}
pub(crate) use plain_bots;
