//! One side's men and what they attack.

use crate::engine::chess::attacks::{
    bishop_attacks, king_attacks, knight_attacks, queen_attacks, rook_attacks,
};
use crate::engine::chess::{Bitboard, ByColor, Color, PieceKind, Position, Square};

/// The men of one side and what they attack, in squares as one of the two sides names them.
#[derive(Clone, Copy)]
pub(super) struct Camp {
    kinds: [Bitboard; 6],
    /// All of them.
    pub(super) men: Bitboard,
    /// What they attack.
    pub(super) attacks: Reach,
}

/// What one side attacks, its own men included, as they are protected by it.
#[derive(Clone, Copy)]
pub(super) struct Reach {
    kinds: [Bitboard; 6],
    /// Squares attacked by anything.
    pub(super) all: Bitboard,
    /// Squares attacked by two pieces or more.
    pub(super) twice: Bitboard,
}

/// A knight, bishop, rook or queen and what it attacks.
#[derive(Clone, Copy)]
pub(super) struct Officer {
    pub(super) kind: PieceKind,
    pub(super) square: Square,
    pub(super) attacks: Bitboard,
}

/// What the officers of a side need to know of the other side, in squares as they name them.
#[derive(Clone, Copy)]
pub(super) struct Opposition {
    /// All men of both sides.
    pub(super) occupied: Bitboard,
    /// Where the enemy king stands.
    pub(super) king: Square,
    /// What the enemy's pawns attack.
    pub(super) pawn_attacks: Bitboard,
}

impl Camp {
    /// Both sides, each in squares as it names them, with what its pawns and its king attack. The attacks of the officers are
    /// to be [added](Self::add).
    #[inline]
    pub(super) fn both(position: &Position) -> ByColor<Self> {
        ByColor::from_fn(|side| Self::of(position, side))
    }

    #[inline]
    fn of(position: &Position, side: Color) -> Self {
        let kinds = PieceKind::ALL.map(|kind| position.pieces(side, kind).relative(side));
        let mut camp = Self { kinds, men: position.by_color(side).relative(side), attacks: Reach::NOTHING };
        let pawns = camp.kind(PieceKind::Pawn);
        camp.attacks.add(PieceKind::Pawn, Color::White.pawn_attacks_west(pawns));
        camp.attacks.add(PieceKind::Pawn, Color::White.pawn_attacks_east(pawns));
        camp.attacks.add(PieceKind::King, king_attacks(camp.king()));
        camp
    }

    /// The same in squares as the other side names them.
    #[inline]
    pub(super) fn flipped(&self) -> Self {
        Self { kinds: self.kinds.map(Bitboard::flip), men: self.men.flip(), attacks: self.attacks.flipped() }
    }

    /// Itself as the officers of the other side find it, whose own side has these men.
    #[inline]
    pub(super) fn opposition(&self, men: Bitboard) -> Opposition {
        Opposition {
            occupied: men | self.men.flip(),
            king: self.king().flip(),
            pawn_attacks: self.pawn_attacks().flip(),
        }
    }

    /// Adds the attacks of the officers of one kind, and shows each on the way.
    #[inline]
    pub(super) fn add<K: OfficerKind>(&mut self, occupied: Bitboard, mut visit: impl FnMut(&Self, Officer)) {
        for square in self.kind(K::KIND) {
            let officer = Officer { kind: K::KIND, square, attacks: K::attacks(square, occupied) };
            self.attacks.add(officer.kind, officer.attacks);
            visit(self, officer);
        }
    }

    /// The men of one kind.
    #[inline]
    pub(super) const fn kind(&self, kind: PieceKind) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// Where the king stands.
    #[inline]
    pub(super) const fn king(&self) -> Square {
        Square::from_index(self.kind(PieceKind::King).0.trailing_zeros() as u8)
    }

    /// Knights, bishops, rooks and queens.
    #[inline]
    pub(super) fn officers(&self) -> Bitboard {
        self.men & !(self.kind(PieceKind::Pawn) | self.kind(PieceKind::King))
    }

    /// What the pawns attack.
    #[inline]
    pub(super) const fn pawn_attacks(&self) -> Bitboard {
        self.attacks.kind(PieceKind::Pawn)
    }

    /// Where a piece can go safely: none of its own side stands there and none of the enemy's pawns, which attack these squares,
    /// attacks it.
    #[inline]
    pub(super) fn safe(&self, enemy_pawn_attacks: Bitboard) -> Bitboard {
        !(self.men | enemy_pawn_attacks)
    }
}

impl Reach {
    const NOTHING: Self = Self { kinds: [Bitboard::EMPTY; 6], all: Bitboard::EMPTY, twice: Bitboard::EMPTY };

    /// Squares attacked by pieces of this kind.
    #[inline]
    pub(super) const fn kind(&self, kind: PieceKind) -> Bitboard {
        self.kinds[kind.index()]
    }

    #[inline]
    fn add(&mut self, kind: PieceKind, attacks: Bitboard) {
        self.kinds[kind.index()] |= attacks;
        self.twice |= self.all & attacks;
        self.all |= attacks;
    }

    #[inline]
    fn flipped(&self) -> Self {
        Self { kinds: self.kinds.map(Bitboard::flip), all: self.all.flip(), twice: self.twice.flip() }
    }
}

/// A kind of officer, known when the code is compiled.
pub(super) trait OfficerKind {
    /// Its name at run time.
    const KIND: PieceKind;

    /// What it attacks from a square.
    fn attacks(square: Square, occupied: Bitboard) -> Bitboard;
}

/// Knights.
pub(super) struct Knight;
/// Bishops.
pub(super) struct Bishop;
/// Rooks.
pub(super) struct Rook;
/// Queens.
pub(super) struct Queen;

impl OfficerKind for Knight {
    const KIND: PieceKind = PieceKind::Knight;

    #[inline]
    fn attacks(square: Square, _: Bitboard) -> Bitboard {
        knight_attacks(square)
    }
}

impl OfficerKind for Bishop {
    const KIND: PieceKind = PieceKind::Bishop;

    #[inline]
    fn attacks(square: Square, occupied: Bitboard) -> Bitboard {
        bishop_attacks(square, occupied)
    }
}

impl OfficerKind for Rook {
    const KIND: PieceKind = PieceKind::Rook;

    #[inline]
    fn attacks(square: Square, occupied: Bitboard) -> Bitboard {
        rook_attacks(square, occupied)
    }
}

impl OfficerKind for Queen {
    const KIND: PieceKind = PieceKind::Queen;

    #[inline]
    fn attacks(square: Square, occupied: Bitboard) -> Bitboard {
        queen_attacks(square, occupied)
    }
}
