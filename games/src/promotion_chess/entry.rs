//! Promotion Chess on the command line.

use alloc::boxed::Box;
use alloc::string::{String, ToString};

use super::protocol::PromotionChessJudge;
use super::{DoubleStep, Position, PromotionChess, Rules};
use crate::entry::{Entry, EntryError, Options, perft_of, random_start_of};
use crate::perft::EndedEarly;

/// Promotion Chess.
///
/// Its option `double-step` is `none`, `home-rank` or `second-rank`. Perft ignores the limit of
/// plies.
pub const ENTRY: Entry = Entry {
    name: "promotion-chess",
    summary: "Promotion Chess on 5 x 5: starts with the kings, citizens are promoted to pieces; mate wins",
    judge: |_seed, options| {
        let game = game_of(options)?;
        Ok(Box::new(PromotionChessJudge::new(game, Position::start())))
    },
    judge_from: |position, options| {
        let game = game_of(options)?;
        Ok(Box::new(PromotionChessJudge::new(game, position.parse()?)))
    },
    random_start: |seed, plies| {
        random_start_of(&PromotionChess::default(), seed, plies).to_string()
    },
    perft: |position, depth| {
        perft_of(&PromotionChess::ENDLESS, position, depth, EndedEarly::CountsNothing)
    },
    #[cfg(feature = "conformance")]
    check: super::conformance::check,
};

const DOUBLE_STEP: &str = "double-step";

fn game_of(options: Options<'_>) -> Result<PromotionChess, EntryError> {
    let mut rules = Rules::default();
    for (name, value) in options {
        if *name != DOUBLE_STEP {
            return Err(EntryError::UnknownOption {
                name: name.to_string(),
                known: &[DOUBLE_STEP],
            });
        }
        rules.double_step = match *value {
            "none" => DoubleStep::None,
            "home-rank" => DoubleStep::FromHomeRankUnmoved,
            "second-rank" => DoubleStep::FromSecondRank,
            _ => {
                return Err(EntryError::OptionValue {
                    name: name.to_string(),
                    value: value.to_string(),
                    expected: String::from("none, home-rank or second-rank"),
                });
            }
        };
    }
    Ok(PromotionChess { rules })
}
