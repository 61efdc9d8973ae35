//! Pieces attacked by cheaper ones: a quiet move out of such an attack is likely good, and before it the static value is not
//! to be trusted; nor where the king is besieged.

use super::exchange;
use super::parameters::Parameters;
use crate::engine::chess::attacks::{
    bishop_attacks, king_attacks, knight_attacks, queen_attacks, rook_attacks,
};
use crate::engine::chess::{Bitboard, PieceKind, Position, Square};

/// What the side that is not to move attacks with pieces that are cheaper than a kind, by that kind. Pawns and kings have nothing
/// to fear.
pub(super) struct Threats([Bitboard; 6]);

/// More besiegers than this make no more of a siege.
const BESIEGERS_MAX: i32 = 4;

impl Parameters {
    /// By how many centipawns more than usual a static value has to lie above beta for what the enemy threatens.
    pub(super) fn alarm(&self, position: &Position) -> i32 {
        let threat = if Threats::of(position).is_any(position) { self.reverse_futility_threat } else { 0 };
        threat + self.reverse_futility_siege * (besiegers(position) - 1).max(0)
    }

    /// No alarm is greater.
    pub(super) const fn most_alarm(&self) -> i32 {
        self.reverse_futility_threat + self.reverse_futility_siege * (BESIEGERS_MAX - 1)
    }
}

/// How many officers of the enemy attack squares around the king of the side to move; without a queen none counts.
fn besiegers(position: &Position) -> i32 {
    let enemy = position.by_color(!position.turn());
    if !(enemy & position.by_kind(PieceKind::Queen)).any() {
        return 0;
    }
    let (king, occupied) = (position.king(position.turn()), position.occupied());
    let around = king_attacks(king) | king.into();
    let count = |kind, attacks: fn(Square, Bitboard) -> Bitboard| {
        let squares = enemy & position.by_kind(kind);
        squares.into_iter().map(|square| i32::from((attacks(square, occupied) & around).any())).sum::<i32>()
    };
    let minors = count(PieceKind::Knight, |square, _| knight_attacks(square))
        + count(PieceKind::Bishop, bishop_attacks);
    let majors = count(PieceKind::Rook, rook_attacks) + count(PieceKind::Queen, queen_attacks);
    (minors + majors).min(BESIEGERS_MAX)
}

impl Threats {
    pub(super) fn of(position: &Position) -> Self {
        let (enemy, occupied) = (!position.turn(), position.occupied());
        let squares = |kind| position.by_color(enemy) & position.by_kind(kind);
        let reach = |kind, attacks: fn(Square, Bitboard) -> Bitboard| {
            squares(kind).into_iter().fold(Bitboard::EMPTY, |all, square| all | attacks(square, occupied))
        };
        let minor = enemy.pawn_attacks(squares(PieceKind::Pawn));
        let knights = reach(PieceKind::Knight, |square, _| knight_attacks(square));
        let rook = minor | knights | reach(PieceKind::Bishop, bishop_attacks);
        let queen = rook | reach(PieceKind::Rook, rook_attacks);
        Self([Bitboard::EMPTY, minor, minor, rook, queen, Bitboard::EMPTY])
    }

    /// All squares that the side attacks that is not to move.
    pub(super) fn attacked(position: &Position) -> Bitboard {
        let (enemy, occupied) = (!position.turn(), position.occupied());
        let queens = position.by_color(enemy) & position.by_kind(PieceKind::Queen);
        let others = Self::of(position).0[PieceKind::Queen.index()] | king_attacks(position.king(enemy));
        queens.into_iter().fold(others, |all, square| all | queen_attacks(square, occupied))
    }

    /// Whether they hit any piece of the side to move.
    fn is_any(&self, position: &Position) -> bool {
        let own = position.by_color(position.turn());
        let hit = |kind: PieceKind| (own & position.by_kind(kind) & self.0[kind.index()]).any();
        [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen].into_iter().any(hit)
    }

    /// Where a piece escapes such an attack to by a quiet move, and what it is worth in exchanges.
    #[inline]
    pub(super) fn escapes(&self, kind: PieceKind, from: Square) -> (Bitboard, i32) {
        let attacked = self.0[kind.index()];
        let safe = if attacked.contains(from) { !attacked } else { Bitboard::EMPTY };
        (safe, exchange::worth(kind))
    }
}

#[cfg(test)]
mod tests {
    use super::Threats;
    use crate::engine::chess::{Bitboard, Fen, Rank, Square, Variant};
    use crate::engine::search::Parameters;

    fn alarm(fen: &str) -> (i32, i32) {
        let position = Fen::parse(fen, Variant::Standard).unwrap().position;
        let parameters = |reverse_futility_threat, reverse_futility_siege| Parameters {
            reverse_futility_threat,
            reverse_futility_siege,
            ..Parameters::DEFAULT
        };
        let [threat, siege, both] = [(1, 0), (0, 1), (1, 1)].map(|(threat, siege)| {
            let parameters = parameters(threat, siege);
            assert!(parameters.alarm(&position) <= parameters.most_alarm(), "{fen}");
            parameters.alarm(&position)
        });
        assert_eq!(both, threat + siege, "{fen}");
        (threat, siege)
    }

    #[test]
    fn everything_that_an_enemy_could_take_or_take_back_on_is_attacked() {
        let attacked = |fen| Threats::attacked(&Fen::parse(fen, Variant::Standard).unwrap().position);
        let [a8, h8] = [Square::A8, Square::H8].map(Bitboard::from_square);
        let near = Bitboard::rank(Rank::Six) | Bitboard::rank(Rank::Seven) | Bitboard::rank(Rank::Eight);
        let start = attacked("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert_eq!(start, near & !a8 & !h8);
        // A queen that a pawn stops, and a king.
        let few = attacked("8/8/8/8/8/8/pp6/qk5K w - - 0 1");
        assert_eq!(few.count(), 6);
    }

    #[test]
    fn an_alarm_is_for_pieces_that_cheaper_ones_attack_and_for_officers_about_the_king() {
        for (fen, threat, siege) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0, 0),
            // A knight that a pawn attacks; a pawn that a knight attacks; a rook that a rook attacks.
            ("4k3/8/8/4p3/3N4/8/8/4K3 w - - 0 1", 1, 0),
            ("4k3/8/8/8/4n3/8/3P4/4K2R b - - 0 1", 0, 0),
            ("4k3/8/8/8/4n3/8/3P4/4K2R w - - 0 1", 0, 0),
            ("r3k3/8/8/8/8/8/8/R3K3 w - - 0 1", 0, 0),
            ("r3k3/8/8/8/8/8/8/Q3K3 w - - 0 1", 1, 0),
            // Queen and knight about the king are one besieger more than usual; without the queen none counts.
            ("4k3/8/8/8/6nq/8/5PPP/6K1 w - - 0 1", 0, 1),
            ("4k3/8/8/8/6n1/8/5PPP/6K1 w - - 0 1", 0, 0),
            ("4k3/8/8/8/7q/8/5PPP/6K1 w - - 0 1", 0, 0),
            // No more than four count.
            ("4k3/6rr/3b4/2b5/6nq/5n2/5P2/6K1 w - - 0 1", 0, 3),
        ] {
            assert_eq!(alarm(fen), (threat, siege), "{fen}");
        }
    }
}
