//! cozy-chess as a second opinion about the same position.

use centipawn::engine::chess::{
    CastlingSide, Color, FenStyle, Move, Piece, PieceKind, Position, Square, Status, fen,
};
use cozy_chess as cozy;

/// The position in the oracle's hands; `None` if it refuses it.
///
/// It knows no halfmove clock beyond 100, so the counters are left out.
pub fn board(position: &Position) -> Option<cozy::Board> {
    let text = fen::format(position, FenStyle::Shredder);
    let fields: Vec<&str> = text.split(' ').take(4).collect();
    cozy::Board::from_fen(&format!("{} 0 1", fields.join(" ")), true).ok()
}

/// Checks everything that both know: the board, the rights, the checks, the legal moves and how the game stands.
pub fn compare(position: &Position, board: &cozy::Board) {
    for square in Square::all() {
        assert_eq!(position.piece_at(square), piece_at(board, square), "{square} of {position:?}");
    }
    for color in Color::ALL {
        let rights = board.castle_rights(cozy_color(color));
        for (side, file) in [(CastlingSide::King, rights.short), (CastlingSide::Queen, rights.long)] {
            let ours = position.castling().rook(color, side).map(|rook| rook.file().index());
            assert_eq!(ours, file.map(|file| file as usize), "{position:?}");
        }
    }
    assert_eq!(position.checkers().0, board.checkers().0, "checkers of {position:?}");
    let moves = legal_moves(board);
    assert_eq!(our_moves(position), moves, "legal moves of {position:?}");
    let status = Status::of(position, 1);
    match (moves.is_empty(), board.checkers().is_empty()) {
        (true, false) => assert_eq!(status, Status::Checkmate),
        (true, true) => assert_eq!(status, Status::Stalemate),
        (false, _) => assert!(!matches!(status, Status::Checkmate | Status::Stalemate)),
    }
    compare_en_passant(position, board, &moves);
}

/// We keep the square only if a capture on it is legal; the oracle keeps it after every double step.
fn compare_en_passant(position: &Position, board: &cozy::Board, moves: &[(usize, usize, Option<usize>)]) {
    let Some(square) = position.ep_square() else { return };
    assert_eq!(Some(square.file().index()), board.en_passant().map(|file| file as usize));
    let pawn = Some(Piece::new(position.turn(), PieceKind::Pawn));
    let takes = |from: usize| position.piece_at(Square::from_index(from as u8)) == pawn;
    assert!(moves.iter().any(|(from, to, _)| *to == square.index() && takes(*from)), "{position:?}");
}

/// The position after the oracle's own move, compared with ours.
pub fn compare_after(board: &cozy::Board, mv: Move, child: &Position) {
    let mut after = board.clone();
    after.play(cozy_move(mv));
    compare(child, &after);
}

fn our_moves(position: &Position) -> Vec<(usize, usize, Option<usize>)> {
    let mut moves: Vec<_> = position
        .legal_moves()
        .iter()
        .map(|mv| (mv.from().index(), mv.to().index(), mv.promotion().map(PieceKind::index)))
        .collect();
    moves.sort_unstable();
    moves
}

fn legal_moves(board: &cozy::Board) -> Vec<(usize, usize, Option<usize>)> {
    let mut moves = Vec::new();
    board.generate_moves(|group| {
        moves.extend(
            group
                .into_iter()
                .map(|mv| (mv.from as usize, mv.to as usize, mv.promotion.map(|piece| piece as usize))),
        );
        false
    });
    moves.sort_unstable();
    moves
}

fn cozy_move(mv: Move) -> cozy::Move {
    cozy::Move {
        from: cozy::Square::index(mv.from().index()),
        to: cozy::Square::index(mv.to().index()),
        promotion: mv.promotion().map(|kind| cozy::Piece::index(kind.index())),
    }
}

fn piece_at(board: &cozy::Board, square: Square) -> Option<Piece> {
    let square = cozy::Square::index(square.index());
    let color = match board.color_on(square)? {
        cozy::Color::White => Color::White,
        cozy::Color::Black => Color::Black,
    };
    Some(Piece::new(color, PieceKind::ALL[board.piece_on(square)? as usize]))
}

fn cozy_color(color: Color) -> cozy::Color {
    match color {
        Color::White => cozy::Color::White,
        Color::Black => cozy::Color::Black,
    }
}
