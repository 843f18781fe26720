//! Two games of one hidden fair bit, on which searches of hidden information differ.

use mcts_core::{
    Game, HiddenInformation, InformationSets, Model, Player, SearchRng, Turn, Utilities, rng,
};

/// A game of one hidden bit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum HiddenBit {
    /// One player who may take 0.4, go on to guess the bit for 1 or -1, or pay 0.1 to see it and
    /// then guess.
    Peek,
    /// The second player, who has seen the bit, stops for 0 or goes on; then the first, who has
    /// not, accepts for 1 (good bit) or -1 (bad), or declines for 0.1 or -0.5.
    Bluff,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BitAction {
    Deal(bool),
    Safe,
    Guess(bool),
    Peek,
    Stop,
    GoOn,
    Accept,
    Decline,
}

/// The bit, once dealt, and the players' actions.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct BitState {
    bit: Option<bool>,
    done: Vec<BitAction>,
}

/// Whether the bit was dealt, the bit if it was seen, and the players' actions.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct BitView {
    is_dealt: bool,
    seen: Option<bool>,
    done: Vec<BitAction>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum BitObservation {
    Dealt(Option<bool>),
    Did(BitAction, Option<bool>),
}

impl HiddenBit {
    /// Whether `observer` has seen the bit.
    fn sees(self, state: &BitState, observer: Player) -> bool {
        match self {
            HiddenBit::Peek => state.done.contains(&BitAction::Peek),
            HiddenBit::Bluff => observer == Player::SECOND,
        }
    }
}

impl Game for HiddenBit {
    type State = BitState;
    type Action = BitAction;
    const UTILITY_BOUNDS: (f32, f32) = (-1.1, 1.1);

    fn start(&self) -> BitState {
        BitState::default()
    }
    fn turn(&self, state: &BitState) -> Turn {
        let Some(bit) = state.bit else { return Turn::Chance };
        let price = if state.done.contains(&BitAction::Peek) { 0.1 } else { 0.0 };
        Turn::Over(Utilities::zero_sum(match (self, state.done.last()) {
            (HiddenBit::Peek, None | Some(BitAction::Peek | BitAction::GoOn)) => {
                return Turn::Player(Player::FIRST);
            }
            (HiddenBit::Bluff, None) => return Turn::Player(Player::SECOND),
            (HiddenBit::Bluff, Some(BitAction::GoOn)) => return Turn::Player(Player::FIRST),
            (_, Some(BitAction::Safe)) => 0.4 - price,
            (_, Some(BitAction::Guess(guess))) => {
                if *guess == bit {
                    1.0 - price
                } else {
                    -1.0 - price
                }
            }
            (_, Some(BitAction::Accept)) => {
                if bit {
                    1.0
                } else {
                    -1.0
                }
            }
            (_, Some(BitAction::Decline)) => {
                if bit {
                    0.1
                } else {
                    -0.5
                }
            }
            _ => 0.0,
        }))
    }
    fn actions(&self, state: &BitState, visit: impl FnMut(BitAction)) {
        let actions: &[BitAction] = match (self, state.bit, state.done.last()) {
            (_, None, _) => &[BitAction::Deal(false), BitAction::Deal(true)],
            (HiddenBit::Peek, _, None) => &[BitAction::Safe, BitAction::GoOn, BitAction::Peek],
            (HiddenBit::Peek, _, _) => &[BitAction::Guess(false), BitAction::Guess(true)],
            (HiddenBit::Bluff, _, None) => &[BitAction::Stop, BitAction::GoOn],
            (HiddenBit::Bluff, _, _) => &[BitAction::Accept, BitAction::Decline],
        };
        actions.iter().copied().for_each(visit);
    }
    fn apply(&self, state: &mut BitState, action: BitAction) {
        match action {
            BitAction::Deal(bit) => state.bit = Some(bit),
            action => state.done.push(action),
        }
    }
    fn action_index(&self, action: BitAction) -> Option<usize> {
        match action {
            BitAction::Deal(_) => None,
            action => Some(number(action) as usize - 3),
        }
    }
    fn action_indices(&self) -> usize {
        8
    }
}

/// A number for each action, from 1.
fn number(action: BitAction) -> u64 {
    match action {
        BitAction::Deal(bit) => 1 + u64::from(bit),
        BitAction::Safe => 3,
        BitAction::Guess(bit) => 4 + u64::from(bit),
        BitAction::Peek => 6,
        BitAction::Stop => 7,
        BitAction::GoOn => 8,
        BitAction::Accept => 9,
        BitAction::Decline => 10,
    }
}

impl HiddenInformation for HiddenBit {
    type Observation = BitObservation;
    type View = BitView;

    fn first_view(&self, _: &BitState, _: Player) -> BitView {
        BitView::default()
    }
    fn observe(&self, state: &BitState, action: BitAction, observer: Player) -> BitObservation {
        let seen = state.bit.filter(|_| self.sees(state, observer));
        match action {
            BitAction::Deal(_) => BitObservation::Dealt(seen),
            action => BitObservation::Did(action, seen),
        }
    }
    fn grow(&self, view: &mut BitView, _: Option<BitAction>, observation: &BitObservation) {
        match observation {
            BitObservation::Dealt(seen) => {
                view.is_dealt = true;
                view.seen = *seen;
            }
            BitObservation::Did(action, seen) => {
                view.seen = *seen;
                view.done.push(*action);
            }
        }
    }
    fn determinize(&self, view: &BitView, rng: &mut SearchRng) -> BitState {
        let drawn = rng::below(rng, 2) == 1;
        let bit = view.is_dealt.then(|| view.seen.unwrap_or(drawn));
        BitState { bit, done: view.done.clone() }
    }
}

impl InformationSets for HiddenBit {
    fn information_key(&self, state: &BitState, player: Player) -> u64 {
        let seen = state.bit.filter(|_| self.sees(state, player));
        let start = 1 + u64::from(player.0) + 2 * seen.map_or(0, |bit| u64::from(bit) + 1);
        let done = state.done.iter().fold(start, |key, action| rng::mix(key) ^ number(*action));
        rng::mix(done ^ u64::from(state.bit.is_some()) << 32)
    }
}

/// The problem of the first player; only for the game where she is alone.
impl Model for HiddenBit {
    type State = BitState;
    type Action = BitAction;
    type Observation = BitObservation;
    type View = BitView;

    fn return_bounds(&self) -> (f32, f32) {
        HiddenBit::UTILITY_BOUNDS
    }
    fn is_over(&self, state: &BitState) -> bool {
        matches!(self.turn(state), Turn::Over(_))
    }
    fn actions(&self, state: &BitState, visit: impl FnMut(BitAction)) {
        Game::actions(self, state, visit);
    }
    fn step(&self, state: &mut BitState, action: BitAction, _: &mut SearchRng) -> f32 {
        self.apply(state, action);
        match self.turn(state) {
            Turn::Over(utilities) => utilities.of_player(Player::FIRST),
            _ => 0.0,
        }
    }
    fn observe(&self, state: &BitState, action: BitAction, _: &mut SearchRng) -> BitObservation {
        HiddenInformation::observe(self, state, action, Player::FIRST)
    }
    fn likelihood(&self, state: &BitState, action: BitAction, seen: &BitObservation) -> f32 {
        HiddenInformation::likelihood(self, state, action, Player::FIRST, seen)
    }
    fn observation_key(&self, seen: &BitObservation) -> u64 {
        match seen {
            BitObservation::Dealt(bit) => bit.map_or(0, |bit| 1 + u64::from(bit)),
            BitObservation::Did(action, bit) => {
                4 * number(*action) + bit.map_or(0, |bit| 1 + u64::from(bit))
            }
        }
    }
    fn grow(&self, view: &mut BitView, action: BitAction, seen: &BitObservation) {
        HiddenInformation::grow(self, view, Some(action), seen);
    }
    fn determinize(&self, view: &BitView, rng: &mut SearchRng) -> BitState {
        HiddenInformation::determinize(self, view, rng)
    }
}
