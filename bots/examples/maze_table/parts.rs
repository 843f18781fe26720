//! Players by plain UCT in determinizations with one part changed. Plain means UCB1, uniform
//! rollouts of 20 turns, and the bot's value beyond them. With `epsilon=0` all rollouts use the
//! base policy instead.

use bots::maze::player::{BeliefPlayer, Parts};
use bots::maze::search::WorldSearch;
use bots::maze::walk::Walk;
use bots::{BotEntry, ClientSeat, ParameterError, Parameters, Seat};
use games::maze::protocol::MazeClient;
use mcts_core::evaluation::{Forgetting, LastGoodReply, Mast, MastChoice};
use mcts_core::search::{Exploration, PolicyRollouts};
use mcts_core::selection::RaveSchedule;
use mcts_core::trace::ActionTable;
use mcts_core::{
    Evaluator, Expansion, FinalAction, Grave, Growth, Pimc, Pomcp, ProgressiveBias,
    ProgressiveHistory, Puct, Rave, Rollout, RolloutPolicy, SelectionPolicy, Ucb1, Ucb1Tuned, Uct,
    Utilities,
};

use crate::determinized::{Advised, AgainstTheMean, Determinized, HORIZON, Known, Rolling};
use crate::searches::{EachWorld, Histories};

type Built = Result<Box<dyn Seat>, ParameterError>;

/// For UCB1 on values in [0, 1], which correspond to 0 to 36 candies.
const EXPLORATION: f32 = 0.4;
/// For UCB1 in a tree of histories, in candies.
const EXPLORATION_OF_HISTORIES: f32 = 4.0;

/// All players.
pub(crate) const PARTS: &[BotEntry] = &[
    part("plain", "UCB1 and uniform rollouts in each of 20 determinizations", plain),
    part("few-worlds", "5 worlds", |words| worlds(5.0, words)),
    part("many-worlds", "80 worlds", |words| worlds(80.0, words)),
    part("all-at-once", "all children of a node expanded together", all_at_once),
    part("tuned", "UCB1-Tuned", tuned),
    part("puct", "PUCT, priors by the base policy", puct),
    part("rave", "RAVE, minimum MSE", rave),
    part("rave-hand", "RAVE, hand-selected schedule", rave_hand),
    part("grave", "GRAVE", grave),
    part("bias", "progressive bias by the base policy", bias),
    part("history", "progressive history", history),
    part("instinct", "rollouts by the base policy", |words| rolling(0.0, words)),
    part("instinct-greedy", "epsilon-greedy rollouts by the base policy", |words| {
        rolling(0.3, words)
    }),
    part("mast", "MAST, epsilon-greedy", mast),
    part("gibbs", "MAST, Gibbs", gibbs),
    part("reply", "last good replies", reply),
    part("cut", "rollouts cut after `plies` and evaluated", cut),
    part("pomcp", "one tree of histories", |words| histories(0.0, words)),
    part("pomcp-priors", "one tree of histories, priors by the base policy", |words| {
        histories(10.0, words)
    }),
    part("no-tree", "each action, then a rollout, in the same determinizations", no_tree),
];

const fn part(
    name: &'static str,
    summary: &'static str,
    build: fn(&mut Parameters) -> Built,
) -> BotEntry {
    BotEntry { game: "maze", name, summary, build }
}

/// A player with the bot's belief that decides by this search.
fn seat<S: WorldSearch + 'static>(parts: Parts<S>) -> Built {
    Ok(Box::new(ClientSeat::new(MazeClient::new(), BeliefPlayer::new(parts))))
}

fn ucb1(parameters: &mut Parameters) -> Result<Ucb1, ParameterError> {
    let exploration = parameters.number("exploration", EXPLORATION, (0.0, 10.0))?;
    Ok(Ucb1 { exploration, ..Ucb1::default() })
}

fn epsilon(parameters: &mut Parameters, default: f32) -> Result<Rolling, ParameterError> {
    Ok(Rolling { epsilon: parameters.number("epsilon", default, (0.0, 1.0))? })
}

fn uct(parameters: &mut Parameters) -> Result<Uct<Ucb1, Rollout<Rolling>>, ParameterError> {
    let uct: Uct = Uct { solver: false, memory_cap_bytes: 32 << 20, ..Uct::default() };
    let evaluator = Rollout { policy: epsilon(parameters, 1.0)?, lanes: 1 };
    Ok(uct.with_selection(ucb1(parameters)?).with_evaluator(evaluator))
}

fn each_of<S, E>(worlds: f32, uct: Uct<S, E>, parameters: &mut Parameters) -> Built
where
    S: SelectionPolicy + Clone + 'static,
    E: for<'a> Evaluator<Determinized<'a>> + Clone + 'static,
{
    let worlds = parameters.number("worlds", worlds, (1.0, 1000.0))? as u32;
    let parts = Parts::of(parameters)?;
    let pimc = Pimc { uct, worlds, final_action: FinalAction::Max };
    let base_policy = parts.search.knowledge;
    seat(parts.with_search(EachWorld { pimc, base_policy }))
}

fn each_world<S, E>(uct: Uct<S, E>, parameters: &mut Parameters) -> Built
where
    S: SelectionPolicy + Clone + 'static,
    E: for<'a> Evaluator<Determinized<'a>> + Clone + 'static,
{
    each_of(20.0, uct, parameters)
}

fn selecting<P>(policy: P, parameters: &mut Parameters) -> Built
where
    P: SelectionPolicy + Clone + 'static,
{
    let uct = uct(parameters)?.with_selection(policy);
    each_world(uct, parameters)
}

fn rolling_by<P>(policy: P, parameters: &mut Parameters) -> Built
where
    P: for<'a> RolloutPolicy<Determinized<'a>> + Clone + 'static,
{
    let uct = uct(parameters)?.with_evaluator(Rollout { policy, lanes: 1 });
    each_world(uct, parameters)
}

fn plain(parameters: &mut Parameters) -> Built {
    let uct = uct(parameters)?;
    each_world(uct, parameters)
}

fn worlds(worlds: f32, parameters: &mut Parameters) -> Built {
    let uct = uct(parameters)?;
    each_of(worlds, uct, parameters)
}

fn all_at_once(parameters: &mut Parameters) -> Built {
    let expansion = Expansion { growth: Growth::AllAtOnce, ..Expansion::default() };
    let uct = Uct { expansion, ..uct(parameters)? };
    each_world(uct, parameters)
}

fn tuned(parameters: &mut Parameters) -> Built {
    let exploration = parameters.number("exploration", 2.0 * EXPLORATION, (0.0, 10.0))?;
    selecting(Ucb1Tuned { exploration, ..Ucb1Tuned::default() }, parameters)
}

/// The same evaluator with priors.
fn advised<S, E>(
    uct: Uct<S, E>,
    parameters: &mut Parameters,
) -> Result<Uct<S, Advised<E>>, ParameterError>
where
    S: Clone,
    E: Clone,
{
    let temperature = parameters.number("temperature", 0.2, (0.001, 100.0))?;
    let advised = Advised { evaluator: uct.evaluator.clone(), temperature };
    Ok(uct.with_evaluator(advised))
}

fn puct(parameters: &mut Parameters) -> Built {
    let initial = parameters.number("exploration", EXPLORATION, (0.0, 10.0))?;
    let uct = advised(uct(parameters)?, parameters)?;
    each_world(uct.with_selection(Puct { initial, ..Puct::default() }), parameters)
}

fn rave(parameters: &mut Parameters) -> Built {
    let bias = parameters.number("bias", 0.1, (0.0, 10.0))?;
    let policy = ucb1(parameters)?;
    selecting(Rave { policy, schedule: RaveSchedule::MinimumMse { bias } }, parameters)
}

fn rave_hand(parameters: &mut Parameters) -> Built {
    let equivalence = parameters.number("equivalence", 100.0, (0.0, 1e6))?;
    let policy = ucb1(parameters)?;
    selecting(Rave { policy, schedule: RaveSchedule::HandSelected { equivalence } }, parameters)
}

fn grave(parameters: &mut Parameters) -> Built {
    let bias = parameters.number("bias", Grave::default().bias, (0.0, 10.0))?;
    let policy = ucb1(parameters)?;
    selecting(Grave { policy, bias, ..Grave::default() }, parameters)
}

fn bias(parameters: &mut Parameters) -> Built {
    let weight = parameters.number("weight", 1.0, (0.0, 100.0))?;
    let policy = ucb1(parameters)?;
    let uct = advised(uct(parameters)?, parameters)?;
    each_world(uct.with_selection(ProgressiveBias { policy, weight }), parameters)
}

fn history(parameters: &mut Parameters) -> Built {
    let weight = parameters.number("weight", 3.0, (0.0, 100.0))?;
    let policy = ucb1(parameters)?;
    let history = ProgressiveHistory { policy, weight, ..<ProgressiveHistory>::default() };
    selecting(history, parameters)
}

fn rolling(default: f32, parameters: &mut Parameters) -> Built {
    let policy = epsilon(parameters, default)?;
    rolling_by(policy, parameters)
}

fn mast(parameters: &mut Parameters) -> Built {
    let epsilon = parameters.number("epsilon", 0.2, (0.0, 1.0))?;
    let choice = MastChoice::EpsilonGreedy { epsilon };
    rolling_by(Mast { choice, ..Mast::default() }, parameters)
}

fn gibbs(parameters: &mut Parameters) -> Built {
    let temperature = parameters.number("temperature", 0.03, (0.001, 100.0))?;
    let choice = MastChoice::Gibbs { temperature };
    rolling_by(Mast { choice, ..Mast::default() }, parameters)
}

fn reply(parameters: &mut Parameters) -> Built {
    let policy = epsilon(parameters, 1.0)?;
    let replies = LastGoodReply {
        policy,
        forgetting: Forgetting::AfterLoss,
        replies: ActionTable::default(),
    };
    rolling_by(AgainstTheMean::new(replies), parameters)
}

fn cut(parameters: &mut Parameters) -> Built {
    let plies = parameters.take_as("plies", "a whole number")?.unwrap_or(5);
    let beyond: fn(&Determinized<'_>, &Walk) -> Utilities = |game, walk| game.beyond(walk);
    let uct = uct(parameters)?;
    let rollout = uct.evaluator.cut(plies, beyond);
    each_world(uct.with_evaluator(rollout), parameters)
}

/// The knowledge of a search of histories.
fn known(parameters: &mut Parameters, credit: f32) -> Result<(Parts, Known), ParameterError> {
    let rolling = epsilon(parameters, 1.0)?;
    let credit = parameters.number("credit", credit, (0.0, 1e6))? as u32;
    let scale = parameters.number("worth", 2.0, (0.0, 100.0))?;
    let parts = Parts::of(parameters)?;
    Ok((parts, Known { base_policy: parts.search.knowledge, rolling, credit, scale }))
}

fn histories(credit: f32, parameters: &mut Parameters) -> Built {
    let exploration = parameters.number("exploration", EXPLORATION_OF_HISTORIES, (0.0, 100.0))?;
    let (parts, knowledge) = known(parameters, credit)?;
    seat(parts.with_search(Histories(Pomcp {
        exploration: Exploration::Returns(exploration),
        knowledge,
        horizon: HORIZON.into(),
        least_weight: 0.01,
        final_action: FinalAction::Robust,
        memory_cap_bytes: 64 << 20,
    })))
}

fn no_tree(parameters: &mut Parameters) -> Built {
    let (parts, knowledge) = known(parameters, 0.0)?;
    let PolicyRollouts { horizon, least_rounds, elimination_z, .. } = parts.search;
    let search =
        PolicyRollouts { knowledge, horizon, least_rounds, elimination_z, override_z: 0.0 };
    seat(parts.with_search(search))
}

#[cfg(test)]
mod tests {
    use super::PARTS;
    use crate::{Match, play};
    use std::collections::BTreeSet;
    use std::time::Duration;

    #[test]
    fn every_part_plays_the_maze_by_its_seed_and_unlike_the_others() {
        let mut games = BTreeSet::new();
        for part in PARTS {
            let [player, policy, footsteps] = [part.name, "hunter", "assumed"].map(String::from);
            let game = Match { player, policy, footsteps, size: 11, seed: 3 };
            let played = || {
                let played = play(&game, "playouts=60,seed=5", Duration::ZERO).unwrap();
                (played.score, played.turns, played.playouts)
            };
            let first = played();
            assert_eq!(first, played(), "{}", part.name);
            games.insert(first);
        }
        assert!(games.len() > PARTS.len() / 2, "{games:?}");
    }
}
