//! A second, slow implementation of the rules on a plain array, written from the rule page.
//!
//! It shares only the text forms with the crate.

/// A piece letter as in the text form, and the level of a citizen.
type Cell = Option<(char, u8)>;

#[derive(Clone, Debug)]
pub(crate) struct Oracle {
    /// `cells[rank][file]`, rank 0 is White's home.
    cells: [[Cell; 5]; 5],
    white_moves: bool,
    ply: u32,
}

const STRAIGHT: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const SLANTED: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const LEAPS: [(i32, i32); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

fn name(file: usize, rank: usize) -> String {
    format!("{}{}", ["a", "b", "c", "d", "e"][file], rank + 1)
}

impl Oracle {
    pub(crate) fn read(text: &str) -> Oracle {
        let fields: Vec<&str> = text.split(' ').collect();
        let mut levels = fields[2].bytes();
        let mut cells = [[None; 5]; 5];
        for (row, rank_text) in fields[0].split('/').enumerate() {
            let mut file = 0;
            for letter in rank_text.chars() {
                if let Some(skip) = letter.to_digit(10) {
                    file += skip as usize;
                    continue;
                }
                let is_citizen = letter.eq_ignore_ascii_case(&'c');
                let level = if is_citizen { levels.next().unwrap() - b'0' } else { 0 };
                cells[4 - row][file] = Some((letter, level));
                file += 1;
            }
        }
        Oracle { cells, white_moves: fields[1] == "w", ply: fields[3].parse().unwrap() }
    }

    pub(crate) fn write(&self) -> String {
        let mut ranks = Vec::new();
        let mut levels = String::new();
        for rank in self.cells.iter().rev() {
            let mut text = String::new();
            for cell in rank {
                text.push(cell.map_or('1', |(letter, _)| letter));
                if let Some(('c' | 'C', level)) = cell {
                    levels += &level.to_string();
                }
            }
            for (ones, digit) in [("11111", "5"), ("1111", "4"), ("111", "3"), ("11", "2")] {
                text = text.replace(ones, digit);
            }
            ranks.push(text);
        }
        let side = if self.white_moves { "w" } else { "b" };
        let levels = if levels.is_empty() { "-" } else { &levels };
        format!("{} {side} {levels} {}", ranks.join("/"), self.ply)
    }

    fn cell(&self, file: i32, rank: i32) -> Option<Cell> {
        let inside = (0..5).contains(&file) && (0..5).contains(&rank);
        inside.then(|| self.cells[rank as usize][file as usize])
    }

    /// The squares that the piece on a square attacks.
    fn attacks(&self, file: usize, rank: usize) -> Vec<(usize, usize)> {
        let Some((letter, _)) = self.cells[rank][file] else { return Vec::new() };
        let up = if letter.is_ascii_uppercase() { 1 } else { -1 };
        let queen = [STRAIGHT, SLANTED].concat();
        let (steps, far) = match letter.to_ascii_lowercase() {
            'k' => (queen, 1),
            'q' => (queen, 4),
            'r' => (STRAIGHT.to_vec(), 4),
            'b' => (SLANTED.to_vec(), 4),
            'n' => (LEAPS.to_vec(), 1),
            'p' => (vec![(1, up), (-1, up)], 1),
            _ => (Vec::new(), 0),
        };
        let mut found = Vec::new();
        for (df, dr) in steps {
            for n in 1..=far {
                let (to_file, to_rank) = (file as i32 + n * df, rank as i32 + n * dr);
                let Some(cell) = self.cell(to_file, to_rank) else { break };
                found.push((to_file as usize, to_rank as usize));
                if cell.is_some() {
                    break;
                }
            }
        }
        found
    }

    pub(crate) fn in_check(&self, white: bool) -> bool {
        let king = if white { 'K' } else { 'k' };
        for rank in 0..5 {
            for file in 0..5 {
                let is_enemy = self.cells[rank][file]
                    .is_some_and(|(letter, _)| letter.is_ascii_uppercase() != white);
                if is_enemy
                    && self
                        .attacks(file, rank)
                        .iter()
                        .any(|(f, r)| self.cells[*r][*f].is_some_and(|(letter, _)| letter == king))
                {
                    return true;
                }
            }
        }
        false
    }

    /// Every legal action with the position after it, sorted by the action's text.
    pub(crate) fn successors(&self) -> Vec<(String, Oracle)> {
        let mut all = Vec::new();
        for rank in 0..5 {
            for file in 0..5 {
                self.actions_at(file, rank, &mut all);
            }
        }
        all.retain(|(_, after)| !after.in_check(self.white_moves));
        all.sort_by(|a, b| a.0.cmp(&b.0));
        all
    }

    fn actions_at(&self, file: usize, rank: usize, all: &mut Vec<(String, Oracle)>) {
        let home = if self.white_moves { 0 } else { 4 };
        let own = |letter: char| letter.is_ascii_uppercase() == self.white_moves;
        let case =
            |letter: char| if self.white_moves { letter } else { letter.to_ascii_lowercase() };
        match self.cells[rank][file] {
            None if rank == home => all.push((
                format!("PLACE {}", name(file, rank)),
                self.after(&[(file, rank, Some((case('C'), 0)))]),
            )),
            Some(('C' | 'c', level)) if own(self.cells[rank][file].unwrap().0) => {
                let table = [
                    (1, "PAWN", 'P'),
                    (3, "KNIGHT", 'N'),
                    (3, "BISHOP", 'B'),
                    (5, "ROOK", 'R'),
                    (9, "QUEEN", 'Q'),
                ];
                for (least, piece, letter) in table {
                    if level >= least {
                        all.push((
                            format!("PROMOTE {} {piece}", name(file, rank)),
                            self.after(&[(file, rank, Some((case(letter), 0)))]),
                        ));
                    }
                }
            }
            Some((letter, _)) if own(letter) => self.moves_of(file, rank, letter, all),
            _ => {}
        }
    }

    fn moves_of(&self, file: usize, rank: usize, letter: char, all: &mut Vec<(String, Oracle)>) {
        let is_pawn = letter.eq_ignore_ascii_case(&'p');
        let mut targets = self.attacks(file, rank);
        targets.retain(|(f, r)| match self.cells[*r][*f] {
            None => !is_pawn,
            Some((there, _)) => {
                there.is_ascii_uppercase() != self.white_moves && !there.eq_ignore_ascii_case(&'k')
            }
        });
        if is_pawn {
            let ahead = if self.white_moves { rank + 1 } else { rank - 1 };
            if self.cells[ahead][file].is_none() {
                targets.push((file, ahead));
            }
        }
        for (f, r) in targets {
            let text = format!("MOVE {} {}", name(file, rank), name(f, r));
            if is_pawn && (r == 0 || r == 4) {
                for (piece, becomes) in
                    [("KNIGHT", 'N'), ("BISHOP", 'B'), ("ROOK", 'R'), ("QUEEN", 'Q')]
                {
                    let becomes =
                        if self.white_moves { becomes } else { becomes.to_ascii_lowercase() };
                    let change = [(file, rank, None), (f, r, Some((becomes, 0)))];
                    all.push((format!("{text} {piece}"), self.after(&change)));
                }
            } else {
                all.push((text, self.after(&[(file, rank, None), (f, r, Some((letter, 0)))])));
            }
        }
    }

    /// The position after these changes, with the next side's levels raised.
    fn after(&self, changes: &[(usize, usize, Cell)]) -> Oracle {
        let mut next = self.clone();
        for (file, rank, cell) in changes {
            next.cells[*rank][*file] = *cell;
        }
        next.white_moves = !self.white_moves;
        next.ply += 1;
        let citizen = if next.white_moves { 'C' } else { 'c' };
        for cell in next.cells.iter_mut().flatten().flatten() {
            if cell.0 == citizen {
                cell.1 = (cell.1 + 1).min(9);
            }
        }
        next
    }

    /// `checkmate`, `stalemate`, `ply200` or nothing.
    pub(crate) fn ending(&self) -> Option<&'static str> {
        if self.successors().is_empty() {
            return Some(if self.in_check(self.white_moves) { "checkmate" } else { "stalemate" });
        }
        (self.ply >= 200).then_some("ply200")
    }
}
