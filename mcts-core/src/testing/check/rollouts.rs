//! Compares overridden rollouts with the defaults.

use super::CheckOptions;
use crate::game::{Game, MAX_PLAYERS, Player, Turn, Utilities};
use crate::rng::SearchRng;
use crate::trace::{Trace, Untraced};
use alloc::format;
use alloc::string::String;

/// Only the default methods of a game, for comparison with its overrides.
#[derive(Debug, Clone, Copy)]
pub struct Defaults<'a, G>(
    /// The game.
    pub &'a G,
);

impl<G: Game> Game for Defaults<'_, G> {
    type State = G::State;
    type Action = G::Action;
    const PLAYERS: usize = G::PLAYERS;
    const ZERO_SUM: bool = G::ZERO_SUM;
    const UTILITY_BOUNDS: (f32, f32) = G::UTILITY_BOUNDS;
    const HAS_REWARDS: bool = G::HAS_REWARDS;

    fn start(&self) -> G::State {
        self.0.start()
    }
    fn turn(&self, state: &G::State) -> Turn {
        self.0.turn(state)
    }
    fn actions(&self, state: &G::State, visit: impl FnMut(G::Action)) {
        self.0.actions(state, visit);
    }
    fn apply(&self, state: &mut G::State, action: G::Action) {
        self.0.apply(state, action);
    }
    fn action_index(&self, action: G::Action) -> Option<usize> {
        self.0.action_index(action)
    }
    fn action_indices(&self) -> usize {
        self.0.action_indices()
    }
    fn apply_with_rewards(&self, state: &mut G::State, action: G::Action) -> Utilities {
        self.0.apply_with_rewards(state, action)
    }
    fn discount(&self) -> f32 {
        self.0.discount()
    }
    fn outcomes(&self, state: &G::State, visit: impl FnMut(G::Action, f32)) {
        self.0.outcomes(state, visit);
    }
}

/// Mean and variance of the mean, for each player.
#[derive(Default, Clone, Copy)]
struct Mean {
    sum: f64,
    square: f64,
    count: f64,
}

impl Mean {
    fn add(&mut self, value: f32) {
        self.sum += f64::from(value);
        self.square += f64::from(value) * f64::from(value);
        self.count += 1.0;
    }

    fn differs(&self, other: &Mean) -> bool {
        let variance = |mean: &Mean| {
            let value = mean.sum / mean.count;
            ((mean.square / mean.count - value * value) / mean.count).max(0.0)
        };
        let difference = (self.sum / self.count - other.sum / other.count).abs();
        // six standard errors; the small addition covers rare outcomes that one side has not seen
        difference > 6.0 * libm::sqrt(variance(self) + variance(other)) + 10.0 / self.count
    }
}

const WRONG_MEAN: &str = "another mean than the default: an override must choose every legal action equally often and \
     give the utilities of `turn`";

pub(super) fn check<G: Game>(
    game: &G,
    options: &CheckOptions,
    rng: &mut SearchRng,
) -> Result<(), String> {
    const LANES: usize = 5;
    let calls = options.rollouts as usize / LANES;
    let (mut default, mut own, mut several) = (
        [Mean::default(); MAX_PLAYERS],
        [Mean::default(); MAX_PLAYERS],
        [Mean::default(); MAX_PLAYERS],
    );
    let add = |means: &mut [Mean; MAX_PLAYERS], utilities: &Utilities| {
        means.iter_mut().zip(utilities.0).for_each(|(mean, value)| mean.add(value));
    };
    for _ in 0..calls {
        let mut results = [Utilities::ZERO; LANES];
        let mut states: [G::State; LANES] = core::array::from_fn(|_| game.start());
        game.rollouts(&mut states, rng, &mut results);
        for result in &results {
            add(&mut default, &Defaults(game).rollout(game.start(), &mut Untraced, rng));
            add(&mut own, &game.rollout(game.start(), &mut Untraced, rng));
            add(&mut several, result);
        }
    }
    for player in 0..G::PLAYERS.min(MAX_PLAYERS) {
        let player_name = Player(player as u8);
        if calls > 0 && default[player].differs(&own[player]) {
            return Err(format!("`rollout` gives {player_name:?} {WRONG_MEAN}"));
        }
        if calls > 0 && default[player].differs(&several[player]) {
            return Err(format!("`rollouts` gives {player_name:?} {WRONG_MEAN}"));
        }
    }
    let mut checks = 0..calls.min(100);
    checks.try_for_each(|_| check_traced(game, rng).map_err(|what| format!("`rollout` {what}")))
}

/// Replays the trace of a rollout and compares the ends. Steps that stand for several actions
/// (those of chance, and others with the index of a sibling) cannot be replayed: the check stops
/// there.
fn check_traced<G: Game>(game: &G, rng: &mut SearchRng) -> Result<(), String> {
    let mut trace = Trace::default();
    let found = game.rollout(game.start(), &mut trace, rng);
    let (mut state, mut total, mut weight) = (game.start(), Utilities::ZERO, 1.0);
    for (at, step) in trace.steps().iter().enumerate() {
        let Turn::Player(player) = game.turn(&state) else {
            let over = matches!(game.turn(&state), Turn::Over(_));
            return if over { Err(format!("goes on after its end, at step {at}")) } else { Ok(()) };
        };
        let (mut meant, mut count) = (None, 0);
        game.actions(&state, |action| {
            if game.action_index(action) == step.index() {
                (meant, count) = (Some(action), count + 1);
            }
        });
        let Some(action) = meant.filter(|_| player == step.player()) else {
            return Err(format!("reports {step:?} at step {at}, which {player:?} cannot do"));
        };
        if count > 1 {
            return Ok(());
        }
        total = total.plus(&game.apply_with_rewards(&mut state, action), weight);
        if G::HAS_REWARDS {
            weight *= game.discount();
        }
    }
    let Turn::Over(utilities) = game.turn(&state) else {
        return Err("ends its trace before the game does; give each action to the recorder".into());
    };
    let played = total.plus(&utilities, weight);
    let close = |(one, other): (&f32, &f32)| (one - other).abs() <= 1e-4 * (1.0 + one.abs());
    if played.0.iter().zip(&found.0).take(G::PLAYERS).all(close) {
        Ok(())
    } else {
        Err(format!("gives {found:?}, but its trace comes to {played:?}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng;
    use crate::trace::{Recorder, TraceStep};

    /// Two players set three bits in turn; the first maximizes their number.
    struct Bits {
        /// Changes the trace of a rollout, and returns its result.
        spoil: fn(&mut Trace, Utilities) -> Utilities,
    }

    impl Game for Bits {
        type State = [Option<u8>; 3];
        type Action = u8;

        fn start(&self) -> Self::State {
            [None; 3]
        }
        fn turn(&self, bits: &Self::State) -> Turn {
            match bits.iter().position(Option::is_none) {
                Some(at) => Turn::Player(Player(at as u8 % 2)),
                None => Turn::Over(Utilities::zero_sum(
                    bits.iter().flatten().map(|bit| f32::from(*bit)).sum::<f32>() / 3.0,
                )),
            }
        }
        fn actions(&self, _: &Self::State, visit: impl FnMut(u8)) {
            [0, 1].into_iter().for_each(visit);
        }
        fn apply(&self, bits: &mut Self::State, bit: u8) {
            if let Some(place) = bits.iter_mut().find(|place| place.is_none()) {
                *place = Some(bit);
            }
        }
        fn action_index(&self, bit: u8) -> Option<usize> {
            Some(bit.into())
        }
        fn action_indices(&self) -> usize {
            2
        }
        fn rollout(
            &self,
            bits: Self::State,
            recorder: &mut impl Recorder,
            rng: &mut SearchRng,
        ) -> Utilities {
            let mut trace = Trace::default();
            let utilities = Defaults(self).rollout(bits, &mut trace, rng);
            let utilities = (self.spoil)(&mut trace, utilities);
            trace.steps().iter().for_each(|step| recorder.record(|| *step));
            utilities
        }
    }

    fn found(spoil: fn(&mut Trace, Utilities) -> Utilities) -> String {
        let mut rng = rng::stream(1, 0);
        let checked = (0..20).try_for_each(|_| check_traced(&Bits { spoil }, &mut rng));
        checked.err().unwrap_or_default()
    }

    #[test]
    fn a_trace_that_does_not_lead_to_the_result_is_found() {
        assert_eq!(found(|_, utilities| utilities), "");
        assert!(found(|_, _| Utilities::zero_sum(1.0)).contains("its trace comes to"));
        let longer = found(|trace, utilities| {
            trace.push(TraceStep::new(Player::SECOND, Some(1)));
            utilities
        });
        assert!(longer.contains("after its end, at step 3"), "{longer}");
        let shorter = found(|trace, utilities| {
            let steps = trace.steps()[..2].to_vec();
            trace.clear();
            steps.into_iter().for_each(|step| trace.push(step));
            utilities
        });
        assert!(shorter.contains("before the game does"), "{shorter}");
        let by_another = found(|trace, utilities| {
            trace.clear();
            trace.push(TraceStep::new(Player::SECOND, Some(0)));
            utilities
        });
        assert!(by_another.contains("which Player(0) cannot do"), "{by_another}");
    }
}
