//! The rules, apart from any search: the truth, which no player sees whole.
//!
//! TODO: these are a placeholder's, a small poker: each player is dealt one of nine cards and puts in one coin; the
//! first passes or bets one more, the other passes or bets too, and after a pass and a bet the first may bet too.
//! Who passes to a bet loses; otherwise the higher card wins.

/// Number of cards.
pub const CARDS: u8 = 9;

/// What changes during a game, hidden or not; small, and cheap to copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Position {
    // TODO: the board, the hands, and all else that the rest of the game depends on
    /// The card of each player, from 1; 0 before it is dealt.
    pub cards: [u8; 2],
    /// Whether each of the choices so far was a bet.
    pub bets: [bool; 3],
    /// The number of choices so far.
    pub choices: u8,
}

/// One choice of a player, or of the dealer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    // TODO: in at most four bytes
    /// Chance: the next player gets this card.
    Deal(u8),
    Pass,
    Bet,
}

/// Who is next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// The dealer, by chance.
    Chance,
    /// The player of this number, from 0.
    Player(u8),
    /// No player: the game is over; the coins that the first player won.
    Over(i8),
}

impl Position {
    /// Most coins that a player can win.
    // TODO: the most that a player can win
    pub const MOST_COINS: i8 = 2;

    /// Who is next, or how the game ended.
    pub fn next(&self) -> Next {
        // TODO: who is next, and what everybody got at the end
        if self.cards.contains(&0) {
            return Next::Chance;
        }
        let higher = if self.cards[0] > self.cards[1] { 1 } else { -1 };
        match self.bets[..usize::from(self.choices)] {
            [] | [false, true] => Next::Player(0),
            [_] => Next::Player(1),
            [true, false] => Next::Over(1),
            [false, true, false] => Next::Over(-1),
            [false, false] => Next::Over(higher),
            _ => Next::Over(2 * higher),
        }
    }

    /// The legal actions, or what the dealer can do, always in the same order; at least one unless the game is over.
    pub fn actions(&self) -> Vec<Action> {
        // TODO: the legal actions, and the outcomes of chance
        match self.next() {
            Next::Over(_) => Vec::new(),
            Next::Player(_) => vec![Action::Pass, Action::Bet],
            Next::Chance => {
                let free = (1..=CARDS).filter(|card| !self.cards.contains(card));
                free.map(Action::Deal).collect()
            }
        }
    }

    /// Applies a legal action.
    pub fn apply(&mut self, action: Action) {
        // TODO: what an action does
        if let Action::Deal(card) = action {
            let seat = usize::from(self.cards[0] != 0);
            self.cards[seat] = card;
        } else {
            self.bets[usize::from(self.choices)] = action == Action::Bet;
            self.choices += 1;
        }
    }

    /// Whether an action, wherever it comes from, is a legal one of a player.
    pub fn is_legal(&self, action: Action) -> bool {
        matches!(self.next(), Next::Player(_)) && self.actions().contains(&action)
    }
}
