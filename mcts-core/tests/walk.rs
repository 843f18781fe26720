//! Read access to the trees of searches.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use mcts_core::belief::FromView;
use mcts_core::evaluation::{PriorScale, WithPriors};
use mcts_core::search::{Branch, BranchStats, ExportLimits, NodeRef};
use mcts_core::testing::{Position, Tiger, TreeGame};
use mcts_core::{Budget, Game, GraphUct, IsMcts, OpenLoop, Pomcp, Puct, Rollout, Search, Uct};
use support::Nim;
use support::dice_race::DiceRace;
use support::in_a_row::{Board, InARow};

const BOARD: InARow = InARow::TIC_TAC_TOE;

/// All nodes below one, each with the visits of the branch into it; panics if a branch has more than its parent.
fn nodes_below<S: Search>(search: &S, node: NodeRef, visits: u32) -> usize {
    let branches = search.branches(node);
    let sum: u32 = branches.iter().map(|branch| branch.visits).sum();
    assert!(sum <= visits, "{sum} visits below {visits}");
    let below = |branch: &mcts_core::search::BranchStats<S::Action>| {
        branch.node.map_or(0, |node| nodes_below(search, node, branch.visits))
    };
    branches.len() + branches.iter().map(below).sum::<usize>()
}

#[test]
fn a_walk_meets_every_node_with_the_values_of_the_report() {
    let parts = Uct { solver: false, ..<Uct>::default() };
    let mut search = parts.search(BOARD, 3);
    let report = search.run(&BOARD.start(), &Budget::playouts(3_000).to_the_end()).unwrap();
    // the rest are unused slots of the blocks in which siblings grow
    let met = nodes_below(&search, NodeRef::ROOT, 3_000) + 1;
    assert!(met <= report.tree_nodes && 5 * met > 4 * report.tree_nodes, "{met} {report:?}");
    let branches = search.branches(NodeRef::ROOT);
    assert_eq!(branches.len(), report.actions.len());
    for action in &report.actions {
        let is_it = |branch: &&_| branch_of(branch) == action.action;
        let branch = branches.iter().find(is_it).unwrap();
        assert_eq!((branch.visits, branch.own_value()), (action.visits, action.value));
        let both: f32 = branch.values.iter().map(|value| value.unwrap()).sum();
        assert!(both.abs() < 1e-6, "what one player gets the other loses");
    }
}

fn branch_of(branch: &mcts_core::search::BranchStats<u8>) -> u8 {
    match branch.branch {
        Branch::Action(action) => action,
        Branch::Observation(_) | Branch::World(_) => panic!("nothing is hidden"),
    }
}

#[test]
fn priors_and_proofs_are_shown() {
    let prior = |_: &InARow, _: &Board, cell: u8| f32::from(cell + 1);
    let evaluator =
        WithPriors { evaluator: <Rollout>::default(), prior, scale: PriorScale::Probabilities };
    let parts = <Uct>::default().with_selection(Puct::default()).with_evaluator(evaluator);
    let mut search = parts.search(BOARD, 3);
    search.run(&BOARD.start(), &Budget::playouts(100).to_the_end()).unwrap();
    for branch in search.branches(NodeRef::ROOT) {
        // cells are counted from 1, so the priors are 2 to 10, which add up to 54
        let expected = f32::from(branch_of(&branch) + 1) / 54.0;
        assert!((branch.prior.unwrap() - expected).abs() < 1e-6, "{branch:?}");
    }
    // the player who takes the last counter wins: three of seven leave four, which loses
    let nim = Nim { counters: 7 };
    let mut search = <Uct>::default().search(nim, 1);
    let report = search.run(&nim.start(), &Budget::playouts(5_000)).unwrap();
    let proof = report.best_action().unwrap().proven;
    let branches = search.branches(NodeRef::ROOT);
    let best = branches.iter().find(|branch| branch_of(branch) == 3).unwrap();
    assert!(proof.is_some() && best.proven == proof, "{best:?}");
}

#[test]
fn principal_variations_begin_with_each_action_of_the_root() {
    let mut search = <Uct>::default().search(BOARD, 3);
    let report = search.run(&BOARD.start(), &Budget::playouts(2_000).to_the_end()).unwrap();
    let (lines, root) = (search.principal_variations(), search.root());
    assert_eq!(lines.len(), 9);
    for (line, stats) in lines.iter().zip(&root.actions) {
        assert_eq!(line[0], stats.action);
        assert!(line.len() > 1, "every action was visited often enough");
    }
    assert!(lines.contains(&report.principal_variation));
}

#[test]
fn histories_have_actions_and_observations_by_turns() {
    let mut search = <Pomcp>::default().search(Tiger, FromView::new(0), 1);
    let report = search.run(&(), &Budget::playouts(2_000).to_the_end()).unwrap();
    let mut observations = 0;
    for action in search.branches(NodeRef::ROOT) {
        assert!(matches!(action.branch, Branch::Action(_)));
        for seen in search.branches(action.node.unwrap()) {
            assert!(matches!(seen.branch, Branch::Observation(_)));
            assert!(seen.visits <= action.visits);
            observations += 1;
        }
    }
    // three actions, and a noise from either side after each
    assert_eq!((report.actions.len(), observations), (3, 6));
}

#[test]
fn every_search_has_the_branches_of_its_root() {
    let race = DiceRace { goal: 12 };
    let mut open = <OpenLoop>::default().search(race, 1);
    let report = open.run(&race.start(), &Budget::playouts(100).to_the_end()).unwrap();
    assert_eq!(open.branches(NodeRef::ROOT).len(), report.actions.len());
    let mut graph = <GraphUct>::default().search(BOARD, 1);
    graph.run(&BOARD.start(), &Budget::playouts(2_000).to_the_end()).unwrap();
    let tree = graph.export(&ExportLimits { depth: 4, least_visits: 1, nodes: usize::MAX });
    assert!(tree.nodes.iter().any(|node| node.depth == 4));
    let unsearched = <IsMcts>::default().search(mcts_core::testing::Kuhn, 1);
    assert!(unsearched.branches(NodeRef::ROOT).is_empty());
    assert!(<Uct>::default().search(BOARD, 1).branches(NodeRef::ROOT).is_empty());
}

/// The branches below a branch, none if the tree ends there.
fn below<S: Search>(search: &S, branch: &BranchStats<S::Action>) -> Vec<BranchStats<S::Action>> {
    branch.node.map_or_else(Vec::new, |node| search.branches(node))
}

#[test]
fn a_walk_of_information_sets_shows_what_each_player_knows() {
    use mcts_core::testing::{Kuhn, KuhnAction};
    use mcts_core::{HiddenInformation, Player};
    // the first player holds the middle card: the other one holds the lowest or the highest
    let mut deal = Kuhn.start();
    let mut view = Kuhn.first_view(&deal, Player::FIRST);
    for action in [KuhnAction::Deal(1), KuhnAction::Deal(2)] {
        Kuhn.apply(&mut deal, action);
        Kuhn.grow(&mut view, None, &Kuhn.observe(&deal, action, Player::FIRST));
    }
    let mut search = IsMcts::default().search(Kuhn, 1);
    search.run(&view, &Budget::playouts(2_000).to_the_end()).unwrap();
    let root = search.branches(NodeRef::ROOT);
    assert_eq!(root.len(), 2);
    for action in &root {
        assert_eq!(action.player, Some(Player::FIRST));
        assert_eq!(action.values[0], action.values[1].map(|value| -value), "zero-sum");
        let sets = below(&search, action);
        assert_eq!(sets.len(), 2, "one for each card of the other player");
        for set in &sets {
            assert!(matches!(set.branch, Branch::Observation(_)));
            let answers = below(&search, set);
            assert!(answers.iter().all(|answer| answer.player == Some(Player::SECOND)));
            let visits: u32 = answers.iter().map(|answer| answer.visits).sum();
            assert_eq!(visits, set.visits);
        }
        let visits: u32 = sets.iter().map(|set| set.visits).sum();
        // the playouts that add the information sets end there, without a decision in them
        assert_eq!(visits + 2, action.visits);
    }
    let lines = search.principal_variations();
    assert!(lines.iter().all(|line| line.len() > 1), "{lines:?}");
}

#[test]
fn a_walk_of_plans_and_of_moments_goes_on_below_the_root() {
    let race = DiceRace { goal: 12 };
    let mut open = OpenLoop::default().search(race, 1);
    open.run(&race.start(), &Budget::playouts(5_000).to_the_end()).unwrap();
    let tree = open.export(&ExportLimits { depth: 5, least_visits: 1, nodes: 10_000 });
    assert!(tree.nodes.iter().any(|node| node.depth == 5));
    for (place, node) in tree.nodes.iter().enumerate() {
        let children = tree.nodes.iter().filter(|child| child.parent == Some(place));
        let visits: u32 = children.map(|child| child.stats.visits).sum();
        assert!(visits <= node.stats.visits);
    }
    let report = open.run(&race.start(), &Budget::playouts(5_000).to_the_end()).unwrap();
    assert!(report.principal_variation.len() > 2);

    // both players choose in the moment at the root
    let pennies = support::matrix::payoffs(&[&[1.0, -1.0], &[-1.0, 1.0]]);
    let mut search = mcts_core::Decoupled::default().search(pennies.clone(), 1);
    search.run(&pennies.start(), &Budget::playouts(500).to_the_end()).unwrap();
    let root = search.branches(NodeRef::ROOT);
    let of = |player: u8| root.iter().filter(move |branch| branch.player.unwrap().0 == player);
    assert_eq!((of(0).count(), of(1).count()), (2, 2));
    let visits = |player| of(player).map(|branch| branch.visits).sum::<u32>();
    // the first playout that comes to the second player ends there
    assert_eq!((visits(0), visits(1)), (500, 499));
}

#[test]
fn an_action_of_drawn_worlds_leads_to_the_tree_of_each() {
    use mcts_core::testing::{Kuhn, KuhnAction};
    use mcts_core::{HiddenInformation, Pimc, Player};
    let mut deal = Kuhn.start();
    let mut view = Kuhn.first_view(&deal, Player::FIRST);
    for action in [KuhnAction::Deal(1), KuhnAction::Deal(2)] {
        Kuhn.apply(&mut deal, action);
        Kuhn.grow(&mut view, None, &Kuhn.observe(&deal, action, Player::FIRST));
    }
    let mut search = Pimc { worlds: 6, ..Pimc::default() }.search(Kuhn, 1);
    search.run(&view, &Budget::playouts(1_200).to_the_end()).unwrap();
    for action in search.branches(NodeRef::ROOT) {
        let worlds = below(&search, &action);
        assert_eq!(worlds.len(), 6);
        assert_eq!(worlds.iter().map(|world| world.visits).sum::<u32>(), action.visits);
        for (number, world) in (0..).zip(&worlds) {
            assert_eq!(world.branch, Branch::World(number));
            let answers = below(&search, world);
            assert_eq!(answers.len(), 2);
            assert!(answers.iter().all(|answer| matches!(answer.branch, Branch::Action(_))));
        }
    }
    assert!(search.principal_variations().iter().all(|line| line.len() > 1));
}

#[test]
fn an_export_keeps_its_limits_and_its_order() {
    let mut search = <Uct>::default().search(BOARD, 3);
    search.run(&BOARD.start(), &Budget::playouts(5_000).to_the_end()).unwrap();
    let all = search.export(&ExportLimits { depth: 3, least_visits: 20, nodes: usize::MAX });
    assert!(all.nodes.iter().all(|node| node.depth <= 3 && node.stats.visits >= 20));
    for (place, node) in all.nodes.iter().enumerate() {
        assert_eq!(node.depth, node.parent.map_or(1, |parent| all.nodes[parent].depth + 1));
        assert!(node.parent.is_none_or(|parent| parent < place));
    }
    let few = search.export(&ExportLimits { depth: 3, least_visits: 20, nodes: 12 });
    assert_eq!(few.nodes, all.nodes[..12]);
}

#[test]
fn dot_names_branches_and_quotes_them() {
    let game = TreeGame::<2>::new(Position::first([Position::over(1.0), Position::over(-1.0)]));
    let mut search = <Uct>::default().search(game.clone(), 1);
    search.run(&game.start(), &Budget::playouts(10)).unwrap();
    let tree = search.export(&ExportLimits { depth: 1, least_visits: 0, nodes: 10 });
    let dot = tree.to_dot(|action| format!("\"{action:?}\""));
    assert!(dot.starts_with("digraph search {"), "{dot}");
    assert_eq!(dot.matches("root -> ").count(), 2, "{dot}");
    assert!(dot.contains(r#"label="\"0\"\n"#) && dot.contains("+1.000"), "{dot}");
    assert_eq!(dot.matches("peripheries=2").count(), 2, "both ends are proven: {dot}");
}

#[cfg(feature = "serde")]
#[test]
fn json_is_read_back() {
    use mcts_core::search::ExportedTree;
    let mut search = <Uct>::default().search(BOARD, 3);
    search.run(&BOARD.start(), &Budget::playouts(1_000).to_the_end()).unwrap();
    let mut tree = search.export(&ExportLimits::default());
    let text = serde_json::to_string(&tree).unwrap();
    // references into the tree are meaningless outside the process
    tree.nodes.iter_mut().for_each(|node| node.stats.node = None);
    assert_eq!(serde_json::from_str::<ExportedTree<u8>>(&text).unwrap(), tree);
}
