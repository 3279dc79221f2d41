//! What a test obeys from before its program is started: no new rights and the filter, which it has from its supervisor, and
//! the rules of Landlock.

use super::filter::Filter;
use super::order::DEVICES;
use super::view::View;
use landlock::{
    ABI, Access, AccessFs, BitFlags, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr,
    Scope,
};
use reduct_session::confinement::{Confinement, Strength};
use rustix::process::geteuid;
use rustix::thread::{CapabilitySet, remove_capability_from_bounding_set, set_no_new_privs};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};

/// The newest version of the interface that is asked for.
const NEWEST: ABI = ABI::V6;

/// What a process that is root may do to the whole machine, however few files it may write to.
const RIGHTS_OF_ROOT: [CapabilitySet; 14] = [
    CapabilitySet::SYS_ADMIN,
    CapabilitySet::DAC_READ_SEARCH,
    CapabilitySet::SYS_PTRACE,
    CapabilitySet::SYS_BOOT,
    CapabilitySet::SYS_TIME,
    CapabilitySet::SYS_MODULE,
    CapabilitySet::SYS_RAWIO,
    CapabilitySet::MKNOD,
    CapabilitySet::SYSLOG,
    CapabilitySet::SYS_PACCT,
    CapabilitySet::PERFMON,
    CapabilitySet::BPF,
    CapabilitySet::MAC_ADMIN,
    // A folder that cannot be changed any more (`chattr +i`) would stay so for the next test.
    CapabilitySet::LINUX_IMMUTABLE,
];

/// What a test has to do before its program is started.
pub(crate) struct Rules {
    landlock: Option<OwnedFd>,
}

/// Has this process, and all that it starts, get no new rights, and obey the filter: a supervisor can do so itself, and the
/// kernel takes longer to read a filter than to start a process.
///
/// # Errors
/// If the system refuses it.
pub(super) fn part_with_rights(confinement: &Confinement, strength: &Strength) -> io::Result<()> {
    // A user that is not root has none of these rights, and cannot part with them. What this process has, it keeps.
    if geteuid().is_root() {
        for right in RIGHTS_OF_ROOT {
            let _ = remove_capability_from_bounding_set(right);
        }
    }
    set_no_new_privs(true)?;
    if strength.filter { Filter::new(confinement, strength)?.obey() } else { Ok(()) }
}

/// Returns the version of Landlock's interface; 0 if there is none, or it is switched off.
pub(super) fn version() -> u8 {
    const ASK: libc::c_ulong = 1;
    // SAFETY: with this flag, the call reads no memory and only returns a number.
    let version = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<u8>(), 0usize, ASK) };
    u8::try_from(version).unwrap_or(0)
}

impl Rules {
    /// Makes the rules of a test in the folder `slot`. Costs some ten system calls.
    ///
    /// # Errors
    /// If the system refuses to make them.
    pub(super) fn new(
        confinement: &Confinement,
        strength: &Strength,
        slot: &Path,
        view: Option<&View>,
    ) -> io::Result<Rules> {
        let landlock = if strength.landlock == 0 { None } else { rules_of_landlock(confinement, slot, view)? };
        Ok(Rules { landlock })
    }

    /// Has this process, and all that it starts, obey them. Makes system calls only, and allocates nothing: it may be
    /// called between fork and exec.
    ///
    /// # Errors
    /// If the system refuses it.
    pub(crate) fn obey(&self) -> io::Result<()> {
        if let Some(rules) = &self.landlock {
            // SAFETY: the call takes a descriptor, which is open as long as `self` lives, and a number.
            let result = unsafe { libc::syscall(libc::SYS_landlock_restrict_self, rules.as_raw_fd(), 0) };
            if result != 0 {
                return Err(io::Error::last_os_error());
            }
        }
        Ok(())
    }
}

fn rules_of_landlock(confinement: &Confinement, slot: &Path, view: Option<&View>) -> io::Result<Option<OwnedFd>> {
    let all = AccessFs::from_write(NEWEST);
    // A device that a test makes itself would be a way around the rules for devices.
    let usual = all & !(AccessFs::MakeBlock | AccessFs::MakeChar);
    let ruleset = Ruleset::default().handle_access(all).map_err(io::Error::other)?;
    let ruleset = ruleset.scope(Scope::from_all(NEWEST)).map_err(io::Error::other)?;
    let mut ruleset = ruleset.create().map_err(io::Error::other)?;
    ruleset = allow(ruleset, slot, usual)?;
    let own = view.map(View::writable).unwrap_or_default();
    let devices = DEVICES.map(PathBuf::from);
    for path in devices.iter().chain(&own).chain(&confinement.writable) {
        ruleset = allow(ruleset, path, usual)?;
    }
    Ok(ruleset.into())
}

/// Allows it below a path, if there is something.
fn allow(ruleset: RulesetCreated, path: &Path, rights: BitFlags<AccessFs>) -> io::Result<RulesetCreated> {
    let Ok(opened) = PathFd::new(path) else { return Ok(ruleset) };
    let rights = if path.is_dir() { rights } else { rights & AccessFs::from_file(NEWEST) };
    ruleset.add_rule(PathBeneath::new(opened, rights)).map_err(io::Error::other)
}
