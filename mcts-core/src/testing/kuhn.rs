//! Kuhn poker: a game of hidden information with a known value.

use crate::game::{Game, HiddenInformation, InformationSets, Player, Turn, Utilities};
use crate::rng::{self, SearchRng};
use alloc::vec::Vec;

/// Three cards, one for each of two players, who ante one and may bet one more (Kuhn, 1950). Its value for the first
/// player is -1/18.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Kuhn;

/// The cards dealt, 0 to 2, and the players' actions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KuhnState {
    cards: Vec<u8>,
    bets: Vec<bool>,
}

/// One choice of a player or of the dealer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KuhnAction {
    /// The next player gets this card.
    Deal(u8),
    /// Checks, or folds to a bet.
    Pass,
    /// Bets, or calls a bet.
    Bet,
}

/// What a player sees of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KuhnObservation {
    /// Her card.
    Card(u8),
    /// The other player's card was dealt.
    OtherCard,
    /// An action of one of the two: whether it is a bet.
    Bets(bool),
}

/// A player's information set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KuhnView {
    player: Player,
    card: Option<u8>,
    dealt: usize,
    bets: Vec<bool>,
}

impl Game for Kuhn {
    type State = KuhnState;
    type Action = KuhnAction;

    const UTILITY_BOUNDS: (f32, f32) = (-2.0, 2.0);

    fn start(&self) -> KuhnState {
        KuhnState::default()
    }

    fn turn(&self, state: &KuhnState) -> Turn {
        let [first, second] = state.cards[..] else { return Turn::Chance };
        let stronger = if first > second { 1.0 } else { -1.0 };
        Turn::Over(Utilities::zero_sum(match state.bets[..] {
            [] | [false, true] => return Turn::Player(Player::FIRST),
            [_] => return Turn::Player(Player::SECOND),
            [true, false] => 1.0,
            [false, true, false] => -1.0,
            [false, false] => stronger,
            _ => 2.0 * stronger,
        }))
    }

    fn actions(&self, state: &KuhnState, mut visit: impl FnMut(KuhnAction)) {
        if state.cards.len() < 2 {
            let free = (0..3).filter(|card| !state.cards.contains(card));
            free.for_each(|card| visit(KuhnAction::Deal(card)));
        } else {
            visit(KuhnAction::Pass);
            visit(KuhnAction::Bet);
        }
    }

    fn apply(&self, state: &mut KuhnState, action: KuhnAction) {
        match action {
            KuhnAction::Deal(card) => state.cards.push(card),
            KuhnAction::Pass => state.bets.push(false),
            KuhnAction::Bet => state.bets.push(true),
        }
    }

    fn action_index(&self, action: KuhnAction) -> Option<usize> {
        match action {
            KuhnAction::Deal(_) => None,
            KuhnAction::Pass => Some(0),
            KuhnAction::Bet => Some(1),
        }
    }

    fn action_indices(&self) -> usize {
        2
    }
}

impl HiddenInformation for Kuhn {
    type Observation = KuhnObservation;
    type View = KuhnView;

    fn first_view(&self, _: &KuhnState, observer: Player) -> KuhnView {
        KuhnView { player: observer, card: None, dealt: 0, bets: Vec::new() }
    }

    fn observe(&self, state: &KuhnState, action: KuhnAction, observer: Player) -> KuhnObservation {
        match action {
            KuhnAction::Deal(_) if state.cards.len() == observer.index() + 1 => {
                KuhnObservation::Card(state.cards[observer.index()])
            }
            KuhnAction::Deal(_) => KuhnObservation::OtherCard,
            KuhnAction::Pass => KuhnObservation::Bets(false),
            KuhnAction::Bet => KuhnObservation::Bets(true),
        }
    }

    fn grow(&self, view: &mut KuhnView, _: Option<KuhnAction>, observation: &KuhnObservation) {
        match *observation {
            KuhnObservation::Card(card) => {
                view.card = Some(card);
                view.dealt += 1;
            }
            KuhnObservation::OtherCard => view.dealt += 1,
            KuhnObservation::Bets(bets) => view.bets.push(bets),
        }
    }

    fn determinize(&self, view: &KuhnView, rng: &mut SearchRng) -> KuhnState {
        let mut cards = Vec::new();
        for player in 0..view.dealt {
            let own = view.card.filter(|_| player == view.player.index());
            let others = |card: &u8| !cards.contains(card) && Some(*card) != view.card;
            let free: Vec<u8> = (0..3).filter(others).collect();
            cards.push(own.unwrap_or_else(|| free[rng::below(rng, free.len())]));
        }
        KuhnState { cards, bets: view.bets.clone() }
    }
}

impl InformationSets for Kuhn {
    fn information_key(&self, state: &KuhnState, player: Player) -> u64 {
        let card = state.cards.get(player.index()).map_or(0, |card| u64::from(*card) + 1);
        let dealt = state.cards.len() as u64;
        // the leading one distinguishes sequences of different length
        let bets = state.bets.iter().fold(1, |bits, bets| bits << 1 | u64::from(*bets));
        rng::mix(u64::from(player.0) + 1 + 8 * (card + 8 * (dealt + 8 * bets)))
    }
}
