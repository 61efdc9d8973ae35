//! How the nodes of a search are spread over the root's moves.

use crate::engine::chess::Move;

/// The nodes below each root move.
#[derive(Debug, Default)]
pub(super) struct Efforts(Vec<(Move, u64)>);

impl Efforts {
    /// So many nodes more were searched after this move.
    pub(super) fn add(&mut self, mv: Move, nodes: u64) {
        match self.0.iter_mut().find(|(known, _)| *known == mv) {
            Some((_, sum)) => *sum += nodes,
            None => self.0.push((mv, nodes)),
        }
    }

    /// A move's part of all, per mille; 0 before anything was searched.
    pub(super) fn of(&self, mv: Move) -> u16 {
        let all: u64 = self.0.iter().map(|(_, nodes)| nodes).sum();
        let own = self.0.iter().find(|(known, _)| *known == mv).map_or(0, |(_, nodes)| *nodes);
        (own * 1_000 / all.max(1)) as u16
    }
}

#[cfg(test)]
mod tests {
    use super::Efforts;
    use crate::engine::chess::Move;

    #[test]
    fn shares_of_all_nodes() {
        let [first, second] = [1, 2].map(Move::from_bits);
        let mut efforts = Efforts::default();
        assert_eq!(efforts.of(first), 0);
        efforts.add(first, 200);
        efforts.add(second, 300);
        efforts.add(first, 500);
        assert_eq!((efforts.of(first), efforts.of(second)), (700, 300));
    }
}
