//! Names of variables in programs: which one lies at an address, and which part of it, as `forks[3].lock`.

use gimli::{
    AttributeValue, DebuggingInformationEntry, Dwarf, DwarfSections, EndianSlice, Operation, RunTimeEndian, SectionId,
    Unit, UnitOffset,
};
use object::{Object, ObjectSection};
use std::borrow::Cow;
use std::fs;
use std::path::Path;

/// So many types within one another are looked through.
const DEEPEST: usize = 32;

type Slice<'a> = EndianSlice<'a, RunTimeEndian>;
type Entry<'a> = DebuggingInformationEntry<Slice<'a>>;

/// Returns the name of what lies at an address of a program, by its debug information.
pub(super) fn variable_at(path: &Path, address: u64) -> Option<String> {
    let bytes = fs::read(path).ok()?;
    let file = object::File::parse(&*bytes).ok()?;
    let endian = if file.is_little_endian() { RunTimeEndian::Little } else { RunTimeEndian::Big };
    let load = |id: SectionId| -> Result<Cow<'_, [u8]>, gimli::Error> {
        let section = file.section_by_name(id.name());
        Ok(section.and_then(|it| it.uncompressed_data().ok()).unwrap_or_default())
    };
    let sections = DwarfSections::load(load).ok()?;
    let dwarf = sections.borrow(|data| EndianSlice::new(data, endian));
    let mut units = dwarf.units();
    while let Ok(Some(header)) = units.next() {
        let Ok(unit) = dwarf.unit(header) else { continue };
        if let Some(name) = (Read { dwarf: &dwarf, unit: &unit }).variable_at(address) {
            return Some(name);
        }
    }
    None
}

/// A unit of the debug information.
struct Read<'a> {
    dwarf: &'a Dwarf<Slice<'a>>,
    unit: &'a Unit<Slice<'a>>,
}

impl<'a> Read<'a> {
    fn variable_at(&self, address: u64) -> Option<String> {
        let mut entries = self.unit.entries();
        while let Ok(Some(entry)) = entries.next_dfs() {
            if entry.tag() != gimli::DW_TAG_variable {
                continue;
            }
            let within = self.begins(entry).and_then(|begins| address.checked_sub(begins));
            let Some((within, of)) = within.zip(self.type_of(entry)) else { continue };
            if self.size(of).is_some_and(|size| within < size) {
                return Some(self.name(entry)? + &self.part(of, within));
            }
        }
        None
    }

    /// Returns where a variable lies, if that is the same in each run.
    fn begins(&self, entry: &Entry<'a>) -> Option<u64> {
        let AttributeValue::Exprloc(location) = entry.attr_value(gimli::DW_AT_location)? else { return None };
        let mut operations = location.operations(self.unit.encoding());
        let begins = match operations.next().ok()?? {
            Operation::Address { address } => address,
            Operation::AddressIndex { index } => self.dwarf.address(self.unit, index).ok()?,
            _ => return None,
        };
        // More operations make something else of it, such as the value of a pointer that was optimised away.
        operations.next().ok()?.is_none().then_some(begins)
    }

    /// Returns an attribute of an entry, or of the declaration that it completes.
    fn attribute(&self, entry: &Entry<'a>, name: gimli::DwAt) -> Option<AttributeValue<Slice<'a>>> {
        entry.attr_value(name).or_else(|| {
            let AttributeValue::UnitRef(declared) = entry.attr_value(gimli::DW_AT_specification)? else { return None };
            self.unit.entry(declared).ok()?.attr_value(name)
        })
    }

    fn number(&self, entry: &Entry<'a>, name: gimli::DwAt) -> Option<u64> {
        entry.attr_value(name)?.udata_value()
    }

    fn name(&self, entry: &Entry<'a>) -> Option<String> {
        let name = self.dwarf.attr_string(self.unit, self.attribute(entry, gimli::DW_AT_name)?).ok()?;
        Some(String::from_utf8_lossy(name.slice()).into_owned())
    }

    /// Returns the type of an entry, without its qualifiers and other names.
    fn type_of(&self, entry: &Entry<'a>) -> Option<UnitOffset> {
        let mut of = self.attribute(entry, gimli::DW_AT_type)?;
        for _ in 0..DEEPEST {
            let AttributeValue::UnitRef(at) = of else { return None };
            let entry = self.unit.entry(at).ok()?;
            match entry.tag() {
                gimli::DW_TAG_typedef
                | gimli::DW_TAG_const_type
                | gimli::DW_TAG_volatile_type
                | gimli::DW_TAG_atomic_type => of = entry.attr_value(gimli::DW_AT_type)?,
                _ => return Some(at),
            }
        }
        None
    }

    fn size(&self, of: UnitOffset) -> Option<u64> {
        let mut at = of;
        let mut elements = 1u64;
        for _ in 0..DEEPEST {
            let entry = self.unit.entry(at).ok()?;
            if entry.tag() != gimli::DW_TAG_array_type {
                return elements.checked_mul(self.number(&entry, gimli::DW_AT_byte_size)?);
            }
            let counts = self.counts(at);
            elements = counts.iter().try_fold(elements, |all, count| all.checked_mul(*count))?;
            at = self.type_of(&entry)?;
        }
        None
    }

    /// Returns how many elements an array has in each of its dimensions.
    fn counts(&self, array: UnitOffset) -> Vec<u64> {
        let count = |entry: &Entry<'a>| {
            let last = self.number(entry, gimli::DW_AT_upper_bound).and_then(|last| last.checked_add(1));
            self.number(entry, gimli::DW_AT_count).or(last).unwrap_or(0)
        };
        self.children(array).iter().filter(|it| it.tag() == gimli::DW_TAG_subrange_type).map(count).collect()
    }

    fn children(&self, of: UnitOffset) -> Vec<Entry<'a>> {
        let Ok(mut tree) = self.unit.entries_tree(Some(of)) else { return vec![] };
        let Ok(root) = tree.root() else { return vec![] };
        let mut children = root.children();
        let mut found = vec![];
        while let Ok(Some(child)) = children.next() {
            found.push(child.entry().clone());
        }
        found
    }

    /// Returns the indexes and members that lead to what lies so far within a type.
    fn part(&self, of: UnitOffset, within: u64) -> String {
        let (mut text, mut of, mut within) = (String::new(), of, within);
        for _ in 0..DEEPEST {
            let next = self.unit.entry(of).ok().and_then(|entry| match entry.tag() {
                gimli::DW_TAG_array_type => self.element(&entry, of, within),
                gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type => self.member(of, within),
                _ => None,
            });
            let Some((step, inner, rest)) = next else { break };
            text += &step;
            (of, within) = (inner, rest);
        }
        text
    }

    fn element(&self, array: &Entry<'a>, of: UnitOffset, within: u64) -> Option<(String, UnitOffset, u64)> {
        let inner = self.type_of(array)?;
        let size = self.size(inner).filter(|size| *size > 0)?;
        let mut index = within / size;
        let mut text = vec![];
        for count in self.counts(of).iter().rev() {
            let count = (*count).max(1);
            text.push(format!("[{}]", index % count));
            index /= count;
        }
        text.reverse();
        Some((text.concat(), inner, within % size))
    }

    fn member(&self, of: UnitOffset, within: u64) -> Option<(String, UnitOffset, u64)> {
        self.children(of).iter().filter(|child| child.tag() == gimli::DW_TAG_member).find_map(|child| {
            let inside = within.checked_sub(self.number(child, gimli::DW_AT_data_member_location)?)?;
            let inner = self.type_of(child)?;
            let is_there = self.size(inner).is_some_and(|size| inside < size);
            is_there.then_some(())?;
            Some((format!(".{}", self.name(child)?), inner, inside))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    /// Debug information of two variables: `pointer`, which is nowhere and whose value is 0x4000, and `aimed`, of four bytes, at 0x4000.
    const POINTER: &str = "
.section .debug_abbrev
  .byte 1, 0x11, 1, 0, 0
  .byte 2, 0x34, 0, 0x03, 0x08, 0x49, 0x13, 0x02, 0x18, 0, 0
  .byte 3, 0x24, 0, 0x03, 0x08, 0x0b, 0x0b, 0, 0
  .byte 4, 0x0f, 0, 0x0b, 0x0b, 0, 0
  .byte 0
.section .debug_info
.Lunit: .long .Lend - .Lversion
.Lversion: .short 4
  .long 0
  .byte 8
  .byte 1
  .byte 2
  .asciz \"pointer\"
  .long .Lpointer - .Lunit
  .byte 10, 0x03
  .quad 0x4000
  .byte 0x9f
  .byte 2
  .asciz \"aimed\"
  .long .Lint - .Lunit
  .byte 9, 0x03
  .quad 0x4000
.Lint: .byte 3
  .asciz \"int\"
  .byte 4
.Lpointer: .byte 4, 8
  .byte 0
.Lend:
";

    /// Returns the address of a symbol.
    fn address_of(program: &Path, symbol: &str) -> u64 {
        let symbols = String::from_utf8(Command::new("nm").arg(program).output().unwrap().stdout).unwrap();
        let line = symbols.lines().find(|line| line.split(' ').next_back() == Some(symbol)).unwrap();
        u64::from_str_radix(line.split(' ').next().unwrap(), 16).unwrap()
    }

    #[test]
    fn a_pointer_that_is_a_constant_is_not_what_it_points_to() {
        let folder = tempfile::tempdir().unwrap();
        let (source, program) = (folder.path().join("it.s"), folder.path().join("it.o"));
        fs::write(&source, POINTER).unwrap();
        assert!(Command::new("cc").args(["-c", "-o"]).args([&program, &source]).status().unwrap().success());
        assert_eq!(variable_at(&program, 0x4000).as_deref(), Some("aimed"));
        assert_eq!(variable_at(&program, 0x4004), None);
    }

    #[test]
    fn a_variable_is_named_with_its_index_and_member() {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("it.c");
        // What each address is called is what the program itself says of it.
        let text = r#"
#include <stdio.h>
struct seat { char name[3]; int lock; struct { long deep[2]; } inner; };
extern struct seat table[4];
struct seat table[4];
static volatile int rows[3][5], alone;
static char *const names[] = {"a", "b"};
int main(void) {
    char *base = (char *)&table;
    printf("table[2].lock %ld\n", (long)((char *)&table[2].lock - base));
    printf("table[3].inner.deep[1] %ld\n", (long)((char *)&table[3].inner.deep[1] - base));
    printf("rows[2][4] %ld\n", (long)((char *)&rows[2][4] - base));
    printf("rows[0][1] %ld\n", (long)((char *)&rows[0][1] - base));
    printf("alone %ld\n", (long)((char *)&alone - base));
    printf("names[1] %ld\n", (long)((char *)&names[1] - base));
    printf("table[0].name[1] %ld\n", (long)(&table[0].name[1] - base));
}
"#;
        fs::write(&source, text).unwrap();
        let program = folder.path().join("it");
        let built = Command::new("cc").args(["-g", "-O0", "-o"]).args([&program, &source]).status().unwrap();
        assert!(built.success());
        let base = address_of(&program, "table") as i64;
        let said = String::from_utf8(Command::new(&program).output().unwrap().stdout).unwrap();
        assert_eq!(said.lines().count(), 7);
        for line in said.lines() {
            let (name, offset) = line.split_once(' ').unwrap();
            let address = base + offset.parse::<i64>().unwrap();
            assert_eq!(variable_at(&program, address as u64).as_deref(), Some(name));
        }
        assert_eq!(variable_at(&program, 1 << 40), None);
        assert_eq!(variable_at(&source, 0), None);
    }
}
