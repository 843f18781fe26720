//! Decoupled search: players who move simultaneously, each with her own statistics.

use super::decisions::{self, Decisions, Here};
use super::{BranchStats, Choice, NodeRef, RootStats, Search};
use crate::evaluation::{Evaluator, Rollout};
use crate::final_action::FinalAction;
use crate::game::{Game, Player, Simultaneous, Turn};
use crate::report::{Reuse, SearchError, Strategy};
use crate::rng::{self, SearchRng};
use crate::selection::Bandit;
use crate::trace::Untraced;
use alloc::vec::Vec;

/// The parts of a decoupled search; [`Decoupled::search`] creates the search.
///
/// A node is a moment, with separate statistics for each player who acts in it; the other players
/// are treated as part of the environment (Finnsson and Bjornsson, 2008; variants compared by Tak,
/// Lanctot and Winands, 2014). With UCB1 this is decoupled UCT, which need not converge to an
/// equilibrium (Shafiei, Sturtevant and Schaeffer, 2009); with regret matching the average
/// strategies do in two-player zero-sum games (Lisy, Kovarik, Lanctot and Bosansky, 2013).
///
/// ```
/// # use mcts_core::{Game, Player, Simultaneous, Turn, Utilities};
/// # struct Pennies;
/// # impl Game for Pennies {
/// #     type State = Vec<bool>;
/// #     type Action = bool;
/// #     fn start(&self) -> Vec<bool> { Vec::new() }
/// #     fn turn(&self, coins: &Vec<bool>) -> Turn {
/// #         match coins[..] {
/// #             [one, other] => Turn::Over(Utilities::zero_sum(if one == other { 1.0 } else { -1.0 })),
/// #             _ => Turn::Player(Player(coins.len() as u8)),
/// #         }
/// #     }
/// #     fn actions(&self, _: &Vec<bool>, visit: impl FnMut(bool)) { [true, false].into_iter().for_each(visit) }
/// #     fn apply(&self, coins: &mut Vec<bool>, heads: bool) { coins.push(heads) }
/// # }
/// # impl Simultaneous for Pennies {
/// #     fn is_same_moment(&self, coins: &Vec<bool>) -> bool { coins.len() == 1 }
/// # }
/// use mcts_core::{Budget, Decoupled, NoClock, Search};
///
/// // matching pennies: heads half of the time
/// let mut search = Decoupled::default().search(Pennies, 1);
/// search.run_with_clock(&Pennies.start(), &Budget::playouts(20_000), &NoClock)?;
/// let strategy = search.strategy(Player::FIRST).expect("both players choose");
/// assert!((strategy.probability(true) - 0.5).abs() < 0.1);
/// # Ok::<(), mcts_core::SearchError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Decoupled<E = Rollout> {
    /// The bandit rule of each player.
    pub rule: Bandit,
    /// The evaluator of leaves.
    pub evaluator: E,
    /// The rule for the best action of a report; to play well, sample from
    /// [`DecoupledSearch::strategy`].
    pub final_action: FinalAction,
    /// Memory cap of the moments; when it is reached, playouts continue without new ones. A search
    /// that finds it more than half used starts afresh.
    pub memory_cap_bytes: usize,
}

impl Default for Decoupled {
    /// Regret matching and 256 MiB.
    fn default() -> Self {
        Decoupled {
            rule: Bandit::REGRET_MATCHING,
            evaluator: Rollout::default(),
            final_action: FinalAction::default(),
            memory_cap_bytes: 256 << 20,
        }
    }
}

impl<E> Decoupled<E> {
    /// The same parts except the evaluator.
    #[must_use]
    pub fn with_evaluator<F>(self, evaluator: F) -> Decoupled<F> {
        let Decoupled { rule, final_action, memory_cap_bytes, .. } = self;
        Decoupled { rule, evaluator, final_action, memory_cap_bytes }
    }

    /// A search of `game` with these parts. Equal seeds, states and playout budgets give equal reports.
    pub fn search<G>(self, game: G, seed: u64) -> DecoupledSearch<G, E>
    where
        G: Simultaneous,
        E: Evaluator<G>,
    {
        DecoupledSearch {
            decisions: Decisions::with_cap(self.memory_cap_bytes),
            root: 0,
            searcher: Player::FIRST,
            tree_rng: rng::stream(seed, 0),
            leaf_rng: rng::stream(seed, 1),
            game,
            parts: self,
        }
    }
}

/// A decoupled search of one game. If the game has a [`Game::hash`], equal moments share
/// statistics, which are kept between moves.
#[derive(Debug)]
pub struct DecoupledSearch<G: Game, E = Rollout> {
    game: G,
    parts: Decoupled<E>,
    decisions: Decisions<G::Action>,
    /// The moment at the root, and the player of the report.
    root: u64,
    searcher: Player,
    tree_rng: SearchRng,
    leaf_rng: SearchRng,
}

impl<G: Simultaneous, E: Evaluator<G>> DecoupledSearch<G, E> {
    /// The strategy of `player` in the moment that was searched last; `None` if she does not act in
    /// it, or no playout reached her.
    pub fn strategy(&self, player: Player) -> Option<Strategy<G::Action>> {
        self.decisions.strategy(&self.parts.rule, key(self.root, player))
    }

    fn playout(&mut self, mut state: G::State) {
        self.decisions.begin();
        // the history so far, and the history at the start of the moment
        let mut history = self.root;
        let mut moment = self.root;
        let mut is_root = true;
        let rest = loop {
            let (action, number) = match self.game.turn(&state) {
                Turn::Over(utilities) => break utilities,
                Turn::Chance => {
                    let outcome = self.game.random_outcome(&state, &mut self.tree_rng);
                    (outcome, number(&self.game, &state, outcome))
                }
                Turn::Player(player) => {
                    if !is_root && !self.game.is_same_moment(&state) {
                        moment = self.game.hash(&state).unwrap_or(history);
                    }
                    let key = key(moment, player);
                    let here = Here { game: &self.game, state: &state, key, player };
                    match self.decisions.decide(&self.parts.rule, here, &mut self.tree_rng) {
                        Some(decision) => (decision.action, u64::from(decision.arm)),
                        None => {
                            let evaluator = &mut self.parts.evaluator;
                            let rng = &mut self.leaf_rng;
                            break evaluator.evaluate(&self.game, &state, &mut Untraced, rng);
                        }
                    }
                }
            };
            is_root = false;
            history = rng::mix(history.wrapping_add(number + 1));
            let rewards = decisions::apply(&self.game, &mut state, action);
            self.decisions.earn(&rewards, self.game.discount());
        };
        self.decisions.learn::<G>(&self.parts.rule, &rest);
    }
}

/// Starts from a state in which a moment begins. The report is that of the player to move in it.
impl<G: Simultaneous, E: Evaluator<G>> Search for DecoupledSearch<G, E> {
    type Position = G::State;
    type Action = G::Action;

    fn prepare(&mut self, at: &G::State) -> Result<Reuse, SearchError> {
        let (player, actions) = decisions::to_decide(&self.game, at)?;
        let hash = self.game.hash(at);
        self.decisions.restart_depths();
        if hash.is_none() || self.decisions.is_half_full() {
            self.decisions.restart();
        }
        self.root = hash.unwrap_or(0);
        self.searcher = player;
        Ok(self.decisions.start(key(self.root, player), player, actions))
    }

    fn playouts(&mut self, at: &G::State, most: u64) -> u64 {
        (0..most).for_each(|_| self.playout(at.clone()));
        most
    }

    fn read_root(&self, root: &mut RootStats<G::Action>) {
        let choice = Choice::OfStrategy(self.parts.final_action);
        self.decisions.read_root(G::UTILITY_BOUNDS, choice, root);
    }

    fn principal_variation(&self, first: G::Action) -> Vec<G::Action> {
        self.decisions.line_from(key(self.root, self.searcher), first)
    }

    fn branches(&self, node: NodeRef) -> Vec<BranchStats<G::Action>> {
        let players = 0..G::PLAYERS as u8;
        self.decisions.branches::<G>(node, players.map(|player| key(self.root, Player(player))))
    }
}

/// The key of the statistics of `player` in a moment.
fn key(moment: u64, player: Player) -> u64 {
    rng::mix(moment ^ rng::mix(u64::from(player.0) + 1))
}

/// The index of an outcome of its chance node.
fn number<G: Game>(game: &G, state: &G::State, outcome: G::Action) -> u64 {
    let (mut place, mut found) = (0, 0);
    game.actions(state, |action| {
        if action == outcome {
            found = place;
        }
        place += 1;
    });
    found
}
