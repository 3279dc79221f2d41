//! What stands where after some changes.

use super::WeaveBuilder;
use super::draft::{EntryKind, Life, VariantId, Version};
use reduct_core::Delta;
use reduct_input::Content;
use std::path::Path;

impl WeaveBuilder {
    /// Returns what stands at a path in a version.
    pub(super) fn content(&self, path: &Path, version: Version<'_>) -> Option<Content> {
        let VariantId { file, variant } = self.find(path, version)?;
        Some(match &self.files[file].variants[variant].kind {
            EntryKind::Link { target } => Content::Link { target: target.clone() },
            EntryKind::Folder { mode } => Content::Folder { mode: *mode },
            EntryKind::File { mode } => {
                let lines = self.living(file, version).into_iter().map(|at| &self.files[file].lines[at]);
                let bytes = lines.flat_map(|line| &self.text[line.text.clone()]).copied().collect();
                Content::File { mode: *mode, bytes }
            }
        })
    }

    /// Returns the variant that stands at a path in a version.
    pub(super) fn find(&self, path: &Path, version: Version<'_>) -> Option<VariantId> {
        self.find_all(path, version).first().copied()
    }

    /// Returns all variants that stand at a path in a version: branches may have brought several.
    pub(super) fn find_all(&self, path: &Path, version: Version<'_>) -> Vec<VariantId> {
        let files = self.files_at.get(path).into_iter().flatten().copied();
        let variants = files.flat_map(|file| {
            let count = self.files[file].variants.len();
            (0..count).map(move |variant| VariantId { file, variant })
        });
        let is_there = |id: &VariantId| {
            let variant = self.variant(*id);
            variant.path == path && self.lives(&variant.life, version)
        };
        variants.filter(is_there).collect()
    }

    /// Returns the numbers of the lines that a file has in a version.
    pub(super) fn living(&self, file: usize, version: Version<'_>) -> Vec<usize> {
        let lines = self.files[file].lines.iter().enumerate();
        lines.filter(|(_, line)| self.lives(&line.life, version)).map(|(at, _)| at).collect()
    }

    /// Returns whether something is there in a version.
    fn lives(&self, life: &Life, version: Version<'_>) -> bool {
        let change = |piece: u32| Delta(self.pieces[piece as usize].change);
        let is_in = |piece: &u32| *piece >= version.first || version.changes.contains(change(*piece));
        life.put_by.as_ref().is_none_or(is_in) && !life.taken_by.iter().any(is_in)
    }
}
