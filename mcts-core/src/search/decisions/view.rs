//! Read access to the information sets of a search.
//!
//! An information set may be reached by several paths; it is shown below the arm after which it was
//! first found, so the result is a tree.

use super::{Decisions, NONE, Point};
use crate::game::{Game, Player};
use crate::search::walk::{Branch, BranchStats, NodeRef};
use alloc::vec::Vec;

/// Position of the number of an information set in a reference to the nodes after one of its arms.
const POINT: u32 = 32;

impl<A: Copy + Eq> Decisions<A> {
    /// The branches of a node; those of the root are the arms of the information sets with the keys
    /// `roots`.
    pub(in crate::search) fn branches<G: Game<Action = A>>(
        &self,
        node: NodeRef,
        roots: impl Iterator<Item = u64>,
    ) -> Vec<BranchStats<A>> {
        if node == NodeRef::ROOT {
            let points = roots.filter_map(|key| self.find(key));
            return points.flat_map(|point| self.arms_of::<G>(point)).collect();
        }
        let (point, arm) = ((node.0 >> POINT) as u32, node.0 as u32);
        match arm.checked_sub(1) {
            None => self.arms_of::<G>(point),
            Some(arm) => match self.after(point, arm)[..] {
                [only] => self.arms_of::<G>(only),
                ref several => several.iter().map(|next| self.seen::<G>(*next)).collect(),
            },
        }
    }

    /// The line of the most visited actions that begins with `first` in the information set of this
    /// key.
    pub(in crate::search) fn line_from(&self, root: u64, first: A) -> Vec<A> {
        let mut line = alloc::vec![first];
        let mut point = self.find(root);
        while let Some(at) = point {
            let run = self.points[at as usize].run;
            let Some(arm) = self.arms.find(run, line[line.len() - 1], 0) else { break };
            let visits = |next: &u32| self.points[*next as usize].visits;
            let Some(next) = self.after(at, arm).into_iter().max_by_key(visits) else { break };
            let run = self.points[next as usize].run;
            let arms = self.arms.actions(run).iter().zip(self.arms.of(run));
            let Some((action, _)) =
                arms.filter(|(_, arm)| arm.visits > 0).max_by_key(|(_, arm)| arm.visits)
            else {
                break;
            };
            line.push(*action);
            point = Some(next);
        }
        line
    }

    /// The information sets found after an arm, in order.
    fn after(&self, point: u32, arm: u32) -> Vec<u32> {
        let mut found = Vec::new();
        let mut at = self.points.get(point as usize).map_or(NONE, |point| point.last_after);
        while let Some(next) = self.points.get(at as usize) {
            found.extend((next.after == arm).then_some(at));
            at = next.before;
        }
        found.reverse();
        found
    }

    fn arms_of<G: Game<Action = A>>(&self, point: u32) -> Vec<BranchStats<A>> {
        let Some(Point { player, run, .. }) = self.points.get(point as usize) else {
            return Vec::new();
        };
        let arms = self.arms.actions(*run).iter().zip(self.arms.of(*run));
        let branch = |(place, (action, arm)): (u32, (&A, &crate::selection::Arm))| {
            let mean = (arm.visits > 0).then(|| arm.mean() as f32);
            let value = |of: u8| match Player(of) {
                of if of == *player => mean,
                _ if G::PLAYERS == 2 && G::ZERO_SUM => mean.map(|mean| -mean),
                _ => None,
            };
            let leads_on = !self.after(point, place).is_empty();
            BranchStats {
                branch: Branch::Action(*action),
                player: Some(*player),
                visits: arm.visits,
                values: (0..G::PLAYERS as u8).map(value).collect(),
                prior: None,
                proven: None,
                node: leads_on.then(|| NodeRef(u64::from(point) << POINT | u64::from(place + 1))),
            }
        };
        (0..).zip(arms).map(branch).collect()
    }

    /// One of several points that follow an arm: its information set.
    fn seen<G: Game<Action = A>>(&self, point: u32) -> BranchStats<A> {
        let Point { key, visits, .. } = self.points[point as usize];
        BranchStats {
            branch: Branch::Observation(key),
            player: None,
            visits,
            values: alloc::vec![None; G::PLAYERS],
            prior: None,
            proven: None,
            node: Some(NodeRef(u64::from(point) << POINT)),
        }
    }
}
