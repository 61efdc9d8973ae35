//! What is different between two evaluations, as the diff of moves and the searched breakdown tell it.

use serde::Serialize;
use utoipa::ToSchema;

use super::BlendReply;
use crate::api::reply::{Phase, SideName, StatusName, Weight};
use crate::api::score::Viewpoint;
use crate::engine::chess::{Color, FenStyle, Game, Move, Position, Status, Travel, fen, san};
use crate::engine::eval::Evaluator;
use crate::engine::eval::breakdown::{
    Breakdown, Causes, Difference, FeatureChange, FeatureFate, FeatureLine, Step, TermChange, TermLine,
};

/// Two evaluations and everything in which they differ. All centipawns are from the point of view that `pov` names.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Comparison {
    /// The evaluation from which the change is counted: before the move, of the position searched, or after the first
    /// candidate.
    before: Snapshot,
    /// The evaluation to which it is counted: after the move, of the leaf, or after the second candidate.
    after: Snapshot,
    change: Change,
    /// Every term of the evaluator; their changes of `cp` add up to the `cp` of `change`.
    terms: Vec<TermChangeReply>,
    /// What the change comes to and its chief reasons, a sentence each; a number without a side named counts for the side
    /// that has the move before.
    #[schema(examples("Ng1-f3 improves White by 0.34: chiefly piece placement (+0.20)."))]
    summary: Vec<String>,
}

/// One of the two evaluations.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Snapshot {
    /// The position, in canonical X-FEN.
    #[schema(examples("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1"))]
    fen: String,
    turn: SideName,
    /// The static evaluation in centipawns; 0 in a game that is drawn.
    #[schema(examples(34))]
    cp: i32,
    /// Whether the side to move is in check.
    in_check: bool,
    phase: Phase,
    blend: BlendReply,
    status: StatusName,
}

/// The difference of the two evaluations.
#[derive(Serialize, ToSchema)]
pub(crate) struct Change {
    /// The `cp` after less the `cp` before.
    #[schema(examples(34))]
    cp: i32,
    by: ChangeCauses,
}

/// The change step by step, in centipawns that add up to it: the features change, weighed as before; then the phase, the
/// scale and the 50-move rule change what all features count.
#[derive(Serialize, ToSchema)]
pub(crate) struct ChangeCauses {
    /// By other features.
    #[schema(examples(33))]
    features: i32,
    /// By another phase between middlegame and endgame.
    #[schema(examples(1))]
    phase: i32,
    /// By another scale, which a change of the material or a drawn game brings.
    #[schema(examples(0))]
    scale: i32,
    /// By another distance from the 50-move rule.
    #[schema(examples(0))]
    rule50: i32,
}

/// What is different in a term.
#[derive(Serialize, ToSchema)]
#[schema(as = TermChange)]
pub(crate) struct TermChangeReply {
    /// Its name; `/v1/eval-breakdown/terms` says what it means.
    #[schema(value_type = String, examples("mobility"))]
    term: &'static str,
    /// The term before.
    before: TermWorth,
    /// The term after.
    after: TermWorth,
    /// After less before.
    change: TermWorth,
    /// The features that are different, the weightiest first; their changes of `cp` add up to that of the term. Features
    /// that stay as they are, wherever their piece goes, are left out.
    features: Vec<FeatureChangeReply>,
}

/// What a term comes to.
#[derive(Serialize, ToSchema)]
pub(crate) struct TermWorth {
    /// What White's features add up to, good for White being positive.
    white: Weight,
    /// What Black's features add up to, good for Black being positive.
    black: Weight,
    /// The difference, from the point of view that `pov` names.
    total: Weight,
    /// The share of the evaluation, in centipawns.
    #[schema(examples(12))]
    cp: i32,
}

/// A feature that is different. It is told by its name, its side and its piece, which is followed from square to square.
#[derive(Serialize, ToSchema)]
#[schema(as = FeatureChange)]
pub(crate) struct FeatureChangeReply {
    /// Its name; `/v1/eval-breakdown/terms` says what it means.
    #[schema(value_type = String, examples("knightMobility"))]
    name: &'static str,
    side: SideName,
    kind: ChangeKind,
    /// The change of its share of the evaluation, in centipawns.
    #[schema(examples(9))]
    cp: i32,
    /// The feature before, unless it appeared.
    #[schema(required = true)]
    before: Option<FeatureSnapshot>,
    /// The feature after, unless it vanished.
    #[schema(required = true)]
    after: Option<FeatureSnapshot>,
}

/// How a feature is different.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(examples("changed"))]
pub(crate) enum ChangeKind {
    /// It was not there before.
    Appeared,
    /// It is not there any more.
    Vanished,
    /// It has another worth.
    Changed,
    /// It has the same `mg` and `eg` but another share: by the phase, the scale, the 50-move rule or a rounding.
    Reweighed,
}

/// A feature on one of the two boards.
#[derive(Serialize, ToSchema)]
pub(crate) struct FeatureSnapshot {
    /// The pieces it is about.
    #[schema(max_items = 64, examples("f3"))]
    squares: Vec<String>,
    /// Its worth with all pieces on the board.
    #[schema(examples(10))]
    mg: i32,
    /// Its worth with pawns and kings only.
    #[schema(examples(12))]
    eg: i32,
    /// Its share of the evaluation, in centipawns.
    #[schema(examples(11))]
    cp: i32,
    /// The reason as a sentence.
    #[schema(examples("The knight on f3 can go to 6 safe squares."))]
    text: String,
}

/// A game and the static evaluation of where it stands.
pub(super) struct Explained {
    pub(super) game: Game,
    pub(super) breakdown: Breakdown,
}

impl Explained {
    pub(super) fn new(evaluator: Evaluator, game: Game) -> Self {
        let breakdown = evaluator.explain(game.position(), game.status());
        Self { game, breakdown }
    }

    /// After more moves, which are legal.
    pub(super) fn after(evaluator: Evaluator, game: &Game, moves: &[Move]) -> Self {
        let mut game = game.clone();
        for mv in moves {
            game.play(*mv);
        }
        Self::new(evaluator, game)
    }

    pub(super) fn fen(&self) -> String {
        fen::format(self.game.position(), FenStyle::XFen)
    }
}

/// Two candidates and the ends of the lines that begin with them.
pub(crate) struct Choice {
    ends: [Explained; 2],
    names: [String; 2],
    /// From the end of the first to that of the second.
    travel: Travel,
    mover: Color,
}

impl Choice {
    /// The moves of either line are legal in this game.
    pub(crate) fn new(evaluator: Evaluator, game: &Game, lines: [&[Move]; 2]) -> Self {
        let position = game.position();
        let [first, second] = lines.map(|line| Travel::along(position, line));
        Self {
            ends: lines.map(|line| Explained::after(evaluator, game, line)),
            names: lines.map(|line| name(position, line)),
            travel: first.to_end_of(&second),
            mover: position.turn(),
        }
    }

    /// What the second has over the first.
    pub(crate) fn difference(&self) -> Difference<'_> {
        let [first, second] = &self.ends;
        Difference::between(&first.breakdown, &second.breakdown, &self.travel)
    }

    /// Whether the second has nothing over the first as yet: neither a win nor, apart from the right to move, a better
    /// evaluation.
    pub(crate) fn is_still_open(&self, difference: &Difference<'_>) -> bool {
        let is_won = self.ends.iter().any(|end| end.breakdown.status == Status::Checkmate);
        !is_won && difference.without_tempo() * self.mover.sign() <= 0
    }

    /// The same in words.
    pub(crate) fn summary(&self, difference: &Difference<'_>, viewer: Color) -> Vec<String> {
        difference.summary(self.step(), self.mover, viewer)
    }

    fn step(&self) -> Step<'_> {
        Step::Choice(&self.names[0], &self.names[1])
    }
}

/// A candidate by its first move.
fn name(position: &Position, line: &[Move]) -> String {
    match line {
        [] => "nothing".to_owned(),
        [only] => san::format_long(position, *only),
        [first, ..] => format!("{} with its line", san::format_long(position, *first)),
    }
}

impl Comparison {
    pub(super) fn of_choice(view: Viewpoint, choice: &Choice) -> Self {
        let [first, second] = &choice.ends;
        Self::new(view, [first, second], &choice.travel, choice.step(), choice.mover)
    }

    /// Compares two evaluations; `travel` leads from the first board to the second, `mover` has the move before the step.
    pub(super) fn new(
        view: Viewpoint,
        [before, after]: [&Explained; 2],
        travel: &Travel,
        step: Step<'_>,
        mover: Color,
    ) -> Self {
        let difference = Difference::between(&before.breakdown, &after.breakdown, travel);
        Self {
            before: Snapshot::new(view, before),
            after: Snapshot::new(view, after),
            change: Change { cp: view.of(difference.cp()), by: ChangeCauses::new(view, difference.causes) },
            terms: difference.terms.iter().map(|change| TermChangeReply::new(view, change)).collect(),
            summary: difference.summary(step, mover, view.side()),
        }
    }
}

impl Snapshot {
    fn new(view: Viewpoint, explained: &Explained) -> Self {
        let (position, breakdown) = (explained.game.position(), &explained.breakdown);
        Self {
            fen: explained.fen(),
            turn: position.turn().into(),
            cp: view.of(breakdown.cp),
            in_check: position.in_check(),
            phase: breakdown.phase.into(),
            blend: BlendReply::new(view, &breakdown.blending),
            status: breakdown.status.into(),
        }
    }
}

impl ChangeCauses {
    fn new(view: Viewpoint, causes: Causes) -> Self {
        Self {
            features: view.of(causes.features),
            phase: view.of(causes.phase),
            scale: view.of(causes.scale),
            rule50: view.of(causes.damping),
        }
    }
}

impl TermChangeReply {
    fn new(view: Viewpoint, change: &TermChange<'_>) -> Self {
        let (before, after) = (change.before, change.after);
        Self {
            term: change.term.id(),
            before: TermWorth::new(view, before),
            after: TermWorth::new(view, after),
            change: TermWorth {
                white: (after.white - before.white).into(),
                black: (after.black - before.black).into(),
                total: view.weight(after.total - before.total),
                cp: view.of(change.cp()),
            },
            features: change
                .features
                .iter()
                .filter_map(|entry| FeatureChangeReply::new(view, entry))
                .collect(),
        }
    }
}

impl TermWorth {
    fn new(view: Viewpoint, line: &TermLine) -> Self {
        Self {
            white: line.white.into(),
            black: line.black.into(),
            total: view.weight(line.total),
            cp: view.of(line.cp),
        }
    }
}

impl FeatureChangeReply {
    fn new(view: Viewpoint, change: &FeatureChange<'_>) -> Option<Self> {
        Some(Self {
            name: change.feature.name(),
            side: change.side.into(),
            kind: change.fate()?.into(),
            cp: view.of(change.cp()),
            before: change.before.map(|line| FeatureSnapshot::new(view, line)),
            after: change.after.map(|line| FeatureSnapshot::new(view, line)),
        })
    }
}

impl From<FeatureFate> for ChangeKind {
    fn from(fate: FeatureFate) -> Self {
        match fate {
            FeatureFate::Appeared => Self::Appeared,
            FeatureFate::Vanished => Self::Vanished,
            FeatureFate::Changed => Self::Changed,
            FeatureFate::Reweighed => Self::Reweighed,
        }
    }
}

impl FeatureSnapshot {
    fn new(view: Viewpoint, line: &FeatureLine) -> Self {
        Self {
            squares: line.squares.into_iter().map(|square| square.to_string()).collect(),
            mg: view.of(line.score.mg()),
            eg: view.of(line.score.eg()),
            cp: view.of(line.cp),
            text: line.text.clone(),
        }
    }
}
