//! What must be true of any position, without an oracle.

use std::collections::HashSet;

use centipawn::engine::chess::{
    Color, File, Move, MoveList, PieceKind, Position, Square, Variant, parse_move, san, uci_move,
};
use centipawn::engine::weights::{PIECE_SQUARE, Score};

/// Checks keys, sums, stages, notation and symmetry of a position.
pub fn check(position: &Position) {
    assert_eq!(position.recomputed(), *position, "kept and recomputed differ");
    check_sums(position);
    let moves = position.legal_moves();
    assert_eq!(position.count_legal_moves(), moves.len() as u64, "{position:?}");
    assert_eq!(position.has_legal_move(), !moves.is_empty(), "{position:?}");
    check_stages(position, &moves);
    check_notation(position, &moves);
    check_mirror(position, &moves);
    if !position.in_check() {
        let mut passed = *position;
        passed.play_null();
        assert_eq!(passed.recomputed(), passed, "after passing in {position:?}");
    }
}

/// Plays a legal move and checks what was said about it before; returns the position after it.
pub fn check_move(position: &Position, mv: Move) -> Position {
    let mut child = *position;
    child.play(mv);
    assert_eq!(child.recomputed(), child, "after {mv:?} in {position:?}");
    assert_eq!(position.gives_check(mv), child.in_check(), "{mv:?} in {position:?}");
    assert_eq!(position.checks().gives(position, mv), child.in_check(), "{mv:?} in {position:?}");
    if let Some(board) = super::oracle::board(position) {
        super::oracle::compare_after(&board, mv, &child);
    }
    child
}

/// Checks `is_legal` for every possible sixteen bits; slow.
pub fn check_every_move_word(position: &Position) {
    let legal: HashSet<u16> = position.legal_moves().iter().map(|mv| mv.bits()).collect();
    for bits in 0..=u16::MAX {
        let mv = Move::from_bits(bits);
        assert_eq!(position.is_legal(mv), legal.contains(&bits), "{mv:?} ({bits:#06x}) in {position:?}");
    }
}

/// Counts material, phase and piece-square sum square by square.
fn check_sums(position: &Position) {
    const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
    let mut counts = [[0; 6]; 2];
    let (mut phase, mut sum) = (0, Score::ZERO);
    for square in Square::all() {
        let Some(piece) = position.piece_at(square) else { continue };
        let (color, kind) = (piece.color(), piece.kind());
        counts[color.index()][kind.index()] += 1;
        phase += PHASE[kind.index()];
        let worth = PIECE_SQUARE[kind.index()][square.relative(color).index()];
        match color {
            Color::White => sum += worth,
            Color::Black => sum -= worth,
        }
    }
    assert_eq!(position.phase(), phase, "{position:?}");
    assert_eq!(position.piece_square_sum(), sum, "{position:?}");
    for color in Color::ALL {
        for kind in &PieceKind::ALL[..5] {
            let count = counts[color.index()][kind.index()];
            assert_eq!(position.material().count(color, *kind), count, "{position:?}");
            assert_eq!(position.pieces(color, *kind).count(), count, "{position:?}");
        }
    }
}

/// Captures and quiet moves are the legal moves, each once.
fn check_stages(position: &Position, moves: &MoveList) {
    let (mut captures, mut quiets) = (MoveList::new(), MoveList::new());
    position.captures(&mut captures);
    position.quiets(&mut quiets);
    assert!(captures.iter().all(|mv| !mv.is_quiet()), "{position:?}");
    assert!(quiets.iter().all(|mv| mv.is_quiet()), "{position:?}");
    let staged = sorted(captures.iter().chain(quiets.iter()).map(|mv| mv.bits()));
    assert_eq!(staged, sorted(moves.iter().map(|mv| mv.bits())), "{position:?}");
    for mv in moves {
        assert!(position.is_legal(*mv), "{mv:?} in {position:?}");
        let enemy = position.by_color(!position.turn());
        assert_eq!(mv.is_capture(), enemy.contains(mv.to()) || mv.is_en_passant(), "{mv:?} in {position:?}");
    }
}

/// Every legal move has a name of its own in each notation, and is what its name says.
fn check_notation(position: &Position, moves: &MoveList) {
    let mut names = HashSet::new();
    for mv in moves {
        let san = san::format(position, *mv);
        assert_eq!(san::parse(position, &san), Ok(*mv), "{san} in {position:?}");
        assert_eq!(parse_move(position, &san), Ok(*mv), "{san} in {position:?}");
        let chess960 = uci_move::format(*mv, Variant::Chess960);
        assert_eq!(uci_move::parse(position, &chess960), Ok(*mv), "{chess960} in {position:?}");
        assert_eq!(parse_move(position, &chess960), Ok(*mv), "{chess960} in {position:?}");
        if !mv.is_castle() || mv.from().file() == File::E {
            let standard = uci_move::format(*mv, Variant::Standard);
            assert_eq!(uci_move::parse(position, &standard), Ok(*mv), "{standard} in {position:?}");
        }
        assert!(names.insert(san.clone()), "{san} twice in {position:?}");
    }
}

/// Exchanging colours and ranks exchanges the moves, and twice changes nothing.
fn check_mirror(position: &Position, moves: &MoveList) {
    let mirror = position.mirrored();
    assert_eq!(mirror.mirrored(), *position, "mirrored twice");
    assert_eq!(mirror.piece_square_sum(), -position.piece_square_sum(), "{position:?}");
    let kind_bits = |mv: &Move| mv.bits() & 0xf000;
    let flipped = moves.iter().map(|mv| (mv.from().flip(), mv.to().flip(), kind_bits(mv)));
    let mirrored = mirror.legal_moves();
    let seen = mirrored.iter().map(|mv| (mv.from(), mv.to(), kind_bits(mv)));
    assert_eq!(sorted(flipped), sorted(seen), "{position:?}");
}

fn sorted<T: Ord>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.collect();
    items.sort_unstable();
    items
}
