//! The loop: one node after another on a stack of its own.

use super::AlphaBetaSearch;
use super::evaluation::{Horizon, StaticEvaluation};
use super::ordering::{Candidate, Moment, bring_best_forward};
use super::score::{self, INFINITE, MIDDLE, Score};
use super::table::{Bound, Known, TO_THE_END};
use crate::game::{Game, Turn};

/// How far the sum of probabilities may be from 1 for an expectation to count as exact.
const TOLERANCE: f64 = 1e-3;

/// A position from the root to the one that is searched now.
#[derive(Debug)]
pub(super) struct Frame<S> {
    state: S,
    /// The player to move; at a chance node the player to move above it.
    player: usize,
    kind: Kind,
    hash: Option<u64>,
    repetition_key: Option<u64>,
    depth: Depth,
    /// The window; `lower` rises with the best action so far.
    window: Window,
    /// The lower end of the window at the start.
    floor: Score,
    best: Best,
    /// Whether every action so far was searched to the end of the game everywhere.
    is_exhausted: bool,
    /// The next of its candidates, by place on the stack of candidates; those before `first` belong to positions above.
    first: usize,
    next: usize,
    tried: u32,
    pending: Option<Pending>,
    /// Expected score and sum of probabilities so far, of a chance node.
    expected: f64,
    total: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Choice,
    Quiescence,
    Chance,
}

/// How many plies are left to the depth limit, or how many have been since.
#[derive(Debug, Clone, Copy)]
pub(super) struct Depth {
    left: u32,
    beyond: u32,
}

impl Depth {
    pub(super) fn of(left: u32) -> Depth {
        Depth { left, beyond: 0 }
    }

    fn below(self, reduction: u32) -> Depth {
        match self.left {
            0 => Depth { left: 0, beyond: self.beyond + 1 },
            left => Depth::of((left - 1).saturating_sub(reduction)),
        }
    }
}

/// Values between which the value of a position matters, for the player to move.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    pub(super) lower: Score,
    pub(super) upper: Score,
}

impl Window {
    pub(super) const FULL: Window = Window { lower: -INFINITE, upper: INFINITE };

    fn is_zero(self) -> bool {
        self.upper - 1 <= self.lower
    }

    fn at_lower_end(self) -> Window {
        Window { lower: self.lower, upper: self.lower + 1 }
    }

    fn of_opponent(self) -> Window {
        Window { lower: -self.upper, upper: -self.lower }
    }
}

#[derive(Debug, Clone, Copy)]
struct Best {
    score: Score,
    place: u16,
    is_exhausted: bool,
}

/// The child that is searched now.
#[derive(Debug, Clone, Copy)]
struct Pending {
    /// Its action, by place on the stack of candidates.
    candidate: usize,
    stage: Stage,
    /// Whether it is still to be entered at this stage.
    is_waiting: bool,
    /// Whether its player to move is another one, so that its value changes sign.
    is_opponents: bool,
    nodes_before: u64,
}

/// How thoroughly a child is searched: less deep, as deep with a window of no width, or with the whole window. It goes
/// on to the next stage if it turns out better than the actions before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Reduced,
    ZeroWindow,
    Full,
}

/// What is known of a position after its search.
#[derive(Debug, Clone, Copy)]
pub(super) struct Value {
    pub(super) score: Score,
    /// Whether no position below was cut off by the depth limit, as far as the value depends on it.
    pub(super) is_exhausted: bool,
}

impl<G: Game, V: StaticEvaluation<G>> AlphaBetaSearch<G, V> {
    /// Begins an iteration at the root.
    pub(super) fn begin(&mut self, depth: u32, window: Window) {
        let Some(root) = &self.root else { return };
        self.frames.clear();
        self.candidates.clear();
        root.write_candidates(&mut self.candidates);
        let frame = Frame {
            player: root.player,
            hash: self.game.hash(&root.state),
            repetition_key: self.parts.evaluation.repetition_key(&self.game, &root.state),
            depth: Depth::of(depth),
            ..Frame::new(root.state.clone(), window)
        };
        self.frames.push(frame);
        self.clear_line(0);
    }

    /// Enters one child of the position at the top of the stack, or takes the position off the stack; the value of
    /// the root when it is done. Visits one node at most.
    pub(super) fn step(&mut self) -> Option<Value> {
        let frame = self.frames.last_mut()?;
        if frame.pending.is_none_or(|pending| !pending.is_waiting) {
            let is_cut = frame.window.lower >= frame.window.upper;
            if is_cut || frame.next == self.candidates.len() {
                let value = self.finish();
                if self.frames.is_empty() {
                    return Some(value);
                }
                self.receive(value);
                return None;
            }
            if frame.kind != Kind::Chance {
                bring_best_forward(&mut self.candidates[frame.next..]);
            }
            frame.pending = Some(Pending {
                candidate: frame.next,
                stage: self.parts.reductions.first_stage(frame),
                is_waiting: true,
                is_opponents: false,
                nodes_before: self.visited,
            });
            frame.next += 1;
        }
        if let Some(value) = self.enter_child() {
            self.receive(value);
        }
        None
    }

    /// Enters the pending child: its value where that is known at once, otherwise a new frame.
    fn enter_child(&mut self) -> Option<Value> {
        let ply = self.frames.len();
        self.visited += 1;
        self.depths.add(ply);
        self.clear_line(ply);
        let frame = self.frames.last_mut().expect("a child has a parent");
        let pending = frame.pending.as_mut().expect("a child is pending");
        pending.is_waiting = false;
        let candidate = &self.candidates[pending.candidate];
        let mut state = frame.state.clone();
        self.game.apply(&mut state, candidate.action);
        let turn = self.game.turn(&state);
        let player = match turn {
            Turn::Over(utilities) => {
                pending.is_opponents = false;
                let score = self.scale.ended(&utilities, frame.player, ply);
                return Some(Value { score, is_exhausted: true });
            }
            Turn::Chance => frame.player,
            Turn::Player(player) => player.index(),
        };
        pending.is_opponents = player != frame.player;
        let (mut window, reduction) = match pending.stage {
            Stage::Full => (frame.window, 0),
            Stage::ZeroWindow => (frame.window.at_lower_end(), 0),
            Stage::Reduced => (frame.window.at_lower_end(), self.parts.reductions.plies),
        };
        let mut depth = frame.depth.below(reduction);
        if frame.kind == Kind::Chance {
            (window, depth) = (Window::FULL, frame.depth);
        }
        if pending.is_opponents {
            window = window.of_opponent();
        }
        let child = Frame { player, depth, ..Frame::new(state, window) };
        if turn == Turn::Chance { self.enter_chance(child) } else { self.enter_choice(child) }
    }

    fn enter_chance(&mut self, child: Frame<G::State>) -> Option<Value> {
        let first = self.candidates.len();
        let candidates = &mut self.candidates;
        self.game.outcomes(&child.state, |action, probability| {
            candidates.push(Candidate::outcome(action, probability));
        });
        self.frames.push(Frame { kind: Kind::Chance, first, next: first, ..child });
        None
    }

    fn enter_choice(&mut self, mut child: Frame<G::State>) -> Option<Value> {
        let (ply, first) = (self.frames.len(), self.candidates.len());
        (child.first, child.next) = (first, first);
        let Self { game, parts, scale, .. } = self;
        let window = scale.utilities(child.window);
        if let Some(utility) = parts.evaluation.ending(game, &child.state, window) {
            return Some(Value { score: scale.exact(utility), is_exhausted: true });
        }
        child.repetition_key = parts.evaluation.repetition_key(game, &child.state);
        if child.repetition_key.is_some_and(|key| self.is_on_the_line(key)) {
            return Some(Value { score: MIDDLE, is_exhausted: false });
        }
        if child.depth.left == 0 {
            return self.enter_quiescence(child);
        }
        child.hash = self.game.hash(&child.state);
        let known = child.hash.and_then(|hash| self.table.get(hash));
        if let Some(value) = known.and_then(|known| value_of(known, &child, ply)) {
            return Some(value);
        }
        let at = Moment { ply, player: child.player, from_table: known.map(|known| known.place) };
        let depth = child.depth.left;
        let Self { game, parts, ordering, candidates, .. } = self;
        let mut place = 0;
        game.actions(&child.state, |action| {
            let order = parts.evaluation.order(game, &child.state, action, depth);
            candidates.push(ordering.candidate(game, at, (place, action), order));
            place = place.saturating_add(1);
        });
        self.frames.push(child);
        None
    }

    fn is_on_the_line(&self, key: u64) -> bool {
        self.frames.iter().any(|frame| frame.repetition_key == Some(key))
    }

    fn enter_quiescence(&mut self, mut child: Frame<G::State>) -> Option<Value> {
        let ply = self.frames.len();
        let Self { game, parts, ordering, candidates, .. } = self;
        let evaluation = &mut parts.evaluation;
        let at = Moment { ply, player: child.player, from_table: None };
        let mut place = 0;
        let first = candidates.len();
        let horizon = evaluation.forcing(game, &child.state, child.depth.beyond, |action| {
            candidates.push(ordering.candidate(game, at, (place, action), 0));
            place = place.saturating_add(1);
        });
        if horizon == Horizon::StandPat || candidates.len() == first {
            let score = self.scale.estimated(evaluation.evaluate(game, &child.state));
            if candidates.len() == first || score >= child.window.upper {
                candidates.truncate(first);
                return Some(Value { score, is_exhausted: false });
            }
            child.best.score = score;
            child.window.lower = child.window.lower.max(score);
            child.is_exhausted = false;
        }
        for candidate in &mut candidates[first..] {
            let order = evaluation.order(game, &child.state, candidate.action, 0);
            candidate.set_order(order);
        }
        self.frames.push(Frame { kind: Kind::Quiescence, ..child });
        None
    }

    /// Takes in the value of the pending child, or sends the search into it again more thoroughly.
    fn receive(&mut self, value: Value) {
        let ply = self.frames.len() - 1;
        let frame = self.frames.last_mut().expect("a child has a parent");
        let pending = frame.pending.as_mut().expect("a child is pending");
        let score = if pending.is_opponents { -value.score } else { value.score };
        let candidate = self.candidates[pending.candidate];
        if frame.kind == Kind::Chance {
            frame.is_exhausted &= value.is_exhausted;
            let probability = f64::from(candidate.probability());
            frame.expected += probability * score::without_distance(score);
            frame.total += probability;
            return;
        }
        let is_better = score > frame.window.lower;
        match pending.stage {
            Stage::Reduced if is_better => {
                (pending.stage, pending.is_waiting) = (Stage::ZeroWindow, true);
                return;
            }
            Stage::ZeroWindow if is_better && score < frame.window.upper => {
                (pending.stage, pending.is_waiting) = (Stage::Full, true);
                return;
            }
            _ => {}
        }
        let nodes = self.visited - pending.nodes_before;
        frame.tried += 1;
        frame.is_exhausted &= value.is_exhausted;
        if score > frame.best.score {
            let is_exhausted = value.is_exhausted;
            frame.best = Best { score, place: candidate.place, is_exhausted };
        }
        let bound = match score {
            _ if !is_better => Bound::Upper,
            _ if score >= frame.window.upper => Bound::Lower,
            _ => Bound::Exact,
        };
        if is_better {
            frame.window.lower = score;
            self.extend_line(ply, candidate.action);
        }
        if ply == 0
            && let Some(root) = &mut self.root
        {
            root.note(candidate.place, (Value { score, ..value }, bound), nodes, &self.lines[0]);
        }
    }

    /// Takes the position at the top off the stack.
    fn finish(&mut self) -> Value {
        let frame = self.frames.pop().expect("there is a position to finish");
        let ply = self.frames.len();
        let at = Moment { ply, player: frame.player, from_table: None };
        if frame.kind == Kind::Chance {
            self.candidates.truncate(frame.first);
            let score = score::rounded(frame.expected);
            let is_exhausted = frame.is_exhausted && (frame.total - 1.0).abs() < TOLERANCE;
            return Value { score, is_exhausted };
        }
        let Best { score, place, is_exhausted } = frame.best;
        let is_cut = score >= frame.window.upper;
        if is_cut
            && frame.kind == Kind::Choice
            && let Some(pending) = frame.pending
        {
            let action = self.candidates[pending.candidate].action;
            self.ordering.cut(&self.game, at, action, frame.depth.left);
        }
        self.candidates.truncate(frame.first);
        let decides = is_cut || score::is_won(score);
        let is_exhausted = if decides { is_exhausted } else { frame.is_exhausted };
        if frame.kind == Kind::Choice
            && let Some(hash) = frame.hash
        {
            let bound = match score {
                _ if is_cut => Bound::Lower,
                _ if score <= frame.floor => Bound::Upper,
                _ => Bound::Exact,
            };
            let depth = if is_exhausted { TO_THE_END } else { depth_byte(frame.depth.left) };
            let score = score::from_root(score, ply);
            self.table.put(hash, Known { score, bound, depth, place });
        }
        Value { score, is_exhausted }
    }

    fn clear_line(&mut self, ply: usize) {
        if self.lines.len() <= ply {
            self.lines.resize_with(ply + 1, Default::default);
        }
        self.lines[ply].clear();
    }

    /// The line from `ply` on is `action` and the line of the child.
    fn extend_line(&mut self, ply: usize, action: G::Action) {
        let (above, below) = self.lines.split_at_mut(ply + 1);
        let line = &mut above[ply];
        line.clear();
        line.push(action);
        line.extend_from_slice(&below[0]);
    }
}

impl<S> Frame<S> {
    fn new(state: S, window: Window) -> Self {
        Frame {
            state,
            player: 0,
            kind: Kind::Choice,
            hash: None,
            repetition_key: None,
            depth: Depth::of(0),
            window,
            floor: window.lower,
            best: Best { score: -INFINITE, place: 0, is_exhausted: false },
            is_exhausted: true,
            first: 0,
            next: 0,
            tried: 0,
            pending: None,
            expected: 0.0,
            total: 0.0,
        }
    }
}

impl super::Reductions {
    fn first_stage<S>(&self, frame: &Frame<S>) -> Stage {
        let is_late = frame.tried >= self.full.max(1) && frame.depth.left >= self.least_depth;
        match frame.kind {
            Kind::Chance => Stage::Full,
            _ if frame.tried == 0 => Stage::Full,
            Kind::Choice if self.plies > 0 && is_late => Stage::Reduced,
            _ if frame.window.is_zero() => Stage::Full,
            _ => Stage::ZeroWindow,
        }
    }
}

fn depth_byte(depth: u32) -> u8 {
    u8::try_from(depth).unwrap_or(u8::MAX).min(TO_THE_END - 1)
}

/// The value of a position as the table has it, if that is deep enough and decides the window. Inside a window with
/// width only an exact value to the end of the game does, so that the principal variation is not cut short.
fn value_of<S>(known: Known, at: &Frame<S>, ply: usize) -> Option<Value> {
    let is_exhausted = known.depth == TO_THE_END;
    if known.depth < depth_byte(at.depth.left) {
        return None;
    }
    let score = score::to_root(known.score, ply);
    let decides = match known.bound {
        Bound::Exact => at.window.is_zero() || is_exhausted,
        Bound::Lower => at.window.is_zero() && score >= at.window.upper,
        Bound::Upper => at.window.is_zero() && score <= at.window.lower,
    };
    decides.then_some(Value { score, is_exhausted })
}
