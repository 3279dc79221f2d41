//! Signals that are not for the tests.

/// Signals that are meant for the main process, which then tells its wardens what to do.
pub(super) const SIGNALS: [i32; 4] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT];

/// Ignores a signal, or sets it back to its default.
pub(crate) fn set_signal(signal: i32, action: libc::sighandler_t) {
    // SAFETY: `signal` has no precondition, and neither action runs any code of this program.
    unsafe { libc::signal(signal, action) };
}
