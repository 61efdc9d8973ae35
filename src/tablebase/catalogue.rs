//! Which tables there are, and which constellations can be looked up with them.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsStr;
use std::fmt;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use super::TablebaseError;
use crate::engine::chess::{Color, MaterialKey, PieceKind};
use crate::engine::eval::material::Signature;

/// The constellations that can be looked up.
pub(super) struct Catalogue {
    known: HashMap<MaterialKey, Knowledge>,
    /// The files with results that are used, those with fewer men first.
    files: Vec<(MaterialKey, PathBuf)>,
    /// How many tables cannot be used, because captures lead to one that is missing.
    left_out: usize,
}

/// What can be looked up of a constellation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Knowledge {
    /// Results alone.
    Result,
    /// Results and distances.
    Distance,
}

/// The two kinds of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Results,
    Distances,
}

/// No table has more men, kings included.
const MOST_MEN: u32 = 7;

/// What a pawn may become.
const PROMOTIONS: [PieceKind; 4] = [PieceKind::Queen, PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight];

/// The files of each kind by constellation, written with the stronger side first.
type Files = BTreeMap<MaterialKey, PathBuf>;

impl Kind {
    const ALL: [Self; 2] = [Self::Results, Self::Distances];

    fn extension(self) -> &'static OsStr {
        OsStr::new(match self {
            Self::Results => "rtbw",
            Self::Distances => "rtbz",
        })
    }

    /// The first bytes of a file. Source: the Syzygy format.
    const fn magic(self) -> [u8; 4] {
        match self {
            Self::Results => [0x71, 0xe8, 0x23, 0x5d],
            Self::Distances => [0xd7, 0x66, 0x0c, 0xa5],
        }
    }
}

impl Catalogue {
    /// Reads the folders and looks at the beginning of every file.
    pub(super) fn of(folders: &[PathBuf]) -> Result<Self, TablebaseError> {
        let mut files = Kind::ALL.map(|_| Files::new());
        for folder in folders {
            let before = files[0].len();
            add(folder, &mut files)?;
            if files[0].len() == before {
                return Err(TablebaseError::Empty(folder.clone()));
            }
        }
        let [results, distances] = files;
        let mut decided = HashMap::from([(MaterialKey::EMPTY, true)]);
        let mut usable: Vec<_> =
            results.iter().filter(|(material, _)| is_known(**material, &results, &mut decided)).collect();
        usable.sort_by_key(|(material, _)| men(**material));
        let mut known = HashMap::new();
        for (material, _) in &usable {
            let complete = promotions(**material).all(|after| is_known(after, &results, &mut decided));
            let has_distances = distances.contains_key(*material) && complete;
            let knowledge = if has_distances { Knowledge::Distance } else { Knowledge::Result };
            known.insert(**material, knowledge);
            known.insert(mirrored(**material), knowledge);
        }
        if usable.is_empty() {
            return Err(TablebaseError::Incomplete);
        }
        let left_out = results.len() - usable.len();
        let files = usable.into_iter().map(|(material, file)| (*material, file.clone())).collect();
        Ok(Self { known, files, left_out })
    }

    /// What can be looked up of this constellation, if anything.
    pub(super) fn knowledge(&self, material: MaterialKey) -> Option<Knowledge> {
        self.known.get(&material).copied()
    }

    /// The tables that are used, those with fewer men first.
    pub(super) fn tables(&self) -> impl Iterator<Item = (MaterialKey, &Path)> {
        self.files.iter().map(|(material, file)| (*material, file.as_path()))
    }

    /// The most men of a constellation that can be looked up.
    pub(super) fn most_men(&self) -> u32 {
        self.files.last().map_or(0, |(material, _)| men(*material))
    }
}

impl fmt::Display for Catalogue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let with_distances = self
            .tables()
            .filter(|(material, _)| self.knowledge(*material) == Some(Knowledge::Distance))
            .count();
        let (count, men) = (self.files.len(), self.most_men());
        write!(f, "{count} Syzygy tables of up to {men} men, {with_distances} of them with distances")?;
        match self.left_out {
            0 => Ok(()),
            left_out => write!(
                f,
                "; {left_out} more cannot be used, because tables are missing to which captures lead"
            ),
        }
    }
}

/// Adds the tables of a folder to those of the folders before it.
fn add(folder: &Path, files: &mut [Files; 2]) -> Result<(), TablebaseError> {
    let unreadable = |source| TablebaseError::Folder { folder: folder.to_owned(), source };
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let file = entry.map_err(unreadable)?.path();
        let kind = Kind::ALL.into_iter().find(|kind| file.extension() == Some(kind.extension()));
        let name = file.file_stem().and_then(OsStr::to_str);
        if let (Some(kind), Some(material)) = (kind, name.and_then(material_of)) {
            check(&file, kind)?;
            files[kind as usize].entry(material).or_insert(file);
        }
    }
    Ok(())
}

/// The constellation that a file is named after, if it is one that tables are named after.
fn material_of(name: &str) -> Option<MaterialKey> {
    let signature: Signature = name.parse().ok()?;
    let material = signature.key();
    let strength = |color| {
        let count = |kind| material.count(color, kind);
        let counts =
            [PieceKind::Queen, PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight, PieceKind::Pawn]
                .map(count);
        (counts.iter().sum::<u32>(), counts)
    };
    let is_table =
        (3..=MOST_MEN).contains(&men(material)) && strength(Color::White) >= strength(Color::Black);
    (is_table && signature.text() == name).then_some(material)
}

/// Looks at size and beginning: the file is a whole number of 64-byte blocks and a checksum of 16 bytes.
fn check(file: &Path, kind: Kind) -> Result<(), TablebaseError> {
    let unreadable = |source| TablebaseError::File { file: file.to_owned(), source };
    let mut opened = File::open(file).map_err(unreadable)?;
    let size = opened.metadata().map_err(unreadable)?.len();
    let mut magic = [0; 4];
    let is_whole = size >= 64 && size % 64 == 16;
    if !is_whole || opened.read_exact(&mut magic).is_err() || magic != kind.magic() {
        return Err(TablebaseError::Damaged(file.to_owned()));
    }
    Ok(())
}

/// `true` if there is a table of this constellation and of everything that captures lead to from it.
fn is_known(material: MaterialKey, results: &Files, decided: &mut HashMap<MaterialKey, bool>) -> bool {
    if let Some(known) = decided.get(&material) {
        return *known;
    }
    let is_there = results.contains_key(&material) || results.contains_key(&mirrored(material));
    let known = is_there && captures(material).all(|after| is_known(after, results, decided));
    decided.insert(material, known);
    known
}

/// The constellations after a capture, be it by a pawn that promotes.
fn captures(material: MaterialKey) -> impl Iterator<Item = MaterialKey> {
    let captured = move |color: Color, kind: PieceKind| {
        let after = with(material, color, kind, None)?;
        Some(std::iter::once(after).chain(promotions_of(after, !color)))
    };
    let victims = Color::ALL.into_iter().flat_map(|color| PieceKind::ALL.map(|kind| (color, kind)));
    victims.filter_map(move |(color, kind)| captured(color, kind)).flatten()
}

/// The constellations after a promotion.
fn promotions(material: MaterialKey) -> impl Iterator<Item = MaterialKey> {
    Color::ALL.into_iter().flat_map(move |color| promotions_of(material, color))
}

fn promotions_of(material: MaterialKey, color: Color) -> impl Iterator<Item = MaterialKey> {
    PROMOTIONS.into_iter().filter_map(move |kind| with(material, color, PieceKind::Pawn, Some(kind)))
}

/// The constellation in which a side has one piece less of a kind, and perhaps another instead.
fn with(
    material: MaterialKey,
    color: Color,
    less: PieceKind,
    more: Option<PieceKind>,
) -> Option<MaterialKey> {
    let count = |other, kind| {
        let count = material.count(other, kind);
        if other != color {
            return count;
        }
        count - u32::from(kind == less) + u32::from(Some(kind) == more)
    };
    (material.count(color, less) > 0).then(|| MaterialKey::from_counts(count))
}

fn mirrored(material: MaterialKey) -> MaterialKey {
    MaterialKey::from_counts(|color, kind| material.count(!color, kind))
}

/// All men, kings included.
fn men(material: MaterialKey) -> u32 {
    let of = |color| PieceKind::ALL.map(|kind| material.count(color, kind)).iter().sum::<u32>();
    2 + Color::ALL.map(of).iter().sum::<u32>()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{captures, material_of, promotions};
    use crate::engine::chess::MaterialKey;

    #[test]
    fn only_names_of_tables_are_taken() {
        for name in ["KQvK", "KRPvKR", "KNNvK", "KRvKN", "KBPvKNP", "KQRBNPvK", "KRRvKQ"] {
            assert!(material_of(name).is_some(), "{name}");
        }
        for name in
            ["KvK", "KNvKR", "KvKQ", "KPRvKR", "kqvk", "KQvKRR", "KBPvKRP", "KQRBNPPvK", "readme", "KQK"]
        {
            assert!(material_of(name).is_none(), "{name}");
        }
    }

    #[test]
    fn what_moves_lead_to() {
        let key = |name: &str| material_of(name).unwrap_or(MaterialKey::EMPTY);
        let check = |found: BTreeSet<MaterialKey>, names: &[&str]| {
            assert_eq!(found, names.iter().map(|name| key(name)).collect());
        };
        check(captures(key("KQvK")).collect(), &["KvK"]);
        check(captures(key("KRRvK")).collect(), &["KRvK"]);
        check(captures(key("KPvK")).collect(), &["KvK"]);
        check(promotions(key("KPvK")).collect(), &["KQvK", "KRvK", "KBvK", "KNvK"]);
        check(promotions(key("KRvKB")).collect(), &[]);
        let of_pawn_and_rook: Vec<_> = captures(key("KRvKP")).map(|key| format!("{key:?}")).collect();
        assert_eq!(of_pawn_and_rook, ["KvKP", "KvKQ", "KvKR", "KvKB", "KvKN", "KRvK"]);
    }
}
