//! The test kit finds hidden information that is not hidden, or not sampled correctly.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::cell::Cell;

use mcts_core::testing::{
    HiddenOptions, Kuhn, check_game, check_hidden_information, check_information_sets,
};
use mcts_core::{
    Game, HiddenInformation, InformationSets, Player, SearchRng, Turn, Utilities, rng,
};

/// The fault of the game.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fault {
    Nothing,
    /// Both players may hold the same card.
    SameCard,
    /// A view samples one state only.
    OneDraw,
    /// The lowest card of the other player is never sampled.
    NeverLowest,
    /// The rules store the last state and sample it.
    DrawsTruth,
    /// The view contains the true state, hidden from `==`.
    ViewHoldsTruth,
    /// Both players see both cards.
    AllSeen,
    /// The determinization loses the second player's own card.
    ForgetsOwn,
    /// The key of an information set contains both cards.
    KeyOfAll,
    /// The key omits the bids.
    KeyOfCard,
}

/// Each of two players is dealt one of five cards; both pass or raise in turn, and the higher card
/// wins.
struct Cards {
    fault: Fault,
    /// The last state that the rules saw, for a game that cheats.
    last: Cell<Deal>,
}

const CARDS: u8 = 5;

#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Deal {
    cards: [Option<u8>; 2],
    raises: [Option<bool>; 2],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Move {
    Deal(u8),
    Raise(bool),
}

#[derive(Debug, Clone, Copy)]
struct Seen {
    deal: Deal,
    truth: Deal,
}

impl PartialEq for Seen {
    fn eq(&self, other: &Seen) -> bool {
        self.deal == other.deal
    }
}

#[derive(Debug, Clone, Copy)]
struct View {
    seen: Seen,
    player: usize,
    dealt: u8,
}

impl PartialEq for View {
    fn eq(&self, other: &View) -> bool {
        (self.seen, self.player, self.dealt) == (other.seen, other.player, other.dealt)
    }
}

impl Cards {
    fn with(fault: Fault) -> Cards {
        Cards { fault, last: Cell::default() }
    }
}

impl Game for Cards {
    type State = Deal;
    type Action = Move;
    const UTILITY_BOUNDS: (f32, f32) = (-3.0, 3.0);

    fn start(&self) -> Deal {
        Deal::default()
    }
    fn turn(&self, deal: &Deal) -> Turn {
        let [Some(first), Some(second)] = deal.cards else { return Turn::Chance };
        match deal.raises {
            [None, _] => Turn::Player(Player::FIRST),
            [_, None] => Turn::Player(Player::SECOND),
            raises => {
                let stake =
                    1.0 + raises.iter().filter(|raise| **raise == Some(true)).count() as f32;
                let order = first.cmp(&second) as i8;
                Turn::Over(Utilities::zero_sum(stake * f32::from(order)))
            }
        }
    }
    fn actions(&self, deal: &Deal, visit: impl FnMut(Move)) {
        if deal.cards.contains(&None) {
            let free = (0..CARDS).filter(|card| !deal.cards.contains(&Some(*card)));
            free.map(Move::Deal).for_each(visit);
        } else {
            [false, true].into_iter().map(Move::Raise).for_each(visit);
        }
    }
    fn apply(&self, deal: &mut Deal, action: Move) {
        match action {
            Move::Deal(card) => {
                *deal.cards.iter_mut().find(|card| card.is_none()).unwrap() = Some(card)
            }
            Move::Raise(raise) => {
                *deal.raises.iter_mut().find(|raise| raise.is_none()).unwrap() = Some(raise);
            }
        }
        self.last.set(*deal);
    }
    fn action_index(&self, action: Move) -> Option<usize> {
        match action {
            Move::Deal(_) => None,
            Move::Raise(raise) => Some(raise.into()),
        }
    }
    fn action_indices(&self) -> usize {
        2
    }
}

impl HiddenInformation for Cards {
    type Observation = Seen;
    type View = View;

    fn first_view(&self, start: &Deal, observer: Player) -> View {
        View { seen: Seen { deal: *start, truth: *start }, player: observer.index(), dealt: 0 }
    }
    fn observe(&self, deal: &Deal, _: Move, observer: Player) -> Seen {
        let mut seen = *deal;
        if self.fault != Fault::AllSeen {
            seen.cards[1 - observer.index()] = None;
        }
        Seen { deal: seen, truth: *deal }
    }
    fn grow(&self, view: &mut View, _: Option<Move>, seen: &Seen) {
        view.seen = *seen;
        view.dealt = 2.min(view.dealt + 1);
    }
    fn determinize(&self, view: &View, rng: &mut SearchRng) -> Deal {
        let mut deal = view.seen.deal;
        for player in 0..usize::from(view.dealt) {
            if player == view.player || deal.cards[player].is_some() {
                continue;
            }
            let own = deal.cards[view.player];
            let lowest = u8::from(self.fault == Fault::NeverLowest && own.is_some());
            let free: Vec<u8> = (lowest..CARDS)
                .filter(|card| self.fault == Fault::SameCard || own != Some(*card))
                .collect();
            let n = rng::below(rng, free.len());
            deal.cards[player] = Some(free[if self.fault == Fault::OneDraw { 0 } else { n }]);
        }
        match self.fault {
            Fault::DrawsTruth if view.dealt == 2 => Deal { cards: self.last.get().cards, ..deal },
            Fault::ViewHoldsTruth => view.seen.truth,
            Fault::ForgetsOwn if view.player == 1 && view.dealt == 2 => {
                Deal { cards: [deal.cards[1], deal.cards[0]], ..deal }
            }
            _ => deal,
        }
    }
}

impl InformationSets for Cards {
    fn information_key(&self, deal: &Deal, player: Player) -> u64 {
        let number = |card: Option<u8>| card.map_or(0, |card| 1 + u64::from(card));
        let other = deal.cards[1 - player.index()];
        let hidden = if self.fault == Fault::KeyOfAll { number(other) } else { 0 };
        let own = 10 * number(deal.cards[player.index()]) + hidden;
        let raises = deal
            .raises
            .iter()
            .fold(0, |sum, raise| 3 * sum + raise.map_or(0, |r| 1 + u64::from(r)));
        rng::mix(own * 100 + if self.fault == Fault::KeyOfCard { 0 } else { raises })
    }
}

fn found(fault: Fault) -> String {
    let checked =
        check_hidden_information(&Cards::with(fault), &HiddenOptions::default(), |_, _| ());
    checked.map_or_else(|violation| violation.to_string(), |checked| format!("{checked:?}"))
}

#[test]
fn a_correct_game_of_hidden_cards_passes_and_says_how_much_was_hidden() {
    let game = Cards::with(Fault::Nothing);
    check_game(&game, &Default::default()).unwrap();
    let checked = check_hidden_information(&game, &HiddenOptions::default(), |_, _| ()).unwrap();
    assert!(checked.hidden >= 90, "the other card is hidden at each of 100 decisions: {checked:?}");
    assert!(checked.decisions >= 90 && checked.listed_views >= 50, "{checked:?}");
    assert!(check_information_sets(&game, &HiddenOptions::default()).unwrap() >= 10);
    assert!(check_information_sets(&Kuhn, &HiddenOptions::default()).unwrap() >= 10);
}

#[test]
fn draws_that_do_not_agree_with_the_view_are_found() {
    let expected = [
        (Fault::SameCard, "that no game with her view leads to"),
        (Fault::ForgetsOwn, "a state drawn from the view shows"),
        (Fault::NeverLowest, "never gave the state after"),
        (Fault::OneDraw, "never gave the state after"),
    ];
    for (fault, text) in expected {
        assert!(found(fault).contains(text), "{fault:?}: {}", found(fault));
    }
    // where states cannot be listed, a view that always samples one state is found by its samples
    let options = HiddenOptions { positions: 0, ..HiddenOptions::default() };
    let violation = check_hidden_information(&Cards::with(Fault::OneDraw), &options, |_, _| ());
    assert!(violation.unwrap_err().what.contains("`determinize` always gave the same state"));
}

#[test]
fn a_draw_or_a_decision_that_reads_the_truth_is_found() {
    for fault in [Fault::DrawsTruth, Fault::ViewHoldsTruth] {
        let text = found(fault);
        assert!(
            text.contains("gave different draws for equal views and seeds"),
            "{fault:?}: {text}"
        );
    }
    let game = Cards::with(Fault::Nothing);
    let peek = |_: &View, _: u64| game.last.get().cards;
    let violation = check_hidden_information(&game, &HiddenOptions::default(), peek).unwrap_err();
    assert!(violation.what.contains("keep the truth out of reach"), "{violation}");
    let reads_view = |view: &View, _: u64| view.seen.truth.cards;
    let violation = check_hidden_information(&game, &HiddenOptions::default(), reads_view);
    assert!(violation.unwrap_err().what.contains("keep the truth out of reach"));
}

#[test]
fn a_view_of_everything_hides_nothing() {
    let text = found(Fault::AllSeen);
    assert!(text.contains("nothing was hidden at any of 100 decisions"), "{text}");
}

#[test]
fn a_key_of_too_much_or_too_little_is_found() {
    let key = |fault| check_information_sets(&Cards::with(fault), &HiddenOptions::default());
    let violation = key(Fault::KeyOfAll).unwrap_err();
    assert!(violation.what.contains("leave out what she has not seen"), "{violation}");
    let violation = key(Fault::KeyOfCard).unwrap_err();
    assert!(violation.what.contains("has one `information_key` for the views"), "{violation}");
}
