//! The rules about legal positions once more: slowly, square by square, and sharing nothing with the engine.

use std::collections::BTreeSet;

/// A square as file and rank, both 0 to 7.
type Place = (i32, i32);

/// What a FEN says, as characters: `.` for an empty square.
#[derive(Clone, Debug)]
pub(crate) struct Sketch {
    /// By rank, the first first; then by file.
    pub(crate) squares: [[char; 8]; 8],
    pub(crate) white_to_move: bool,
    pub(crate) castling: String,
    pub(crate) en_passant: Option<Place>,
    pub(crate) chess960: bool,
}

/// What is to be made of it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Refused(&'static str),
    /// Warnings, and the castling rights that remain: the colour's `K` or `k`, and the file of the rook.
    Accepted {
        warnings: Vec<&'static str>,
        rights: BTreeSet<(char, i32)>,
    },
}

impl Sketch {
    /// Reads the first four fields of a well-formed FEN.
    pub(crate) fn from_fen(fen: &str) -> Self {
        let fields: Vec<&str> = fen.split_whitespace().collect();
        let mut squares = [['.'; 8]; 8];
        for (row, text) in fields[0].split('/').enumerate() {
            let mut file = 0;
            for letter in text.chars() {
                if let Some(empty) = letter.to_digit(10) {
                    file += empty as usize;
                } else {
                    squares[7 - row][file] = letter;
                    file += 1;
                }
            }
        }
        let en_passant = match fields[3].as_bytes() {
            [file, rank] => Some((i32::from(file - b'a'), i32::from(rank - b'1'))),
            _ => None,
        };
        Self {
            squares,
            white_to_move: fields[1] == "w",
            castling: fields[2].to_owned(),
            en_passant,
            chess960: false,
        }
    }

    /// Writes it down again, every empty square as a 1.
    pub(crate) fn fen(&self) -> String {
        let rows = self.squares.iter().rev().map(|row| row.iter().collect::<String>().replace('.', "1"));
        let board = rows.collect::<Vec<_>>().join("/");
        let turn = if self.white_to_move { 'w' } else { 'b' };
        let en_passant = self
            .en_passant
            .map_or("-".to_owned(), |(file, rank)| format!("{}{}", char::from(b'a' + file as u8), rank + 1));
        format!("{board} {turn} {} {en_passant} 0 1", self.castling)
    }

    pub(crate) fn verdict(&self) -> Verdict {
        if let Some(code) = self.refused_by_counting() {
            return Verdict::Refused(code);
        }
        let mut warnings = Vec::new();
        let (rights, complete) = self.castling_rights();
        if !complete {
            warnings.push("castling_rights_ignored");
        }
        let (own, other) = if self.white_to_move { ('K', 'k') } else { ('k', 'K') };
        if !self.attackers(self.find(other)[0], self.white_to_move).is_empty() {
            return Verdict::Refused("opposite_check");
        }
        if self.en_passant.is_some_and(|square| !self.was_passed_over(square, own)) {
            warnings.push("ep_square_ignored");
        }
        let king = self.find(own)[0];
        let checkers = self.attackers(king, !self.white_to_move);
        let on_one_line = |a: Place, b: Place| {
            let ((ax, ay), (bx, by)) = ((a.0 - king.0, a.1 - king.1), (b.0 - king.0, b.1 - king.1));
            // Both are attackers, so parallel means the same line; a knight is on none.
            ax * by == ay * bx && [ax, ay, ax.abs() - ay.abs()].contains(&0)
        };
        match checkers.as_slice() {
            [] | [_] => {}
            [first, second] if !on_one_line(*first, *second) => {}
            _ => return Verdict::Refused("impossible_check"),
        }
        Verdict::Accepted { warnings, rights }
    }

    fn at(&self, (file, rank): Place) -> char {
        self.squares[rank as usize][file as usize]
    }

    fn find(&self, piece: char) -> Vec<Place> {
        places().filter(|place| self.at(*place) == piece).collect()
    }

    fn refused_by_counting(&self) -> Option<&'static str> {
        let kings = ['K', 'k'].map(|king| self.find(king).len());
        if kings[0] == 0 || (kings[1] == 0 && kings[0] == 1) {
            return Some("missing_king");
        }
        if kings[0] > 1 || kings[1] > 1 {
            return Some("too_many_kings");
        }
        if places().any(|place| (place.1 == 0 || place.1 == 7) && "Pp".contains(self.at(place))) {
            return Some("pawns_on_backrank");
        }
        let surplus = ["PNBRQK", "pnbrqk"].iter().any(|letters| self.has_surplus(letters));
        surplus.then_some("too_much_material")
    }

    /// `letters`: a side's pawn, knight, bishop, rook, queen and king.
    fn has_surplus(&self, letters: &str) -> bool {
        let of: Vec<Vec<Place>> = letters.chars().map(|letter| self.find(letter)).collect();
        let total: usize = of.iter().map(Vec::len).sum();
        let dark_bishops = of[2].iter().filter(|(file, rank)| (file + rank) % 2 == 0).count();
        let starters = of[1].len().min(2)
            + dark_bishops.min(1)
            + (of[2].len() - dark_bishops).min(1)
            + of[3].len().min(2)
            + of[4].len().min(1)
            + of[5].len();
        let pawns = of[0].len();
        let promoted = total - starters - pawns;
        total > 16 || pawns > 8 || pawns + promoted > 8
    }

    fn castling_rights(&self) -> (BTreeSet<(char, i32)>, bool) {
        let mut rights = BTreeSet::new();
        let mut complete = true;
        for letter in self.castling.chars().filter(|letter| *letter != '-') {
            match self.rook_of_right(letter) {
                Some((king, file)) if !self.same_side_taken(&rights, king, file) => {
                    rights.insert((king, file));
                }
                _ => complete = false,
            }
        }
        (rights, complete)
    }

    /// A second right on one side of the king, with another rook.
    fn same_side_taken(&self, rights: &BTreeSet<(char, i32)>, king: char, file: i32) -> bool {
        let king_file = self.find(king)[0].0;
        rights
            .iter()
            .any(|(other, rook)| *other == king && *rook != file && (*rook > king_file) == (file > king_file))
    }

    fn rook_of_right(&self, letter: char) -> Option<(char, i32)> {
        let white = letter.is_uppercase();
        let (king, rook, rank) = if white { ('K', 'R', 0) } else { ('k', 'r', 7) };
        let (king_file, king_rank) = self.find(king)[0];
        let has_rook = |file: &i32| self.at((*file, rank)) == rook;
        let file = match letter.to_ascii_uppercase() {
            'K' => (king_file + 1..8).rev().find(has_rook)?,
            'Q' => (0..king_file).find(has_rook)?,
            file => Some(file as i32 - 'A' as i32).filter(has_rook)?,
        };
        let usual = king_file == 4 && (file == if file > king_file { 7 } else { 0 });
        (king_rank == rank && (self.chess960 || usual)).then_some((king, file))
    }

    /// Whether the enemy's last move can have been a double step over this square, `own` being the king now to move.
    fn was_passed_over(&self, (file, rank): Place, own: char) -> bool {
        let (pawn, expected_rank, step) = if self.white_to_move { ('p', 5, -1) } else { ('P', 2, 1) };
        if rank != expected_rank {
            return false;
        }
        let (from, to) = ((file, rank - step), (file, rank + step));
        if self.at(from) != '.' || self.at((file, rank)) != '.' || self.at(to) != pawn {
            return false;
        }
        let mut before = self.clone();
        before.squares[to.1 as usize][file as usize] = '.';
        before.squares[from.1 as usize][file as usize] = pawn;
        before.attackers(before.find(own)[0], !self.white_to_move).is_empty()
    }

    fn attackers(&self, target: Place, by_white: bool) -> Vec<Place> {
        places()
            .filter(|place| {
                let piece = self.at(*place);
                piece != '.' && piece.is_uppercase() == by_white && self.attacks(*place, target)
            })
            .collect()
    }

    fn attacks(&self, from: Place, to: Place) -> bool {
        let (files, ranks) = (to.0 - from.0, to.1 - from.1);
        let (far, near) = (files.abs().max(ranks.abs()), files.abs().min(ranks.abs()));
        if far == 0 {
            return false;
        }
        let diagonal = far == near;
        let straight = near == 0;
        let piece = self.at(from);
        match piece.to_ascii_uppercase() {
            'P' => diagonal && ranks == if piece == 'P' { 1 } else { -1 },
            'N' => (far, near) == (2, 1),
            'K' => far == 1,
            'B' => diagonal && self.is_free(from, to),
            'R' => straight && self.is_free(from, to),
            _ => (diagonal || straight) && self.is_free(from, to),
        }
    }

    /// Whether all squares between the two, on one line, are empty.
    fn is_free(&self, from: Place, to: Place) -> bool {
        let step = ((to.0 - from.0).signum(), (to.1 - from.1).signum());
        let mut place = (from.0 + step.0, from.1 + step.1);
        while place != to {
            if self.at(place) != '.' {
                return false;
            }
            place = (place.0 + step.0, place.1 + step.1);
        }
        true
    }
}

fn places() -> impl Iterator<Item = Place> {
    (0..8).flat_map(|rank| (0..8).map(move |file| (file, rank)))
}
