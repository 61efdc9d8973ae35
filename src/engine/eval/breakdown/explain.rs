//! From a position to its breakdown.

use super::sentence::sentence;
use super::{Blending, Breakdown, FeatureLine, TermLine};
use crate::engine::chess::{Color, Position, Status};
use crate::engine::eval::apportion::apportion;
use crate::engine::eval::{Blend, Evaluate, Evaluator, GamePhase, Journal, Record, ScaleReason};
use crate::engine::weights::{Score, Term};

impl Evaluator {
    /// Takes the static evaluation of a position apart.
    ///
    /// `status` is how the game stands; if it has ended in a draw the scale is 0 with the status as its reason, so that
    /// the entries still show. A draw that can be claimed, check and checkmate change nothing.
    #[must_use]
    pub fn explain(&self, position: &Position, status: Status) -> Breakdown {
        let mut journal = Journal::new(self.weights());
        self.post(position, &mut journal);
        let (_, blend) = self.kept(position);
        let blend = if status.is_drawn() {
            Blend { scale: 0, reason: Some(ScaleReason::Drawn(status)), ..blend }
        } else {
            blend
        };
        let sum = total(journal.records());
        let cp = blend.centipawns(sum);
        let terms = term_lines(self.terms(), journal.records(), &blend, cp, position);
        let tempo = terms.iter().find(|line| line.term == Term::Tempo).map_or(0, |line| line.cp);
        let undamped = Blend { scale: Blend::FULL_SCALE, damping: Blend::FULL_DAMPING, ..blend };
        Breakdown {
            position: *position,
            cp,
            status,
            phase: GamePhase { value: blend.phase },
            blending: Blending {
                sum,
                tapered: undamped.centipawns(sum),
                tempo,
                scale: blend.scale,
                scale_reason: blend.reason,
                halfmoves: position.halfmoves(),
                damping: blend.damping,
            },
            terms,
        }
    }
}

fn total<'a>(records: impl IntoIterator<Item = &'a Record>) -> Score {
    records.into_iter().fold(Score::ZERO, |sum, record| sum + record.score())
}

/// One line a term, their centipawns adding up to `cp`.
fn term_lines(
    terms: &[Term],
    records: &[Record],
    blend: &Blend,
    cp: i32,
    position: &Position,
) -> Vec<TermLine> {
    let groups: Vec<Vec<&Record>> = terms
        .iter()
        .map(|term| records.iter().filter(|record| record.posting.feature.term() == *term).collect())
        .collect();
    let worths: Vec<i64> = groups.iter().map(|group| blend.worth(total(group.iter().copied()))).collect();
    let shares = apportion(cp, &worths, Blend::PARTS, |index| index);
    terms
        .iter()
        .zip(groups)
        .zip(shares)
        .map(|((term, group), cp)| term_line(*term, &group, blend, cp, position))
        .collect()
}

fn term_line(term: Term, records: &[&Record], blend: &Blend, cp: i32, position: &Position) -> TermLine {
    let of = |color| total(records.iter().copied().filter(|record| record.side == color));
    let (white, black) = (of(Color::White), -of(Color::Black));
    let worths: Vec<i64> = records.iter().map(|record| blend.worth(record.score())).collect();
    // Among equal remainders the mover's entries come first, so that a mirrored position gives the negated shares.
    let shares = apportion(cp, &worths, Blend::PARTS, |index| {
        let record = records[index];
        (record.side != position.turn(), record.rank())
    });
    let features = records
        .iter()
        .zip(shares)
        .map(|(record, cp)| FeatureLine {
            feature: record.posting.feature,
            side: record.side,
            squares: record.posting.squares,
            related: record.posting.related,
            score: record.score(),
            cp,
            text: sentence(record, position),
        })
        .collect();
    TermLine { term, white, black, total: white - black, cp, features }
}
