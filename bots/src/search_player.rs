//! A player with any search and a time plan.

use crate::client_seat::{Decision, Player};
use crate::decimals::FourDecimals;
use crate::parameters::{ParameterError, Parameters};
#[cfg(feature = "std")]
use crate::ponder::Pondering;
use crate::seat::NextSlice;
use crate::time_plan::{TimePlan, TimeUsed};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use games::{Client, TimeTold};
use mcts_core::{Budget, Clock, Parts, Report, Search};

/// Estimates the number of decisions left in a position, this one included; need not be a whole
/// number.
pub type DecisionsLeft<P> = fn(&P) -> f32;

/// The position from which the search of these parts starts.
type PositionOf<G, P> = <<P as Parts<G>>::Search as Search>::Position;

/// The search, kept between moves.
type Kept<G, P> = Box<Searched<G, <P as Parts<G>>::Search>>;

/// Searches with the given parts as long as the time plan allows.
///
/// Works with any [`Parts`] whose search starts from the position of the client: a state, or a
/// view. The search is kept between moves.
pub struct SearchPlayer<G, P: Parts<G, Search: Search<Position: Sized>>> {
    parts: P,
    seed: u64,
    search: Option<Kept<G, P>>,
    plan: TimePlan,
    used: TimeUsed,
    decisions_left: DecisionsLeft<PositionOf<G, P>>,
    /// Number of playouts of every decision, instead of the time plan; makes the player
    /// deterministic.
    playouts: Option<u64>,
    /// Whether it searches on the opponent's time.
    ponders: bool,
    /// The position of the last decision.
    decided: Option<PositionOf<G, P>>,
    #[cfg(feature = "std")]
    pondering: Option<Pondering<Kept<G, P>>>,
}

/// A search with the rules of its game.
struct Searched<G, S> {
    game: G,
    search: S,
}

impl<G, P> core::fmt::Debug for SearchPlayer<G, P>
where
    P: Parts<G, Search: Search<Position: Sized>> + core::fmt::Debug,
{
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("SearchPlayer")
            .field("parts", &self.parts)
            .field("plan", &self.plan)
            .field("used", &self.used)
            .field("playouts", &self.playouts)
            .field("ponders", &self.ponders)
            .finish_non_exhaustive()
    }
}

impl<G, P: Parts<G, Search: Search<Position: Sized>>> SearchPlayer<G, P> {
    /// A player with these parts and this plan; reads `playouts`, `seed`, `memory` (of the tree, in
    /// MiB), `share` (fraction of the clock, for fast matches) and `ponder` (search on the
    /// opponent's time) from the parameters.
    ///
    /// # Errors
    /// [`ParameterError`] if a parameter is invalid.
    pub fn new(
        mut parts: P,
        plan: TimePlan,
        decisions_left: DecisionsLeft<PositionOf<G, P>>,
        parameters: &mut Parameters,
    ) -> Result<Self, ParameterError> {
        let cap = parts.memory_cap_bytes();
        *cap = parameters.memory_bytes(*cap)?;
        let playouts = parameters.playouts()?;
        let seed = parameters.seed()?;
        let plan = plan.with_share(parameters.number("share", 1.0, (0.001, 1.0))?);
        let ponders = parameters.switch("ponder", false)?;
        Ok(SearchPlayer {
            parts,
            seed,
            search: None,
            plan,
            used: TimeUsed::default(),
            decisions_left,
            playouts,
            ponders,
            decided: None,
            #[cfg(feature = "std")]
            pondering: None,
        })
    }

    /// The search of this game: the current one, with its tree, unless the rules have changed.
    fn search_of(&mut self, game: &G) -> &mut P::Search
    where
        G: Clone + PartialEq,
    {
        if self.search.as_ref().is_some_and(|searched| searched.game != *game) {
            self.search = None;
        }
        let (parts, seed) = (&self.parts, self.seed);
        let searched = self.search.get_or_insert_with(|| {
            Box::new(Searched { search: parts.start(game.clone(), seed), game: game.clone() })
        });
        &mut searched.search
    }

    fn budget(&self, position: &PositionOf<G, P>, told: TimeTold, clock: &dyn Clock) -> Budget {
        match self.playouts {
            Some(playouts) => Budget::playouts(playouts),
            None => self.plan.budget(&self.used, told, (self.decisions_left)(position), clock),
        }
    }

    /// Stops the search on the opponent's time, and takes the search back.
    fn stop_pondering(&mut self) {
        #[cfg(feature = "std")]
        if let Some(pondering) = self.pondering.take() {
            self.search = pondering.stop();
        }
    }
}

impl<G, C, P> Player<C> for SearchPlayer<G, P>
where
    G: Clone + PartialEq + Send + 'static,
    C: Client<Game = G, Action: Copy + PartialEq + core::fmt::Debug>,
    C::Position: Clone + PartialEq + Send + 'static,
    P: Parts<G>,
    P::Search: Search<Position = C::Position, Action = C::Action> + Send + 'static,
{
    fn decide(
        &mut self,
        client: &C,
        told: TimeTold,
        clock: &dyn Clock,
    ) -> Option<Decision<C::Action>> {
        self.stop_pondering();
        let position = &client.decision_position();
        let budget = self.budget(position, told, clock);
        self.decided = self.ponders.then(|| client.position().clone());
        if let Err(error) = self.parts.check(client.game()) {
            tracing::error!(%error, "this bot cannot search this game");
            return None;
        }
        let search = self.search_of(client.game());
        match search.run_with_clock(position, &budget, clock) {
            Ok(report) => {
                let words = words(&report, search, client);
                search.advance(report.best);
                Some(Decision { action: report.best, report: Some(words) })
            }
            Err(error) => {
                tracing::warn!(%error, "nothing to search");
                None
            }
        }
    }

    fn analyses(&self) -> bool {
        true
    }

    fn analyse(&mut self, client: &C, clock: &dyn Clock, next: &mut NextSlice<'_>) -> bool {
        self.stop_pondering();
        let position = client.decision_position();
        let search = self.search_of(client.game());
        let mut found: Option<String> = None;
        while let Some(budget) = next(found.as_deref()) {
            match search.run_with_clock(&position, &budget, clock) {
                Ok(report) => found = Some(words(&report, search, client)),
                Err(_) => return false,
            }
        }
        true
    }

    fn answered(&mut self, started_nanos: u64, clock: &dyn Clock) {
        self.used.add_answer(started_nanos, &self.plan, clock);
    }

    fn opponents_turn(&mut self, client: &C) {
        // a client that waits for the judge to confirm the action still has the position before it
        let is_confirmed =
            self.decided.as_ref().is_some_and(|decided| decided != client.position());
        #[cfg(feature = "std")]
        if is_confirmed && let Some(mut searched) = self.search.take() {
            let position = client.position().clone();
            self.pondering = Some(Pondering::start(move |control| {
                // a position in which no player decides is skipped
                let _ = searched.search.run_controlled(&position, control);
                searched
            }));
        }
        #[cfg(not(feature = "std"))]
        let _ = is_confirmed;
    }
}

/// The report of a search in the client's notation: [`report_in_words`] and
/// [`candidates_in_words`].
fn words<S, C>(report: &Report<S::Action>, search: &S, client: &C) -> String
where
    S: Search,
    C: Client<Action = S::Action>,
{
    let name = |action: &S::Action| {
        client.name(action).unwrap_or_else(|| format!("{action:?}").replace(' ', ""))
    };
    let line = |action| search.principal_variation(action);
    report_in_words(report) + &candidates_in_words(report, line, name)
}

/// Number of actions in a report.
const CANDIDATES: usize = 5;

/// Maximum number of actions of a line in a report.
const LONGEST_LINE: usize = 12;

/// The best actions of a report as words ` topN=ACTION;visits:V;value:Q;proof:U/PLIES;line:A>B>C`,
/// most visits first, value and proof if known.
pub fn candidates_in_words<A: Copy>(
    report: &Report<A>,
    line: impl Fn(A) -> Vec<A>,
    name: impl Fn(&A) -> String,
) -> String {
    let mut words = String::new();
    for (at, action) in report.actions.iter().take(CANDIDATES).enumerate() {
        words += &format!(" top{}={};visits:{}", at + 1, name(&action.action), action.visits);
        if let Some(value) = action.value {
            words += &format!(";value:{:+}", FourDecimals(value.into()));
        }
        if let Some(proof) = action.proven {
            words += &format!(";proof:{:+}/{}", FourDecimals(proof.utility.into()), proof.plies);
        }
        let line: Vec<String> = line(action.action).iter().take(LONGEST_LINE).map(&name).collect();
        words += &format!(";line:{}", line.join(">"));
    }
    words
}

/// A report as `key=value` words, see [`Seat::report`](crate::Seat::report).
pub fn report_in_words<A: Copy + PartialEq + core::fmt::Debug>(report: &Report<A>) -> String {
    let value = report
        .value()
        .map_or_else(String::new, |value| format!("value={} ", FourDecimals(value.into())));
    let visits = report.best_action().map_or(0, |action| action.visits);
    let proven = report.best_action().and_then(|action| action.proven);
    let proven = proven.map_or_else(String::new, |proof| {
        format!(" proven={} plies={}", FourDecimals(proof.utility.into()), proof.plies)
    });
    format!(
        "{value}playouts={} visits={visits} deepest={} nodes={} stopped_by={:?}{proven}",
        report.playouts, report.deepest, report.tree_nodes, report.stopped_by
    )
}
