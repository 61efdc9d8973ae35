//! The tuner's matrix: a sparse row of counts for each position.

/// How many times a weight counts in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The weight's place in the flat table.
    pub(crate) index: u16,
    /// How many times.
    pub(crate) count: i16,
}

impl Entry {
    /// Packs what a ledger counted; `None` if a half does not fit into 16 bits.
    pub(crate) fn new(index: usize, count: i32) -> Option<Self> {
        Some(Self { index: u16::try_from(index).ok()?, count: i16::try_from(count).ok()? })
    }
}

/// What a position is to the tuner, beside its entries.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Facts {
    /// What a point of the middlegame and a point of the endgame are worth in centipawns here.
    pub(crate) blend: [f32; 2],
    /// White's points in the game: 0, a half or 1.
    pub(crate) result: f32,
    /// What the file says of the position, in centipawns of White's view.
    pub(crate) file_cp: i16,
    /// The game it comes from.
    pub(crate) game: u64,
    /// Why the score is scaled, if it is: the name and the scale, of 64.
    pub(crate) scaled: Option<(&'static str, i32)>,
    /// Plies since the last capture or pawn move.
    pub(crate) halfmoves: u16,
}

/// A position as the model sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'matrix> {
    /// Weights that are simply summed up: White's counts minus Black's.
    pub(crate) linear: &'matrix [Entry],
    /// Units of king danger that White and Black collected as attackers.
    pub(crate) danger: [&'matrix [Entry]; 2],
    /// The rest.
    pub(crate) facts: &'matrix Facts,
}

/// Compressed sparse rows: all entries one after the other, and where each row's three parts end.
#[derive(Debug, Default)]
pub(crate) struct Matrix {
    entries: Vec<Entry>,
    ends: Vec<[u32; 3]>,
    facts: Vec<Facts>,
}

impl Matrix {
    /// Adds a row.
    ///
    /// # Panics
    /// If the matrix has more entries than 32 bits can count.
    pub(crate) fn push(
        &mut self,
        linear: impl IntoIterator<Item = Entry>,
        danger: [Vec<Entry>; 2],
        facts: Facts,
    ) {
        let [white, black] = danger;
        self.entries.extend(linear);
        let linear_end = self.end();
        self.entries.extend(white);
        let white_end = self.end();
        self.entries.extend(black);
        self.ends.push([linear_end, white_end, self.end()]);
        self.facts.push(facts);
    }

    /// Adds all rows of another matrix.
    ///
    /// # Panics
    /// If the matrix has more entries than 32 bits can count.
    pub(crate) fn append(&mut self, mut other: Self) {
        let shift = self.end();
        self.entries.append(&mut other.entries);
        assert!(u32::try_from(self.entries.len()).is_ok(), "too many entries for 32 bits");
        self.ends.extend(other.ends.iter().map(|ends| ends.map(|end| end + shift)));
        self.facts.append(&mut other.facts);
    }

    /// The number of rows.
    pub(crate) const fn len(&self) -> usize {
        self.facts.len()
    }

    /// The number of entries of all rows.
    pub(crate) const fn entries(&self) -> usize {
        self.entries.len()
    }

    /// One row; `row` must be below [`Self::len`].
    pub(crate) fn row(&self, row: u32) -> Row<'_> {
        let row = row as usize;
        let start = if row == 0 { 0 } else { self.ends[row - 1][2] as usize };
        let [linear, white, black] = self.ends[row].map(|end| end as usize);
        Row {
            linear: &self.entries[start..linear],
            danger: [&self.entries[linear..white], &self.entries[white..black]],
            facts: &self.facts[row],
        }
    }

    fn end(&self) -> u32 {
        assert!(u32::try_from(self.entries.len()).is_ok(), "too many entries for 32 bits");
        self.entries.len() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::{Entry, Facts, Matrix};

    #[test]
    fn rows_come_back_as_they_went_in() {
        let entry = |index, count| Entry::new(index, count).unwrap();
        let facts = |game| Facts { blend: [0.5, 0.5], result: 1.0, file_cp: 7, game, ..Facts::default() };
        let rows = [
            (vec![entry(3, -1), entry(900, 2)], [vec![entry(5, 1)], vec![]]),
            (vec![], [vec![], vec![]]),
            (vec![entry(0, 300)], [vec![], vec![entry(1, 1), entry(2, 2)]]),
        ];
        let (mut matrix, mut second) = (Matrix::default(), Matrix::default());
        for (number, (linear, danger)) in rows.iter().enumerate() {
            let half = if number < 1 { &mut matrix } else { &mut second };
            half.push(linear.clone(), danger.clone(), facts(number as u64));
        }
        matrix.append(second);
        assert_eq!((matrix.len(), matrix.entries()), (3, 6));
        for (number, (linear, danger)) in rows.iter().enumerate() {
            let row = matrix.row(number as u32);
            assert_eq!(row.linear, linear);
            assert_eq!(row.danger, [&danger[0][..], &danger[1][..]]);
            assert_eq!(row.facts.game, number as u64);
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert_eq!(Entry::new(70_000, 1), None);
        assert_eq!(Entry::new(1, 40_000), None);
    }
}
