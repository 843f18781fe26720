//! AMAF statistics: the results of actions regardless of when they were played.

use crate::game::MAX_PLAYERS;
use crate::trace::{ActionTable, TraceStep};
use alloc::vec::Vec;
use core::fmt;

/// At this number of AMAF visits, visits and sum are halved, so that the sum stays precise.
const MOST_AMAF_VISITS: u32 = 1 << 23;

/// AMAF statistics of an action: the number of playouts that contain it, and their values in [0, 1]
/// for its player.
#[derive(Clone, Copy, Default, PartialEq)]
pub struct Amaf {
    /// The visits and, above them, the sum as `f32`; in one word, since two take longer to gather
    /// from several siblings.
    word: u64,
}

impl Amaf {
    #[inline]
    fn new(visits: u32, sum: f32) -> Self {
        Amaf { word: u64::from(sum.to_bits()) << 32 | u64::from(visits) }
    }

    /// Playouts that contain the action, up to the last 8 million.
    #[inline]
    #[must_use]
    pub fn visits(&self) -> u32 {
        self.word as u32
    }

    /// Their mean value; 0 without visits.
    #[inline]
    #[must_use]
    pub fn value(&self) -> f32 {
        self.sum() / self.visits().max(1) as f32
    }

    /// The sum of their values.
    #[inline]
    pub(super) fn sum(&self) -> f32 {
        f32::from_bits((self.word >> 32) as u32)
    }

    /// Adds a playout.
    #[inline]
    pub fn add(&mut self, value: f32) {
        self.add_if(true, value);
    }

    /// Adds a playout if `counts`, without an unpredictable branch.
    #[inline]
    pub(super) fn add_if(&mut self, counts: bool, value: f32) {
        let (mut visits, mut sum) = (self.visits(), self.sum());
        if visits >= MOST_AMAF_VISITS {
            visits /= 2;
            sum /= 2.0;
        }
        *self = Amaf::new(visits + u32::from(counts), sum + if counts { value } else { 0.0 });
    }
}

impl fmt::Debug for Amaf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Amaf").field("visits", &self.visits()).field("sum", &self.sum()).finish()
    }
}

/// The id of a table in [`AmafTables`]; the default is invalid.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TableId(u32);

/// AMAF statistics of all actions of all players for a limited number of nodes. At the limit the
/// least recently used table is evicted and its id becomes invalid.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AmafTables {
    tables: Vec<Table>,
    last: u32,
}

#[derive(Debug, Clone, Default, PartialEq)]
struct Table {
    id: TableId,
    playouts: u32,
    /// Whether a playout was added since the last eviction scan.
    in_use: bool,
    statistics: ActionTable<Amaf>,
}

impl AmafTables {
    /// Creates a table; evicts another one if there are `most` already.
    pub(super) fn create(&mut self, most: usize) -> TableId {
        loop {
            self.last = self.last.wrapping_add(1).max(1);
            let place = self.last as usize % most;
            if place >= self.tables.len() {
                self.tables.resize_with(place + 1, Table::default);
            }
            let table = &mut self.tables[place];
            if !core::mem::take(&mut table.in_use) {
                table.id = TableId(self.last);
                table.playouts = 0;
                table.statistics.values_mut().for_each(|amaf| *amaf = Amaf::default());
                return table.id;
            }
        }
    }

    #[inline]
    fn table(&self, id: TableId) -> Option<&Table> {
        if id == TableId::default() {
            return None;
        }
        self.tables.get(id.0 as usize % self.tables.len().max(1)).filter(|table| table.id == id)
    }

    /// Playouts of a table; `None` if it was evicted.
    #[inline]
    pub(super) fn playouts(&self, id: TableId) -> Option<u32> {
        self.table(id).map(|table| table.playouts)
    }

    /// The statistics of an action; empty if the table was evicted.
    #[inline]
    #[must_use]
    pub fn of(&self, id: TableId, action: TraceStep) -> Amaf {
        match (self.table(id), action.index()) {
            (Some(table), Some(index)) => table.statistics.of(action.player(), index),
            _ => Amaf::default(),
        }
    }

    /// Adds a playout with these actions, each once, and its value for each player.
    pub(super) fn add_playout(
        &mut self,
        id: TableId,
        actions: &[TraceStep],
        values: &[f32; MAX_PLAYERS],
    ) {
        let place = id.0 as usize % self.tables.len().max(1);
        let Some(table) = self.tables.get_mut(place).filter(|table| table.id == id) else { return };
        table.playouts = table.playouts.saturating_add(1);
        table.in_use = true;
        for action in actions {
            if let Some(index) = action.index() {
                let value = values[action.player().index() % MAX_PLAYERS];
                table.statistics.entry(action.player(), index).add(value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Player;

    #[test]
    fn amaf_values_stay_right_beyond_what_a_sum_can_count() {
        let mut amaf = Amaf::new(MOST_AMAF_VISITS, MOST_AMAF_VISITS as f32);
        amaf.add(0.0);
        assert_eq!(amaf.visits(), MOST_AMAF_VISITS / 2 + 1);
        let expected = 1.0 - 1.0 / f64::from(amaf.visits());
        assert!((f64::from(amaf.value()) - expected).abs() < 1e-7);
    }

    #[test]
    fn a_table_that_nobody_counts_in_makes_room_and_its_name_leads_nowhere() {
        let mut tables = AmafTables::default();
        let first = tables.create(2);
        let second = tables.create(2);
        let action = TraceStep::new(Player::SECOND, Some(3));
        tables.add_playout(second, &[action], &[1.0; MAX_PLAYERS]);
        let third = tables.create(2);
        assert_eq!(tables.playouts(first), None);
        assert_eq!((tables.of(second, action).visits(), tables.playouts(third)), (1, Some(0)));
        let fourth = tables.create(2);
        assert_eq!((tables.playouts(second), tables.playouts(fourth)), (Some(1), Some(0)));
        let fifth = tables.create(2);
        assert_eq!(tables.playouts(second), None);
        assert_eq!(tables.of(fifth, action), Amaf::default());
    }
}
