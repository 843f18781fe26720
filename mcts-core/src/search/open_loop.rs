//! Open-loop search: a tree of actions only, for games with frequent chance events.

use super::decisions::{self, Decisions, Here};
use super::{BranchStats, Choice, NodeRef, RootStats, Search};
use crate::evaluation::{Evaluator, Rollout};
use crate::final_action::FinalAction;
use crate::game::{Game, Player, Turn};
use crate::report::{Reuse, SearchError};
use crate::rng::{self, SearchRng};
use crate::selection::{Bandit, Ucb1};
use crate::trace::Untraced;
use alloc::vec::Vec;

/// The parts of an open-loop search; [`OpenLoop::search`] creates the search.
///
/// A node is the sequence of the players' actions that leads to it, regardless of chance (Perez,
/// Dieskau, Huenermund, Mostaghim and Lucas, 2015). Each playout samples the outcomes of chance and
/// chooses among the actions that are legal then; actions count their availability. If chance has
/// many outcomes, this learns faster than a node for each outcome, but it cannot react to them, so
/// it finds the best plan and not the best policy.
///
/// ```
/// # use mcts_core::{Game, Player, Turn, Utilities};
/// # #[derive(Clone)]
/// # struct Nim;
/// # impl Game for Nim {
/// #     type State = (u8, Player);
/// #     type Action = u8;
/// #     fn start(&self) -> (u8, Player) { (15, Player::FIRST) }
/// #     fn turn(&self, &(left, player): &(u8, Player)) -> Turn {
/// #         if left == 0 { Turn::Over(Utilities::win(player.opponent())) } else { Turn::Player(player) }
/// #     }
/// #     fn actions(&self, &(left, _): &(u8, Player), visit: impl FnMut(u8)) { (1..=left.min(3)).for_each(visit) }
/// #     fn apply(&self, state: &mut (u8, Player), taken: u8) { *state = (state.0 - taken, state.1.opponent()) }
/// #     fn hash(&self, &(left, player): &(u8, Player)) -> Option<u64> { Some(u64::from(left) * 2 + u64::from(player.0)) }
/// # }
/// use mcts_core::{Budget, NoClock, OpenLoop, Search};
///
/// let mut search = OpenLoop::default().search(Nim, 1);
/// let report = search.run_with_clock(&Nim.start(), &Budget::playouts(20_000), &NoClock)?;
/// assert_eq!(report.best, 3);
/// # Ok::<(), mcts_core::SearchError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OpenLoop<E = Rollout> {
    /// The bandit rule of the players.
    pub rule: Bandit,
    /// The evaluator of leaves.
    pub evaluator: E,
    /// The rule for the action to play.
    pub final_action: FinalAction,
    /// Memory cap of the tree; when it is reached, playouts continue without adding nodes.
    pub memory_cap_bytes: usize,
}

impl Default for OpenLoop {
    /// UCB1 and 256 MiB.
    fn default() -> Self {
        OpenLoop {
            rule: Bandit::Ucb1(Ucb1::default()),
            evaluator: Rollout::default(),
            final_action: FinalAction::default(),
            memory_cap_bytes: 256 << 20,
        }
    }
}

impl<E> OpenLoop<E> {
    /// The same parts except the evaluator.
    #[must_use]
    pub fn with_evaluator<F>(self, evaluator: F) -> OpenLoop<F> {
        let OpenLoop { rule, final_action, memory_cap_bytes, .. } = self;
        OpenLoop { rule, evaluator, final_action, memory_cap_bytes }
    }

    /// A search of `game` with these parts. Equal seeds, states and playout budgets give equal reports.
    pub fn search<G: Game>(self, game: G, seed: u64) -> OpenLoopSearch<G, E>
    where
        E: Evaluator<G>,
    {
        OpenLoopSearch {
            decisions: Decisions::with_cap(self.memory_cap_bytes),
            root: 0,
            tree_rng: rng::stream(seed, 0),
            leaf_rng: rng::stream(seed, 1),
            game,
            parts: self,
        }
    }
}

/// An open-loop search of one game; each search starts afresh.
#[derive(Debug)]
pub struct OpenLoopSearch<G: Game, E = Rollout> {
    game: G,
    parts: OpenLoop<E>,
    decisions: Decisions<G::Action>,
    /// The key of the decision at the root.
    root: u64,
    tree_rng: SearchRng,
    leaf_rng: SearchRng,
}

/// The key of the empty plan.
const NOTHING_YET: u64 = 0;

impl<G: Game, E: Evaluator<G>> OpenLoopSearch<G, E> {
    fn playout(&mut self, mut state: G::State) {
        self.decisions.begin();
        let mut plan = NOTHING_YET;
        let rest = loop {
            let action = match self.game.turn(&state) {
                Turn::Over(utilities) => break utilities,
                Turn::Chance => self.game.random_outcome(&state, &mut self.tree_rng),
                Turn::Player(player) => {
                    let key = key(plan, player);
                    let here = Here { game: &self.game, state: &state, key, player };
                    match self.decisions.decide(&self.parts.rule, here, &mut self.tree_rng) {
                        Some(decision) => {
                            plan = rng::mix(key ^ (u64::from(decision.arm) + 1));
                            decision.action
                        }
                        None => {
                            let evaluator = &mut self.parts.evaluator;
                            let rng = &mut self.leaf_rng;
                            break evaluator.evaluate(&self.game, &state, &mut Untraced, rng);
                        }
                    }
                }
            };
            let rewards = decisions::apply(&self.game, &mut state, action);
            self.decisions.earn(&rewards, self.game.discount());
        };
        self.decisions.learn::<G>(&self.parts.rule, &rest);
    }
}

impl<G: Game, E: Evaluator<G>> Search for OpenLoopSearch<G, E> {
    type Position = G::State;
    type Action = G::Action;

    fn prepare(&mut self, at: &G::State) -> Result<Reuse, SearchError> {
        let (player, actions) = decisions::to_decide(&self.game, at)?;
        self.decisions.restart();
        self.root = key(NOTHING_YET, player);
        Ok(self.decisions.start(self.root, player, actions))
    }

    fn playouts(&mut self, at: &G::State, most: u64) -> u64 {
        (0..most).for_each(|_| self.playout(at.clone()));
        most
    }

    fn read_root(&self, root: &mut RootStats<G::Action>) {
        let choice = Choice::ByStatistics(self.parts.final_action);
        self.decisions.read_root(G::UTILITY_BOUNDS, choice, root);
    }

    fn principal_variation(&self, first: G::Action) -> Vec<G::Action> {
        self.decisions.line_from(self.root, first)
    }

    fn branches(&self, node: NodeRef) -> Vec<BranchStats<G::Action>> {
        self.decisions.branches::<G>(node, core::iter::once(self.root))
    }
}

/// The key of the node where `player` decides after a plan.
fn key(plan: u64, player: Player) -> u64 {
    rng::mix(plan ^ rng::mix(u64::from(player.0) + 1))
}
