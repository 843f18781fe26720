//! The bots: plain UCT with one part changed.

use bots::{BotEntry, ClientSeat, ParameterError, Parameters, SearchPlayer, Seat};
use mcts_core::evaluation::{
    CutRollout, Decisive, EpsilonGreedy, LastGoodReply, Mast, MastChoice, PriorScale, WithPriors,
};
use mcts_core::selection::RaveSchedule;
use mcts_core::{
    Evaluator, Expansion, Game, Grave, Growth, ImplicitMinimax, Player, ProgressiveBias,
    ProgressiveHistory, Puct, Rave, Rollout, RolloutPolicy, ScoreBounds, SelectionPolicy, Turn,
    Ucb1, Ucb1Tuned, Uct,
};

use crate::settings::{Setting, utilities};

type Built = Result<Box<dyn Seat>, ParameterError>;
type State<S> = <<S as Setting>::Game as Game>::State;
type Action<S> = <<S as Setting>::Game as Game>::Action;
type Prior<S> = fn(&<S as Setting>::Game, &State<S>, Action<S>) -> f32;

/// Number of bots of each game.
pub(crate) const PARTS: usize = 18;

/// The bots of a game.
pub(crate) const fn bots_of<S: Setting>() -> [BotEntry; PARTS] {
    [
        bot::<S>("plain", "UCB1, uniform rollouts, the solver", plain::<S>),
        bot::<S>("no-solver", "nothing proven", no_solver::<S>),
        bot::<S>("all-at-once", "all children of a node expanded together", all_at_once::<S>),
        bot::<S>("tuned", "UCB1-Tuned", tuned::<S>),
        bot::<S>("puct", "PUCT, priors by the immediate gain", puct::<S>),
        bot::<S>("rave", "RAVE, minimum MSE", rave::<S>),
        bot::<S>("rave-hand", "RAVE, hand-selected schedule", rave_hand::<S>),
        bot::<S>("grave", "GRAVE", grave::<S>),
        bot::<S>("bias", "progressive bias by the immediate gain", bias::<S>),
        bot::<S>("history", "progressive history", history::<S>),
        bot::<S>("minimax", "implicit minimax backups of an evaluation", minimax::<S>),
        bot::<S>("bounds", "score bounds", bounds::<S>),
        bot::<S>("greedy", "epsilon-greedy rollouts by the immediate gain", greedy::<S>),
        bot::<S>("mast", "MAST, epsilon-greedy", mast::<S>),
        bot::<S>("gibbs", "MAST, Gibbs", gibbs::<S>),
        bot::<S>("reply", "last good replies", reply::<S>),
        bot::<S>("decisive", "decisive and anti-decisive moves in rollouts", decisive::<S>),
        bot::<S>("cut", "rollouts cut after `plies` and evaluated", cut::<S>),
    ]
}

const fn bot<S: Setting>(
    name: &'static str,
    summary: &'static str,
    build: fn(&mut Parameters) -> Built,
) -> BotEntry {
    BotEntry { game: S::NAME, name, summary, build }
}

/// UCB1 with the exploration of the game, or the one given.
fn ucb1<S: Setting>(parameters: &mut Parameters) -> Result<Ucb1, ParameterError> {
    let exploration = parameters.number("exploration", S::EXPLORATION, (0.0, 10.0))?;
    Ok(Ucb1 { exploration, ..Ucb1::default() })
}

fn parts<S: Setting>(parameters: &mut Parameters) -> Result<Uct, ParameterError> {
    let selection = ucb1::<S>(parameters)?;
    Ok(Uct { selection, memory_cap_bytes: 128 << 20, ..Uct::default() })
}

fn seat<S, P, E>(parts: Uct<P, E>, parameters: &mut Parameters) -> Built
where
    S: Setting,
    P: SelectionPolicy<Extra: Send> + Clone + Send + 'static,
    E: Evaluator<S::Game> + Clone + Send + 'static,
{
    let player =
        SearchPlayer::<S::Game, Uct<P, E>>::new(parts, S::PLAN, S::decisions_left, parameters)?;
    Ok(Box::new(ClientSeat::new(S::client(), player)))
}

fn selecting<S: Setting, P: SelectionPolicy<Extra: Send> + Clone + Send + 'static>(
    policy: P,
    parameters: &mut Parameters,
) -> Built {
    let parts = parts::<S>(parameters)?.with_selection(policy);
    seat::<S, _, _>(parts, parameters)
}

fn rolling<S, P>(policy: P, parameters: &mut Parameters) -> Built
where
    S: Setting,
    P: RolloutPolicy<S::Game> + Clone + Send + 'static,
{
    let parts = parts::<S>(parameters)?.with_evaluator(Rollout { policy, lanes: 1 });
    seat::<S, _, _>(parts, parameters)
}

fn with_prior<S: Setting>(prior: Prior<S>, scale: PriorScale) -> WithPriors<Rollout, Prior<S>> {
    WithPriors { evaluator: Rollout::default(), prior, scale }
}

fn plain<S: Setting>(parameters: &mut Parameters) -> Built {
    let parts = parts::<S>(parameters)?;
    seat::<S, _, _>(parts, parameters)
}

fn no_solver<S: Setting>(parameters: &mut Parameters) -> Built {
    let parts = Uct { solver: false, ..parts::<S>(parameters)? };
    seat::<S, _, _>(parts, parameters)
}

fn all_at_once<S: Setting>(parameters: &mut Parameters) -> Built {
    let expansion = Expansion { growth: Growth::AllAtOnce, ..Expansion::default() };
    let parts = Uct { expansion, ..parts::<S>(parameters)? };
    seat::<S, _, _>(parts, parameters)
}

fn tuned<S: Setting>(parameters: &mut Parameters) -> Built {
    let exploration = parameters.number("exploration", 1.0, (0.0, 10.0))?;
    selecting::<S, _>(Ucb1Tuned { exploration, ..Ucb1Tuned::default() }, parameters)
}

fn puct<S: Setting>(parameters: &mut Parameters) -> Built {
    let initial = parameters.number("exploration", Puct::default().initial, (0.0, 10.0))?;
    let prior: Prior<S> = |game, state, action| S::gain(game, state, action).min(30.0).exp();
    let parts = parts::<S>(parameters)?
        .with_selection(Puct { initial, ..Puct::default() })
        .with_evaluator(with_prior::<S>(prior, PriorScale::Probabilities));
    seat::<S, _, _>(parts, parameters)
}

fn rave<S: Setting>(parameters: &mut Parameters) -> Built {
    let bias = parameters.number("bias", 0.1, (0.0, 10.0))?;
    let exploration = parameters.number("exploration", 0.2, (0.0, 10.0))?;
    let policy = Ucb1 { exploration, ..Ucb1::default() };
    let rave = Rave { policy, schedule: RaveSchedule::MinimumMse { bias } };
    selecting::<S, _>(rave, parameters)
}

fn rave_hand<S: Setting>(parameters: &mut Parameters) -> Built {
    let equivalence = parameters.number("equivalence", 1000.0, (0.0, 1e6))?;
    let schedule = RaveSchedule::HandSelected { equivalence };
    selecting::<S, _>(Rave { schedule, ..Rave::default() }, parameters)
}

fn grave<S: Setting>(parameters: &mut Parameters) -> Built {
    let bias = parameters.number("bias", Grave::default().bias, (0.0, 10.0))?;
    let policy = Ucb1 {
        exploration: parameters.number("exploration", 0.0, (0.0, 10.0))?,
        ..Ucb1::default()
    };
    selecting::<S, _>(Grave { policy, bias, ..Grave::default() }, parameters)
}

fn bias<S: Setting>(parameters: &mut Parameters) -> Built {
    let weight = parameters.number("weight", 1.0, (0.0, 100.0))?;
    let policy = ucb1::<S>(parameters)?;
    let prior: Prior<S> = |game, state, action| (S::gain(game, state, action) / 3.0).tanh();
    let parts = parts::<S>(parameters)?
        .with_selection(ProgressiveBias { policy, weight })
        .with_evaluator(with_prior::<S>(prior, PriorScale::AsGiven));
    seat::<S, _, _>(parts, parameters)
}

fn history<S: Setting>(parameters: &mut Parameters) -> Built {
    let weight = parameters.number("weight", 3.0, (0.0, 100.0))?;
    let policy = ucb1::<S>(parameters)?;
    let history = ProgressiveHistory { policy, weight, ..<ProgressiveHistory>::default() };
    selecting::<S, _>(history, parameters)
}

/// Value in [0, 1] of the state after an action, for the player who takes it.
fn worth_after<S: Setting>(game: &S::Game, state: &State<S>, action: Action<S>) -> f32 {
    let mover = match game.turn(state) {
        Turn::Player(player) => player,
        Turn::Over(_) | Turn::Chance => Player::FIRST,
    };
    let mut after = state.clone();
    game.apply(&mut after, action);
    f32::midpoint(1.0, utilities::<S>(game, &after).of_player(mover))
}

fn minimax<S: Setting>(parameters: &mut Parameters) -> Built {
    let weight = parameters.number("weight", 0.4, (0.0, 1.0))?;
    let policy = ucb1::<S>(parameters)?;
    let parts = parts::<S>(parameters)?
        .with_selection(ImplicitMinimax { policy, weight })
        .with_evaluator(with_prior::<S>(worth_after::<S>, PriorScale::AsGiven));
    seat::<S, _, _>(parts, parameters)
}

fn bounds<S: Setting>(parameters: &mut Parameters) -> Built {
    let policy = ucb1::<S>(parameters)?;
    selecting::<S, _>(ScoreBounds { policy }, parameters)
}

fn greedy<S: Setting>(parameters: &mut Parameters) -> Built {
    let epsilon = parameters.number("epsilon", 0.3, (0.0, 1.0))?;
    let heuristic: Prior<S> = S::gain;
    rolling::<S, _>(EpsilonGreedy { epsilon, heuristic }, parameters)
}

fn mast<S: Setting>(parameters: &mut Parameters) -> Built {
    let epsilon = parameters.number("epsilon", 0.2, (0.0, 1.0))?;
    let choice = MastChoice::EpsilonGreedy { epsilon };
    rolling::<S, _>(Mast { choice, ..Mast::default() }, parameters)
}

fn gibbs<S: Setting>(parameters: &mut Parameters) -> Built {
    let temperature = parameters.number("temperature", 0.1, (0.01, 100.0))?;
    let choice = MastChoice::Gibbs { temperature };
    rolling::<S, _>(Mast { choice, ..Mast::default() }, parameters)
}

fn reply<S: Setting>(parameters: &mut Parameters) -> Built {
    rolling::<S, _>(<LastGoodReply>::default(), parameters)
}

fn decisive<S: Setting>(parameters: &mut Parameters) -> Built {
    rolling::<S, _>(<Decisive>::default(), parameters)
}

fn cut<S: Setting>(parameters: &mut Parameters) -> Built {
    let plies = parameters.take_as("plies", "a whole number")?.unwrap_or(8);
    let evaluation: fn(&S::Game, &State<S>) -> mcts_core::Utilities = utilities::<S>;
    let rollout: CutRollout<_, _> = <Rollout>::default().cut(plies, evaluation);
    let parts = parts::<S>(parameters)?.with_evaluator(rollout);
    seat::<S, _, _>(parts, parameters)
}
