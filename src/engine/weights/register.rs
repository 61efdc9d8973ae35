//! The register of features: what each is called and means, how many weights it has and what tells them apart.

use super::Term;

/// Declares the features and, from the same lines, everything that is known of each.
macro_rules! features {
    ($($feature:ident, $name:literal, $term:ident, $title:literal, $slots:literal $unit:ident by $slot:literal:
       $meaning:literal;)*) => {
        /// A reason for which points are given: one named entry of a breakdown, with one weight or a row of them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Feature {
            $(#[doc = $meaning] $feature,)*
        }

        impl Feature {
            /// Every feature, in the order of the flat table.
            pub const ALL: [Self; Self::NUMBER] = [$(Self::$feature),*];

            pub(super) const NUMBER: usize = [$($name),*].len();

            pub(super) const DETAILS: [Details; Self::NUMBER] = [$(Details {
                name: $name,
                term: Term::$term,
                title: $title,
                meaning: $meaning,
                slots: $slots,
                slot: $slot,
                unit: Unit::$unit,
            }),*];
        }
    };
}

/// What the weights of a feature are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Centipawns.
    Points,
    /// Units of danger to the enemy king, which together become centipawns by the curve of
    /// [`danger`](super::danger).
    Danger,
}

pub(super) struct Details {
    pub(super) name: &'static str,
    pub(super) term: Term,
    pub(super) title: &'static str,
    pub(super) meaning: &'static str,
    pub(super) slots: usize,
    pub(super) slot: &'static str,
    pub(super) unit: Unit,
}

features! {
    PawnValue, "pawnValue", Material, "Pawns", 2 Points by "value set (classic, euwe)":
        "The worth of a pawn by itself.";
    KnightValue, "knightValue", Material, "Knights", 2 Points by "value set (classic, euwe)":
        "The worth of a knight by itself.";
    BishopValue, "bishopValue", Material, "Bishops", 2 Points by "value set (classic, euwe)":
        "The worth of a bishop by itself.";
    RookValue, "rookValue", Material, "Rooks", 2 Points by "value set (classic, euwe)":
        "The worth of a rook by itself.";
    QueenValue, "queenValue", Material, "Queens", 2 Points by "value set (classic, euwe)":
        "The worth of a queen by itself.";

    BishopPair, "bishopPair", Imbalance, "Bishop pair", 1 Points by "":
        "Two bishops or more, which as a rule stand on both colours.";
    KnightAgainstBishop, "knightAgainstBishop", Imbalance, "Knights against bishops", 1 Points by "":
        "A knight that faces an enemy bishop, for each pawn on the board beyond eight; each pawn short of eight counts the other way.";

    PawnPlacement, "pawnPlacement", Placement, "Placement of pawns", 64 Points
        by "square, a1 to h8 from the owner's side": "Where a pawn stands.";
    KnightPlacement, "knightPlacement", Placement, "Placement of knights", 64 Points
        by "square, a1 to h8 from the owner's side": "Where a knight stands.";
    BishopPlacement, "bishopPlacement", Placement, "Placement of bishops", 64 Points
        by "square, a1 to h8 from the owner's side": "Where a bishop stands.";
    RookPlacement, "rookPlacement", Placement, "Placement of rooks", 64 Points
        by "square, a1 to h8 from the owner's side": "Where a rook stands.";
    QueenPlacement, "queenPlacement", Placement, "Placement of queens", 64 Points
        by "square, a1 to h8 from the owner's side": "Where a queen stands.";
    KingPlacement, "kingPlacement", Placement, "Placement of kings", 64 Points
        by "square, a1 to h8 from the owner's side": "Where the king stands.";
    PawnByOwnKing, "pawnByOwnKing", Placement, "Pawns and their own king", 512 Points
        by "own king's place (8), square with that king on the files e to h":
        "Where a pawn stands, by the place of its own king.";
    KnightByOwnKing, "knightByOwnKing", Placement, "Knights and their own king", 512 Points
        by "own king's place (8), square with that king on the files e to h":
        "Where a knight stands, by the place of its own king.";
    BishopByOwnKing, "bishopByOwnKing", Placement, "Bishops and their own king", 512 Points
        by "own king's place (8), square with that king on the files e to h":
        "Where a bishop stands, by the place of its own king.";
    RookByOwnKing, "rookByOwnKing", Placement, "Rooks and their own king", 512 Points
        by "own king's place (8), square with that king on the files e to h":
        "Where a rook stands, by the place of its own king.";
    QueenByOwnKing, "queenByOwnKing", Placement, "Queens and their own king", 512 Points
        by "own king's place (8), square with that king on the files e to h":
        "Where a queen stands, by the place of its own king.";
    PawnByEnemyKing, "pawnByEnemyKing", Placement, "Pawns and the enemy king", 512 Points
        by "enemy king's place (8), square with that king on the files e to h":
        "Where a pawn stands, by the place of the enemy king.";
    KnightByEnemyKing, "knightByEnemyKing", Placement, "Knights and the enemy king", 512 Points
        by "enemy king's place (8), square with that king on the files e to h":
        "Where a knight stands, by the place of the enemy king.";
    BishopByEnemyKing, "bishopByEnemyKing", Placement, "Bishops and the enemy king", 512 Points
        by "enemy king's place (8), square with that king on the files e to h":
        "Where a bishop stands, by the place of the enemy king.";
    RookByEnemyKing, "rookByEnemyKing", Placement, "Rooks and the enemy king", 512 Points
        by "enemy king's place (8), square with that king on the files e to h":
        "Where a rook stands, by the place of the enemy king.";
    QueenByEnemyKing, "queenByEnemyKing", Placement, "Queens and the enemy king", 512 Points
        by "enemy king's place (8), square with that king on the files e to h":
        "Where a queen stands, by the place of the enemy king.";

    IsolatedPawn, "isolatedPawn", Pawns, "Isolated pawns", 8 Points
        by "a- or h-file to d- or e-file with an enemy pawn ahead, then the same without":
        "A pawn without a pawn of its side on the files beside it.";
    DoubledPawn, "doubledPawn", Pawns, "Doubled pawns", 2 Points by "protected by a pawn, not protected":
        "A pawn that stands behind another of its side on the same file.";
    BackwardPawn, "backwardPawn", Pawns, "Backward pawns", 1 Points by "":
        "A pawn with no enemy pawn ahead on its file that no other can protect any more and that an enemy pawn keeps from advancing.";
    SupportedPawn, "supportedPawn", Pawns, "Protected pawns", 6 Points by "rank, 2 to 7":
        "A pawn that another pawn protects.";
    PhalanxPawn, "phalanxPawn", Pawns, "Pawns side by side", 6 Points by "rank, 2 to 7":
        "A pawn with another pawn of its side right beside it.";
    CandidatePawn, "candidatePawn", Pawns, "Candidate passed pawns", 6 Points by "rank, 2 to 7":
        "A pawn with no enemy pawn ahead on its file that becomes a passed pawn by an exchange of pawns, as at least as many pawns of its side can help as enemy pawns can stop it.";
    RammedPawn, "rammedPawn", Pawns, "Pawns stopped by pawns", 6 Points by "rank, 2 to 7":
        "A pawn with an enemy pawn right in front of it.";
    PawnIslands, "pawnIslands", Pawns, "Pawn islands", 5 Points by "islands, 0 to 4":
        "The groups of neighbouring files on which a side has its pawns.";

    PassedPawn, "passedPawn", PassedPawns, "Passed pawns", 6 Points by "rank, 2 to 7":
        "A pawn that no enemy pawn can stop or capture on its way.";
    BlockedPassedPawn, "blockedPassedPawn", PassedPawns, "Blocked passed pawns", 6 Points
        by "rank, 2 to 7": "A passed pawn with an enemy piece right in front of it.";
    FreePath, "freePath", PassedPawns, "Passed pawns with a free path", 6 Points by "rank, 2 to 7":
        "A passed pawn with no piece on its way to promotion.";
    SafePath, "safePath", PassedPawns, "Passed pawns with a safe path", 6 Points by "rank, 2 to 7":
        "A passed pawn with no square of its way to promotion attacked by the enemy.";
    SafeStep, "safeStep", PassedPawns, "Passed pawns with a safe step", 6 Points by "rank, 2 to 7":
        "A passed pawn that can step forward to a square the enemy does not attack.";
    DefendedStep, "defendedStep", PassedPawns, "Passed pawns with a protected step", 6 Points
        by "rank, 2 to 7": "A passed pawn with its own side's protection of the square in front of it.";
    PassedPawnOwnKing, "passedPawnOwnKing", PassedPawns, "Passed pawns and their own king", 32 Points
        by "rank, 4 to 7; king moves to the square ahead, 0 to 7":
        "How far the own king is from the square in front of a passed pawn.";
    PassedPawnEnemyKing, "passedPawnEnemyKing", PassedPawns, "Passed pawns and the enemy king", 32 Points
        by "rank, 4 to 7; king moves to the square ahead, 0 to 7":
        "How far the enemy king is from the square in front of a passed pawn.";
    RookBehindPassedPawn, "rookBehindPassedPawn", PassedPawns, "Rooks behind passed pawns", 2 Points
        by "own rook, enemy rook": "A passed pawn with a rook behind it on its file.";
    UnstoppablePawn, "unstoppablePawn", PassedPawns, "Unstoppable pawns", 1 Points by "":
        "A passed pawn that the enemy, who has nothing but king and pawns, cannot catch.";

    KnightMobility, "knightMobility", Mobility, "Knight mobility", 9 Points by "safe squares, 0 to 8":
        "The number of safe squares a knight can go to.";
    BishopMobility, "bishopMobility", Mobility, "Bishop mobility", 14 Points by "safe squares, 0 to 13":
        "The number of safe squares a bishop can go to.";
    RookMobility, "rookMobility", Mobility, "Rook mobility", 15 Points by "safe squares, 0 to 14":
        "The number of safe squares a rook can go to.";
    QueenMobility, "queenMobility", Mobility, "Queen mobility", 28 Points by "safe squares, 0 to 27":
        "The number of safe squares a queen can go to.";

    KnightOutpost, "knightOutpost", Outposts, "Knight outpost", 3 Points by "rank, 4 to 6":
        "A knight on the fourth to sixth rank that a pawn protects and no enemy pawn can ever attack.";
    BishopOutpost, "bishopOutpost", Outposts, "Bishop outpost", 3 Points by "rank, 4 to 6":
        "A bishop on the fourth to sixth rank that a pawn protects and no enemy pawn can ever attack.";
    ReachableOutpost, "reachableOutpost", Outposts, "Outposts in reach", 2 Points by "knight, bishop":
        "A knight or bishop that can go to an outpost with its next move.";

    MinorBehindPawn, "minorBehindPawn", Minors, "Minor pieces behind a pawn", 2 Points by "knight, bishop":
        "A knight or bishop with a pawn right in front of it.";
    PawnsOnBishopColor, "pawnsOnBishopColor", Minors, "Pawns on the colour of the bishop", 9 Points
        by "own pawns on the bishop's colour, 0 to 8":
        "A bishop and the pawns of its side that stand on squares of its colour, where they are in its way.";
    BishopFacesPawns, "bishopFacesPawns", Minors, "Enemy pawns on the colour of the bishop", 9 Points
        by "enemy pawns on the bishop's colour, 0 to 8":
        "A bishop and the enemy pawns on squares of its colour, which it can attack or bite on.";
    LongDiagonal, "longDiagonal", Minors, "Bishop on the long diagonal", 1 Points by "":
        "A bishop that sees both squares of the centre that lie on its long diagonal.";

    RookOnOpenFile, "rookOnOpenFile", Rooks, "Rook on an open file", 1 Points by "":
        "A rook on a file without pawns.";
    RookOnSemiOpenFile, "rookOnSemiOpenFile", Rooks, "Rook on a semi-open file", 1 Points by "":
        "A rook on a file without pawns of its own side but with an enemy pawn.";
    RookOnSeventh, "rookOnSeventh", Rooks, "Rook on the seventh rank", 1 Points by "":
        "A rook on its seventh rank while the enemy king stands on the last rank or enemy pawns stand on the seventh.";

    TrappedBishop, "trappedBishop", Trapped, "Trapped bishop", 1 Points by "":
        "A bishop on the edge of the seventh rank that an enemy pawn on the sixth shuts in.";
    TrappedRook, "trappedRook", Trapped, "Trapped rook", 1 Points by "":
        "A rook on its first rank between the edge and its own king that has lost the right to castle.";

    ConnectedRooks, "connectedRooks", Coordination, "Connected rooks", 2 Points by "on a rank, on a file":
        "Two rooks of one side on one rank or file with nothing between them.";
    FileBattery, "fileBattery", Coordination, "Battery on a file", 1 Points by "":
        "A queen and a rook of one side on one file with nothing between them.";
    DiagonalBattery, "diagonalBattery", Coordination, "Battery on a diagonal", 1 Points by "":
        "A queen and a bishop of one side on one diagonal with nothing between them.";

    KingShelter, "kingShelter", KingSafety, "Pawn shelter", 56 Points
        by "file: the king's or one beside it (2 x 4 from the edge); own pawn's rank, 2 to 7, or none":
        "The pawn of its own side nearest to the king on the king's file or one beside it, at the king's rank or ahead of it.";
    PawnStorm, "pawnStorm", KingSafety, "Pawn storm", 56 Points
        by "free or stopped by a pawn (2 x 4 files from the edge); enemy pawn's rank, 2 to 7, or none":
        "The enemy pawn nearest to the king on the king's file or one beside it, at the king's rank or ahead of it.";
    CastlingRight, "castlingRight", KingSafety, "Castling rights", 2 Points by "kingside, queenside":
        "The right to castle.";
    KingOnOpenFile, "kingOnOpenFile", KingSafety, "King on an open file", 2 Points by "open, semi-open":
        "A king on a file without pawns, or without pawns of its own side, while the enemy has rooks or queens.";
    KingPawnDistance, "kingPawnDistance", KingSafety, "King and pawns", 8 Points by "king moves, 0 to 7":
        "How far the king is from the nearest pawn.";
    KingAttacker, "kingAttacker", KingSafety, "Attackers of the king", 4 Danger by "knight, bishop, rook, queen":
        "A piece that attacks the enemy king or the squares around it.";
    KingZoneAttack, "kingZoneAttack", KingSafety, "Attacked squares beside the king", 1 Danger by "":
        "Each attack of a piece on a square beside the enemy king.";
    WeakKingZone, "weakKingZone", KingSafety, "Weak squares beside the king", 1 Danger by "":
        "A square beside the enemy king that is attacked and that only the king or the queen protects.";
    SafeCheck, "safeCheck", KingSafety, "Safe checks", 8 Danger
        by "one square to check from: knight, bishop, rook, queen; several: the same":
        "Checks that a piece can give from squares that the enemy does not attack, or where only the king or the queen could take and a second piece protects.";
    ContestedCheck, "contestedCheck", KingSafety, "Other checks", 3 Danger by "knight, bishop, rook":
        "Checks that a piece can give, though only where it can be taken.";
    PinnedToKing, "pinnedToKing", KingSafety, "Pieces pinned to the king", 1 Danger by "":
        "An enemy piece that must stay because its king stands behind it.";
    FlankAttack, "flankAttack", KingSafety, "Attacks on the king's wing", 2 Danger by "attacked once, more than once":
        "A square of the enemy's camp on the wing of the enemy king that is attacked.";
    FlankDefence, "flankDefence", KingSafety, "Defence of the king's wing", 1 Danger by "":
        "A square of the enemy's camp on the wing of the enemy king that the enemy protects.";
    BareKingFile, "bareKingFile", KingSafety, "Files without a pawn before the king", 1 Danger by "":
        "A file at the enemy king without a pawn of its side.";
    KnightGuard, "knightGuard", KingSafety, "Knight that guards the king", 1 Danger by "":
        "An enemy knight that protects a square beside its king.";
    WithoutQueen, "withoutQueen", KingSafety, "Attack without a queen", 1 Danger by "":
        "An attack on the king without a queen.";
    KingExposure, "kingExposure", KingSafety, "Exposure of the king", 1 Danger by "":
        "What every king is exposed to.";

    PawnThreat, "pawnThreat", Threats, "Threats by pawns", 4 Points by "knight, bishop, rook, queen":
        "An enemy piece attacked by a pawn that is protected or not attacked itself.";
    PawnPushThreat, "pawnPushThreat", Threats, "Threats by pawn moves", 4 Points by "knight, bishop, rook, queen":
        "An enemy piece that a pawn can attack by a safe step forward.";
    MinorThreat, "minorThreat", Threats, "Threats by knights and bishops", 5 Points
        by "pawn, knight, bishop, rook, queen":
        "An enemy piece attacked by a knight or bishop: a weakly protected one, or any rook or queen.";
    RookThreat, "rookThreat", Threats, "Threats by rooks", 5 Points by "pawn, knight, bishop, rook, queen":
        "An enemy piece attacked by a rook: a weakly protected one, or any queen.";
    KingThreat, "kingThreat", Threats, "Threats by the king", 1 Points by "":
        "A weakly protected enemy piece or pawn attacked by the king.";
    HangingPiece, "hangingPiece", Threats, "Hanging pieces", 5 Points by "pawn, knight, bishop, rook, queen":
        "An enemy piece or pawn that is attacked and not protected at all.";
    QueenAttackSoon, "queenAttackSoon", Threats, "Attacks on the queen in one move", 3 Points
        by "knight, bishop, rook":
        "A safe square from which a piece can attack the enemy queen with its next move.";
    RestrictedSquare, "restrictedSquare", Threats, "Restricted squares", 1 Points by "":
        "A square that an enemy piece attacks but that is contested and not firmly in the enemy's hand.";

    Space, "space", Space, "Space", 9 Points by "own pieces besides king and pawns, 0 to 8 or more":
        "A square in the four centre files of a side's own camp that holds no pawn of its own and that no enemy pawn attacks; twice if it lies behind a pawn and nothing attacks it.";

    Tempo, "tempo", Tempo, "Tempo", 1 Points by "": "The right to move.";

    KnownWin, "knownWin", Endgame, "Known win", 2 Points by "mating the bare king, other": "An endgame of few pieces that is won from here.";
    PromisingEndgame, "promisingEndgame", Endgame, "Promising endgame", 2 Points by "mating the bare king, other":
        "An endgame of few pieces that is won as a rule.";
    PawnOnItsWay, "pawnOnItsWay", Endgame, "Pawn on its way", 1 Points by "":
        "The foremost pawn of a known endgame, for each rank beyond its second.";
    KingToEdge, "kingToEdge", Endgame, "King driven to the edge", 1 Points by "":
        "The enemy king of a known endgame, for each file and rank between it and the four central squares.";
    KingToMatingCorner, "kingToMatingCorner", Endgame, "King driven to the mating corner", 1 Points by "":
        "The bare king against bishop and knight, for each step away from the diagonal between the corners that the bishop cannot reach.";
    KingsClose, "kingsClose", Endgame, "Kings close together", 1 Points by "":
        "The two kings of a known endgame, for each step that they are nearer than seven.";
    KingToEnemyPawn, "kingToEnemyPawn", Endgame, "King near the enemy pawn", 1 Points by "":
        "The king against the last enemy pawn, for each step that it is nearer than seven.";
    KnightAstray, "knightAstray", Endgame, "Knight astray", 1 Points by "":
        "The enemy knight against a rook, for each step beyond the first between it and its king.";
}
