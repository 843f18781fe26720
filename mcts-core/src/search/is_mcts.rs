//! Information set MCTS: determinizations, and statistics of information sets (Cowling, Powley and
//! Whitehouse, 2012).

use super::decisions::{self, Decisions, Here};
use super::driver::Drive;
use super::{BranchStats, Choice, Control, NodeRef, RootStats, Search};
use crate::budget::{Budget, Clock, StopReason};
use crate::evaluation::{Evaluator, Rollout};
use crate::final_action::FinalAction;
use crate::game::{Game, InformationSets, Player, Turn};
use crate::report::{Reuse, SearchError, Strategy};
use crate::rng::{self, SearchRng};
use crate::selection::Bandit;
use crate::trace::Untraced;
use alloc::vec::Vec;

/// The players whose information sets are the nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Observers {
    /// The searching player's; the others act in her tree as if they had her information
    /// (SO-ISMCTS, algorithm 1 of the paper).
    Single,
    /// Each player's own, so that the others use their own information (MO-ISMCTS, algorithm 3).
    /// Their information sets include their past, as in a separate tree from the start of the game.
    Multiple,
}

/// The parts of an ISMCTS search; [`IsMcts::search`] creates the search.
///
/// Each playout draws a state from the view of the player who searches and descends through
/// information sets, among the actions that are legal in the state drawn; each action counts how
/// often it was available. [`Search::run`] searches from a view, where the states drawn do not
/// depend on how the opponents may have played; [`IsMctsSearch::run_from_start`] searches the whole
/// game, where they do.
///
/// ```
/// use mcts_core::testing::{Kuhn, KuhnAction};
/// use mcts_core::{Budget, Game, HiddenInformation, IsMcts, NoClock, Player, Search};
///
/// // the second player holds the highest of three cards; the first one bets
/// let mut deal = Kuhn.start();
/// let mut view = Kuhn.first_view(&deal, Player::SECOND);
/// for action in [KuhnAction::Deal(1), KuhnAction::Deal(2), KuhnAction::Bet] {
///     Kuhn.apply(&mut deal, action);
///     Kuhn.grow(&mut view, None, &Kuhn.observe(&deal, action, Player::SECOND));
/// }
/// let mut search = IsMcts::default().search(Kuhn, 1);
/// let report = search.run_with_clock(&view, &Budget::playouts(1_000), &NoClock)?;
/// assert_eq!(report.best, KuhnAction::Bet);
/// # Ok::<(), mcts_core::SearchError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IsMcts<E = Rollout> {
    /// The players whose information sets are the nodes.
    pub observers: Observers,
    /// The bandit rule of the players.
    pub rule: Bandit,
    /// The value of a leaf, given the sampled state.
    pub evaluator: E,
    /// The rule for the action to play, if a single one is needed.
    pub final_action: FinalAction,
    /// Memory cap of the information sets; when it is reached, playouts continue without new ones.
    /// A search that finds it more than half used starts afresh.
    pub memory_cap_bytes: usize,
}

impl Default for IsMcts {
    /// Every player's own information sets, regret matching (its strategies become less exploitable
    /// with more playouts, those of UCB1 need not), 256 MiB.
    fn default() -> Self {
        IsMcts {
            observers: Observers::Multiple,
            rule: Bandit::REGRET_MATCHING,
            evaluator: Rollout::default(),
            final_action: FinalAction::default(),
            memory_cap_bytes: 256 << 20,
        }
    }
}

impl<E> IsMcts<E> {
    /// The same parts except the evaluator.
    #[must_use]
    pub fn with_evaluator<F>(self, evaluator: F) -> IsMcts<F> {
        let IsMcts { observers, rule, final_action, memory_cap_bytes, .. } = self;
        IsMcts { observers, rule, evaluator, final_action, memory_cap_bytes }
    }

    /// A search of `game` with these parts. Equal seeds, views and playout budgets give equal
    /// reports, for any true state.
    pub fn search<G>(self, game: G, seed: u64) -> IsMctsSearch<G, E>
    where
        G: InformationSets,
        E: Evaluator<G>,
    {
        IsMctsSearch {
            decisions: Decisions::with_cap(self.memory_cap_bytes),
            root: 0,
            tree_rng: rng::stream(seed, 0),
            leaf_rng: rng::stream(seed, 1),
            state_rng: rng::stream(seed, 2),
            searcher: Player::FIRST,
            game,
            parts: self,
        }
    }
}

/// An ISMCTS search of one game. It keeps its information sets between moves.
#[derive(Debug)]
pub struct IsMctsSearch<G: Game, E = Rollout> {
    game: G,
    parts: IsMcts<E>,
    decisions: Decisions<G::Action>,
    /// The key of the information set at the root.
    root: u64,
    tree_rng: SearchRng,
    leaf_rng: SearchRng,
    state_rng: SearchRng,
    /// The player to move at the root.
    searcher: Player,
}

impl<G: InformationSets, E: Evaluator<G>> IsMctsSearch<G, E> {
    /// Searches the whole game from its start, for every player at once; [`strategy`](Self::strategy) then returns what
    /// was found. Only with [`Observers::Multiple`] are the strategies everybody's own.
    pub fn run_from_start(&mut self, budget: &Budget, clock: &dyn Clock) -> StopReason {
        let mut control = Control::new(*budget, clock);
        let mut drive = Drive::start(&mut control);
        self.make_room();
        self.decisions.start_without_root();
        drive.playouts(&mut WholeGame(self), &())
    }

    /// The strategy of the player to move in `state`, from her information set alone; `None` if no
    /// playout reached it.
    ///
    /// The average over the search, by visits or by regrets: in games of hidden information there
    /// need not be a single best action.
    pub fn strategy(&self, state: &G::State) -> Option<Strategy<G::Action>> {
        let Turn::Player(player) = self.game.turn(state) else { return None };
        self.decisions.strategy(&self.parts.rule, self.key(state, player, player))
    }

    fn make_room(&mut self) {
        self.decisions.restart_depths();
        if self.decisions.is_half_full() {
            self.decisions.restart();
        }
    }

    /// The key of the information set in which `player` decides.
    fn key(&self, state: &G::State, player: Player, searcher: Player) -> u64 {
        let observer = match self.parts.observers {
            Observers::Single => searcher,
            Observers::Multiple => player,
        };
        rng::mix(self.game.information_key(state, observer) ^ rng::mix(u64::from(player.0) + 1))
    }

    /// One playout from a determinization for `searcher`.
    fn playout(&mut self, mut state: G::State, searcher: Player) {
        self.decisions.begin();
        let rest = loop {
            let action = match self.game.turn(&state) {
                Turn::Over(utilities) => break utilities,
                Turn::Chance => self.game.random_outcome(&state, &mut self.tree_rng),
                Turn::Player(player) => {
                    let key = self.key(&state, player, searcher);
                    let here = Here { game: &self.game, state: &state, key, player };
                    match self.decisions.decide(&self.parts.rule, here, &mut self.tree_rng) {
                        Some(decision) => decision.action,
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

/// Starts from the view of the player to move.
impl<G: InformationSets, E: Evaluator<G>> Search for IsMctsSearch<G, E> {
    type Position = G::View;
    type Action = G::Action;

    fn prepare(&mut self, at: &G::View) -> Result<Reuse, SearchError> {
        let state = self.game.determinize(at, &mut self.state_rng);
        let (player, actions) = decisions::to_decide(&self.game, &state)?;
        self.make_room();
        self.searcher = player;
        self.root = self.key(&state, player, player);
        Ok(self.decisions.start(self.root, player, actions))
    }

    fn playouts(&mut self, at: &G::View, most: u64) -> u64 {
        for _ in 0..most {
            let state = self.game.determinize(at, &mut self.state_rng);
            self.playout(state, self.searcher);
        }
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

/// The search of a whole game from its start, without a root decision.
struct WholeGame<'a, G: Game, E>(&'a mut IsMctsSearch<G, E>);

impl<G: InformationSets, E: Evaluator<G>> Search for WholeGame<'_, G, E> {
    type Position = ();
    type Action = G::Action;

    fn prepare(&mut self, (): &()) -> Result<Reuse, SearchError> {
        Ok(Reuse::Fresh)
    }

    fn playouts(&mut self, (): &(), most: u64) -> u64 {
        for _ in 0..most {
            let state = self.0.game.start();
            self.0.playout(state, Player::FIRST);
        }
        most
    }

    fn read_root(&self, root: &mut RootStats<G::Action>) {
        let choice = Choice::OfStrategy(self.0.parts.final_action);
        self.0.decisions.read_root(G::UTILITY_BOUNDS, choice, root);
    }
}

#[cfg(test)]
mod availability;
