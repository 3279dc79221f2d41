//! How much memory there is.

/// Returns how many bytes of memory programs can still get without others being swapped out. `None` if the system does not
/// tell.
pub fn available() -> Option<u64> {
    let info = std::fs::read_to_string("/proc/meminfo").ok()?;
    info.lines().find_map(|line| {
        let kilobytes = line.strip_prefix("MemAvailable:")?.trim().strip_suffix("kB")?.trim();
        kilobytes.parse::<u64>().ok()?.checked_mul(1024)
    })
}
