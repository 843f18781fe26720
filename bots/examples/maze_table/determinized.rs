//! A determinization as a game for one player, and the base policy as parts of its search.

use bots::maze::base_policy::BasePolicy;
use bots::maze::walk::Walk;
use bots::maze::worlds::Worlds;
use games::maze::grid::Cell;
use games::maze::world::Action;
use mcts_core::evaluation::Situation;
use mcts_core::{
    Evaluator, Game, HiddenInformation, Knowledge, Model, Player, Prior, RolloutPolicy, SearchRng,
    Trace, Turn, Utilities, rng,
};

/// Turns from the root to the end of a playout.
pub(crate) const HORIZON: u8 = 20;

/// A determinization as a game for one player: all future chance events are part of the [`Walk`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Determinized<'a> {
    pub(crate) worlds: Worlds<'a>,
    pub(crate) base_policy: BasePolicy,
    /// The turn at which playouts end.
    pub(crate) until: u8,
}

/// An action of Maki with its place: the same in all determinizations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Step {
    from: Cell,
    pub(crate) action: Action,
}

impl Determinized<'_> {
    pub(crate) fn draw(&self, rng: &mut SearchRng) -> Walk {
        self.worlds.determinize(&(), rng)
    }

    fn step(&self, walk: &Walk, action: Action) -> Step {
        Step { from: self.worlds.terrain(walk).cell(walk.maki), action }
    }

    fn size(&self) -> usize {
        self.worlds.terrains[0].maze.size.into()
    }

    /// Expected utility after a playout that ends alive.
    pub(crate) fn beyond(&self, walk: &Walk) -> Utilities {
        Utilities::single({ self.base_policy }.beyond(&self.worlds, walk))
    }
}

/// Everything that is seen is already part of the determinization.
impl HiddenInformation for Determinized<'_> {
    type Observation = ();
    type View = ();

    fn first_view(&self, _: &Walk, _: Player) {}

    fn observe(&self, _: &Walk, _: Step, _: Player) {}

    fn grow(&self, (): &mut (), _: Option<Step>, (): &()) {}

    fn determinize(&self, (): &(), rng: &mut SearchRng) -> Walk {
        self.draw(rng)
    }
}

impl Game for Determinized<'_> {
    type State = Walk;
    type Action = Step;

    const PLAYERS: usize = 1;
    /// At most one candy in each turn up to the horizon, and the largest expected value beyond it.
    const UTILITY_BOUNDS: (f32, f32) = (0.0, 36.0);
    const HAS_REWARDS: bool = true;

    fn start(&self) -> Walk {
        self.draw(&mut rng::stream(0, 0))
    }

    fn turn(&self, walk: &Walk) -> Turn {
        match walk.turn {
            _ if self.worlds.is_over(walk) => Turn::Over(Utilities::ZERO),
            turn if turn >= self.until => Turn::Over(self.beyond(walk)),
            _ => Turn::Player(Player::FIRST),
        }
    }

    fn actions(&self, walk: &Walk, mut visit: impl FnMut(Step)) {
        self.worlds.actions(walk, |action| visit(self.step(walk, action)));
    }

    fn apply(&self, walk: &mut Walk, step: Step) {
        self.apply_with_rewards(walk, step);
    }

    fn apply_with_rewards(&self, walk: &mut Walk, step: Step) -> Utilities {
        Utilities::single(self.worlds.play(walk, step.action))
    }

    fn action_index(&self, Step { from, action }: Step) -> Option<usize> {
        let place = (from.row() - 1) * self.size() + from.column() - 1;
        Some(place * Action::ALL.len() + action.index())
    }

    fn action_indices(&self) -> usize {
        self.size() * self.size() * Action::ALL.len()
    }
}

/// Rollouts by the base policy, with a random action with probability `epsilon`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rolling {
    pub(crate) epsilon: f32,
}

impl Rolling {
    #[inline]
    fn at_random(self, rng: &mut SearchRng) -> bool {
        self.epsilon >= 1.0 || (self.epsilon > 0.0 && rng::unit(rng) < self.epsilon)
    }
}

impl<'a> RolloutPolicy<Determinized<'a>> for Rolling {
    fn choose(
        &mut self,
        game: &Determinized<'a>,
        at: &Situation<'_, Walk>,
        rng: &mut SearchRng,
    ) -> Option<Step> {
        if self.at_random(rng) {
            return Some(game.random_action(at.state, rng));
        }
        let walk = at.state;
        Some(game.step(walk, { game.base_policy }.choose(&game.worlds, walk, rng)))
    }
}

/// An evaluator whose priors are a softmax: an action scored `temperature` higher by the base
/// policy is `e` times as likely. Waiting and looking score as much as the worst step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Advised<E> {
    pub(crate) evaluator: E,
    pub(crate) temperature: f32,
}

impl<'a, E: Evaluator<Determinized<'a>>> Evaluator<Determinized<'a>> for Advised<E> {
    const LEARNS: bool = E::LEARNS;
    const NEEDS_ACTION_INDICES: bool = E::NEEDS_ACTION_INDICES;

    fn evaluate(
        &mut self,
        game: &Determinized<'a>,
        walk: &Walk,
        recorder: &mut impl mcts_core::Recorder,
        rng: &mut SearchRng,
    ) -> Utilities {
        self.evaluator.evaluate(game, walk, recorder, rng)
    }

    fn learn(&mut self, trace: &Trace, utilities: &Utilities) {
        self.evaluator.learn(trace, utilities);
    }

    fn priors(&mut self, game: &Determinized<'a>, walk: &Walk, steps: &[Step], priors: &mut [f32]) {
        let scores = StepScores::of(&game.base_policy, &game.worlds, walk);
        let mut sum = 0.0;
        for (prior, step) in priors.iter_mut().zip(steps) {
            *prior = (-scores.behind(step.action) / self.temperature).exp();
            sum += *prior;
        }
        priors.iter_mut().for_each(|prior| *prior /= sum);
    }
}

/// The scores of the base policy for each step.
struct StepScores {
    scores: [f32; 4],
    best: f32,
    worst: f32,
}

impl StepScores {
    fn of(base_policy: &BasePolicy, worlds: &Worlds<'_>, walk: &Walk) -> StepScores {
        let scores = base_policy.scores(worlds.terrain(walk), walk);
        let open = || scores.iter().copied().filter(|score| score.is_finite());
        let best = open().fold(f32::NEG_INFINITY, f32::max);
        StepScores { scores, best, worst: open().fold(best, f32::min) }
    }

    /// The difference of an action's score to the best score.
    fn behind(&self, action: Action) -> f32 {
        match action {
            Action::Step(way) => self.best - self.scores[way as usize],
            Action::Look | Action::Stay => self.best - self.worst,
        }
    }
}

/// Adapts a rollout policy that learns from wins and losses to sums of candies: it receives the
/// highest utility after a playout that was better than the mean so far, and the lowest otherwise.
#[derive(Debug, Clone)]
pub(crate) struct AgainstTheMean<P> {
    policy: P,
    playouts: f32,
    mean: f32,
}

impl<P> AgainstTheMean<P> {
    pub(crate) fn new(policy: P) -> Self {
        AgainstTheMean { policy, playouts: 0.0, mean: 0.0 }
    }
}

impl<'a, P: RolloutPolicy<Determinized<'a>>> RolloutPolicy<Determinized<'a>> for AgainstTheMean<P> {
    const LEARNS: bool = P::LEARNS;
    const NEEDS_ACTION_INDICES: bool = P::NEEDS_ACTION_INDICES;

    fn choose(
        &mut self,
        game: &Determinized<'a>,
        at: &Situation<'_, Walk>,
        rng: &mut SearchRng,
    ) -> Option<Step> {
        self.policy.choose(game, at, rng)
    }

    fn learn(&mut self, trace: &Trace, utilities: &Utilities) {
        let (lowest, highest) = <Determinized<'a> as Game>::UTILITY_BOUNDS;
        let result = utilities.of_player(Player::FIRST);
        let verdict = match result.total_cmp(&self.mean) {
            core::cmp::Ordering::Less => lowest,
            core::cmp::Ordering::Equal => f32::midpoint(lowest, highest),
            core::cmp::Ordering::Greater => highest,
        };
        self.playouts += 1.0;
        self.mean += (result - self.mean) / self.playouts;
        self.policy.learn(trace, &Utilities::single(verdict));
    }
}

/// The knowledge of a search of histories: the rollout policy, the initial values of actions, and
/// the value beyond the horizon.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Known {
    pub(crate) base_policy: BasePolicy,
    pub(crate) rolling: Rolling,
    /// Playouts credited to each action in advance.
    pub(crate) credit: u32,
    /// Difference in candies for a difference of 1 in the base policy's scores.
    pub(crate) scale: f32,
}

impl<'a> Knowledge<Worlds<'a>> for Known {
    fn choose(&mut self, worlds: &Worlds<'a>, walk: &Walk, rng: &mut SearchRng) -> Action {
        if self.rolling.at_random(rng) {
            worlds.random_action(walk, rng)
        } else {
            self.base_policy.choose(worlds, walk, rng)
        }
    }

    fn prior(
        &mut self,
        worlds: &Worlds<'a>,
        walk: &Walk,
        action: Action,
        expected: Option<f32>,
    ) -> Prior {
        if self.credit == 0 {
            return Prior::default();
        }
        let behind = StepScores::of(&self.base_policy, worlds, walk).behind(action);
        let expected = expected.unwrap_or_else(|| self.beyond(worlds, walk));
        Prior { playouts: self.credit, value: expected - self.scale * behind }
    }

    fn beyond(&mut self, worlds: &Worlds<'a>, walk: &Walk) -> f32 {
        self.base_policy.beyond(worlds, walk)
    }
}
