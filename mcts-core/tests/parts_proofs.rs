//! Proven values equal those of an exhaustive search: the solver, score bounds, endings.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use mcts_core::evaluation::WithEndings;
use mcts_core::game::Exact;
use mcts_core::rng::{below, stream};
use mcts_core::selection::{ScoreBounds, SelectionPolicy};
use mcts_core::testing::{CheckOptions, Position, TreeGame, check_game};
use mcts_core::{
    Budget, Evaluator, Game, Player, Report, Rollout, Search, SearchRng, StopReason, Turn, Uct,
    Utilities,
};

fn search<G, S, E>(game: &G, parts: Uct<S, E>, budget: &Budget) -> Report<G::Action>
where
    G: Game + Clone,
    S: SelectionPolicy,
    E: Evaluator<G>,
{
    parts.search(game.clone(), 1).run(&game.start(), budget).unwrap()
}

fn bounded() -> Uct<ScoreBounds, Rollout> {
    <Uct>::default().with_selection(<ScoreBounds>::default())
}

/// Utilities from a position if every player maximizes her own; ties go to the first.
fn solve(position: &Position) -> Utilities {
    match position {
        Position::Over(utilities) => *utilities,
        Position::Choice(player, children) => {
            let values = children.iter().map(solve);
            let better = |best: Utilities, next: Utilities| {
                if next.of_player(*player) > best.of_player(*player) { next } else { best }
            };
            values.reduce(better).unwrap()
        }
        Position::Chance(children) => {
            children.iter().fold(Utilities::ZERO, |sum, (probability, child)| {
                sum.plus(&solve(child), *probability)
            })
        }
    }
}

/// A random tree; players in any order, consecutive moves included. `leaf` returns the results at
/// the ends.
fn random_position(
    rng: &mut SearchRng,
    depth: u32,
    players: usize,
    leaf: &mut impl FnMut(&mut SearchRng) -> Utilities,
) -> Position {
    if depth == 0 || below(rng, 6) == 0 {
        return Position::Over(leaf(rng));
    }
    let count = 1 + below(rng, 4);
    let children: Vec<_> =
        (0..count).map(|_| random_position(rng, depth - 1, players, leaf)).collect();
    if below(rng, 8) == 0 {
        let even = 1.0 / count as f32;
        return Position::Chance(children.into_iter().map(|child| (even, child)).collect());
    }
    Position::Choice(Player(below(rng, players) as u8), children)
}

fn after(root: &Position, action: u16) -> &Position {
    match root {
        Position::Choice(_, children) => &children[usize::from(action)],
        Position::Over(_) | Position::Chance(_) => unreachable!("players move at the root"),
    }
}

/// Random two-player trees with results from -1 to 1 in steps of 1/4.
fn two_player_trees() -> impl Iterator<Item = Position> {
    let mut rng = stream(11, 0);
    std::iter::repeat_with(move || {
        let mut leaf = |rng: &mut SearchRng| Utilities::zero_sum(below(rng, 9) as f32 / 4.0 - 1.0);
        random_position(&mut rng, 5, 2, &mut leaf)
    })
    .filter(|root| matches!(root, Position::Choice(..)))
}

/// Compares the proofs of each action with an exhaustive search; returns the number of proofs.
fn check_proofs<const N: usize>(root: &Position, report: &Report<u16>) -> usize {
    let Position::Choice(player, _) = root else { unreachable!("players move at the root") };
    let mut proven = 0;
    for action in &report.actions {
        if let Some(proof) = action.proven {
            let exact = solve(after(root, action.action)).of_player(*player);
            assert!(
                (proof.utility - exact).abs() < 1e-6,
                "{action:?} has the value {exact}: {root:?}"
            );
            proven += 1;
        }
    }
    if report.stopped_by == StopReason::Proven {
        let (found, exact) = (report.value().unwrap(), solve(root).of_player(*player));
        assert!((found - exact).abs() < 1e-6, "proven {found} instead of {exact}: {root:?}");
    }
    proven
}

#[test]
fn proofs_of_random_trees_are_right_at_any_budget() {
    let (mut proven, mut roots) = ([0, 0], [0, 0]);
    for (at, root) in two_player_trees().take(400).enumerate() {
        let game = TreeGame::<2>::new(root.clone());
        let budget = Budget::playouts(3 * at as u64 % 200).to_the_end();
        let reports = [search(&game, <Uct>::default(), &budget), search(&game, bounded(), &budget)];
        for (place, report) in reports.iter().enumerate() {
            proven[place] += check_proofs::<2>(&root, report);
            roots[place] += u32::from(report.stopped_by == StopReason::Proven);
        }
    }
    assert!(proven.iter().all(|actions| *actions > 300), "{proven:?}");
    // actions ruled out by score bounds are left open, but roots are proven earlier
    assert!(roots[1] > roots[0], "{roots:?}");
}

#[test]
fn proofs_of_random_trees_for_three_players_are_right() {
    let mut rng = stream(12, 0);
    let mut count = 0;
    let mut proven = 0;
    while count < 200 {
        // different results everywhere, so that no player is indifferent
        let mut leaf = |rng: &mut SearchRng| {
            let mut value = || below(rng, 1 << 20) as f32 / (1 << 19) as f32 - 1.0;
            Utilities::of(&[value(), value(), value()])
        };
        let root = random_position(&mut rng, 4, 3, &mut leaf);
        if !matches!(root, Position::Choice(..)) {
            continue;
        }
        count += 1;
        let game = TreeGame::<3>::new(root.clone());
        let budget = Budget::playouts(3 * count % 400).to_the_end();
        proven += check_proofs::<3>(&root, &search(&game, <Uct>::default(), &budget));
    }
    assert!(proven > 100, "{proven}");
}

/// Two players take coins from either end of a row; a player who takes a coin of odd value moves
/// again.
#[derive(Debug, Clone)]
struct Coins {
    row: Vec<i16>,
}

/// The rest of the row by its ends, the first player's lead, and the player to move.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Left {
    from: u8,
    to: u8,
    lead: i16,
    player: Player,
}

impl Coins {
    fn random(rng: &mut SearchRng, length: usize) -> Coins {
        Coins { row: (0..length).map(|_| 1 + below(rng, 9) as i16).collect() }
    }

    fn total(&self) -> i16 {
        self.row.iter().sum()
    }

    /// The first player's final lead under best play.
    fn best_lead(&self, left: Left) -> i16 {
        if left.from == left.to {
            return left.lead;
        }
        let leads = [0, 1].map(|end| {
            let mut after = left;
            self.apply(&mut after, end);
            self.best_lead(after)
        });
        if left.player == Player::FIRST { leads[0].max(leads[1]) } else { leads[0].min(leads[1]) }
    }

    fn utility(&self, lead: i16) -> f32 {
        f32::from(lead) / f32::from(self.total())
    }
}

impl Game for Coins {
    type State = Left;
    type Action = u8;

    fn start(&self) -> Left {
        Left { from: 0, to: self.row.len() as u8, lead: 0, player: Player::FIRST }
    }
    fn turn(&self, left: &Left) -> Turn {
        if left.from == left.to {
            Turn::Over(Utilities::zero_sum(self.utility(left.lead)))
        } else {
            Turn::Player(left.player)
        }
    }
    fn actions(&self, _: &Left, visit: impl FnMut(u8)) {
        (0..2).for_each(visit);
    }
    fn apply(&self, left: &mut Left, end: u8) {
        let coin = if end == 0 { left.from } else { left.to - 1 };
        let value = self.row[usize::from(coin)];
        left.lead += if left.player == Player::FIRST { value } else { -value };
        left.from += u8::from(end == 0);
        left.to -= u8::from(end == 1);
        if value % 2 == 0 {
            left.player = left.player.opponent();
        }
    }
    fn action_index(&self, end: u8) -> Option<usize> {
        Some(usize::from(end))
    }
    fn action_indices(&self) -> usize {
        2
    }
}

#[test]
fn the_coin_game_keeps_the_contract() {
    check_game(&Coins::random(&mut stream(1, 0), 9), &CheckOptions::default()).unwrap();
}

#[test]
fn score_bounds_prove_exact_margins_with_fewer_playouts_than_the_solver() {
    let mut rng = stream(2, 0);
    let mut playouts = [0, 0];
    for _ in 0..40 {
        let game = Coins::random(&mut rng, 10);
        let exact = game.utility(game.best_lead(game.start()));
        let reports = [
            search(&game, <Uct>::default(), &Budget::UNLIMITED.to_the_end()),
            search(&game, bounded(), &Budget::UNLIMITED.to_the_end()),
        ];
        for (report, playouts) in reports.iter().zip(&mut playouts) {
            assert_eq!(report.stopped_by, StopReason::Proven);
            assert!((report.value().unwrap() - exact).abs() < 1e-6, "{game:?}: {exact}");
            *playouts += report.playouts;
        }
    }
    assert!(2 * playouts[1] < playouts[0], "{playouts:?}");
}

#[test]
fn an_action_that_cannot_be_worth_as_much_as_another_is_not_played_for_its_mean() {
    // the first action has the certain value 0; the second seems to have 0.9 with every reply
    // except one, which gives -0.1
    let trap = |more| {
        let mut replies = vec![Position::over(0.9); 30];
        replies.push(Position::over(-0.1));
        replies.push(Position::first(vec![Position::over(0.5); more]));
        Position::second(replies)
    };
    let root = Position::first([Position::first([Position::over(0.0)]), trap(40)]);
    for playouts in 60..200 {
        let report =
            search(&TreeGame::<2>::new(root.clone()), bounded(), &Budget::playouts(playouts));
        let refuted = report.stopped_by == StopReason::Proven;
        assert!(!refuted || report.best == 0, "{playouts} playouts: {report:?}");
        assert!(playouts < 150 || refuted, "{playouts} playouts");
    }
}

#[test]
fn a_known_ending_is_proven_without_being_played_out() {
    let game = Coins::random(&mut stream(5, 0), 12);
    let exact = game.utility(game.best_lead(game.start()));
    let endings = |game: &Coins, left: &Left| {
        let plies = u32::from(left.to - left.from);
        let utilities = || Utilities::zero_sum(game.utility(game.best_lead(*left)));
        (plies <= 8).then(|| Exact { utilities: utilities(), plies })
    };
    let evaluator = WithEndings { evaluator: <Rollout>::default(), endings };
    let parts = <Uct>::default().with_evaluator(evaluator);
    let report = search(&game, parts, &Budget::UNLIMITED.to_the_end());
    assert_eq!(report.stopped_by, StopReason::Proven);
    assert!((report.value().unwrap() - exact).abs() < 1e-6);
    assert_eq!(report.best_action().unwrap().proven.unwrap().plies, 11);
    assert!(report.playouts <= 200, "{}", report.playouts);
    assert!(report.deepest <= 4);
}

#[test]
fn endings_are_known_at_the_root_without_a_playout() {
    let game = TreeGame::<2>::new(Position::first([
        Position::second([Position::over(-1.0)]),
        Position::second([Position::over(1.0)]),
    ]));
    let endings = |_: &TreeGame, state: &Vec<u16>| {
        let utility = if state[0] == 1 { 1.0 } else { -1.0 };
        Some(Exact { utilities: Utilities::zero_sum(utility), plies: 1 })
    };
    let evaluator = WithEndings { evaluator: <Rollout>::default(), endings };
    let parts = <Uct>::default().with_evaluator(evaluator);
    let report = search(&game, parts, &Budget::playouts(0));
    assert_eq!((report.best, report.stopped_by), (1, StopReason::Proven));
    assert_eq!(report.playouts, 0);
}
