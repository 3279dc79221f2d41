//! The filter of system calls that a confined test obeys: calls that reach around files, signals and the network.
//!
//! It is a program of the kernel's packet filter, see seccomp(2). Programs of 32 bits on a machine of 64 number their calls
//! in another way, so that there is a part for each. What is refused is refused with an error, as by a kernel that does not
//! know the call or does not allow it.

use libc::sock_filter;
use reduct_session::confinement::{Confinement, Network, Strength};
use std::io;

/// A program for the kernel.
pub(crate) struct Filter(Vec<sock_filter>);

/// A system call that is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Call {
    Socket,
    /// By it, old programs of 32 bits make sockets.
    Multiplexed,
    OpenByHandle,
    AddKey,
    RequestKey,
    KeyControl,
    ResourceLimit,
    Priority,
    Kill,
    /// A ring makes sockets without a call that could be looked at.
    Ring,
}

/// When a call is refused.
#[derive(Clone, Copy)]
enum When {
    Always,
    /// If the low half of this argument is this.
    Is(u32, u32),
    /// If the low half of this argument is none of these.
    IsNoneOf(u32, &'static [u32]),
    /// If neither the low half of the first nor any bit of the second argument is 0.
    AreSet(u32, u32),
}

/// A call that is refused.
struct Refused {
    call: Call,
    when: When,
    with: libc::c_int,
}

/// A kind of programs that a processor runs, as the kernel names it, and its numbers of calls.
struct Machine {
    audit: u32,
    number: fn(Call) -> Option<u32>,
}

/// From this number on, calls on x86-64 are those of another kind of programs, of which hardly a kernel knows.
#[cfg(target_arch = "x86_64")]
const X32: u32 = 0x4000_0000;

/// A socket with a path, of the network, or one that asks the kernel for its devices: all that a network namespace holds.
const OF_THE_NAMESPACE: &[u32] = &[
    libc::AF_UNIX as u32,
    libc::AF_INET as u32,
    libc::AF_INET6 as u32,
    libc::AF_NETLINK as u32,
    libc::AF_PACKET as u32,
];

/// Sockets that reach nobody outside of the machine.
const LOCAL: &[u32] = &[libc::AF_UNIX as u32, libc::AF_NETLINK as u32];

/// Returns the number of a call in programs of this processor.
fn native(call: Call) -> Option<u32> {
    let number = match call {
        Call::Socket => libc::SYS_socket,
        Call::Multiplexed => return None,
        Call::OpenByHandle => libc::SYS_open_by_handle_at,
        Call::AddKey => libc::SYS_add_key,
        Call::RequestKey => libc::SYS_request_key,
        Call::KeyControl => libc::SYS_keyctl,
        Call::ResourceLimit => libc::SYS_prlimit64,
        Call::Priority => libc::SYS_setpriority,
        Call::Kill => libc::SYS_kill,
        Call::Ring => libc::SYS_io_uring_setup,
    };
    u32::try_from(number).ok()
}

/// Returns the number of a call in programs for i386 (`arch/x86/entry/syscalls/syscall_32.tbl` of Linux).
#[cfg(target_arch = "x86_64")]
fn i386(call: Call) -> Option<u32> {
    Some(match call {
        Call::Socket => 359,
        Call::Multiplexed => 102,
        Call::OpenByHandle => 342,
        Call::AddKey => 286,
        Call::RequestKey => 287,
        Call::KeyControl => 288,
        Call::ResourceLimit => 340,
        Call::Priority => 97,
        Call::Kill => 37,
        Call::Ring => 425,
    })
}

/// Returns the number of a call in programs for ARM of 32 bits (`arch/arm64/tools/syscall_32.tbl` of Linux).
#[cfg(target_arch = "aarch64")]
fn arm(call: Call) -> Option<u32> {
    Some(match call {
        Call::Socket => 281,
        Call::Multiplexed => 102,
        Call::OpenByHandle => 371,
        Call::AddKey => 309,
        Call::RequestKey => 310,
        Call::KeyControl => 311,
        Call::ResourceLimit => 369,
        Call::Priority => 97,
        Call::Kill => 37,
        Call::Ring => 425,
    })
}

/// The kinds of programs that this processor runs (`include/uapi/linux/audit.h` of Linux).
#[cfg(target_arch = "x86_64")]
const MACHINES: &[Machine] =
    &[Machine { audit: 0xc000_003e, number: native }, Machine { audit: 0x4000_0003, number: i386 }];
#[cfg(target_arch = "aarch64")]
const MACHINES: &[Machine] =
    &[Machine { audit: 0xc000_00b7, number: native }, Machine { audit: 0x4000_0028, number: arm }];
#[cfg(target_arch = "riscv64")]
const MACHINES: &[Machine] = &[Machine { audit: 0xc000_00f3, number: native }];
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")))]
const MACHINES: &[Machine] = &[];

/// Where the kernel puts the number of the call, the kind of the program, and the arguments, for a filter to read.
const NUMBER: u32 = 0;
const KIND: u32 = 4;
const ARGUMENTS: u32 = 16;

impl Filter {
    /// Makes the filter of tests that are confined like this, as far as this can be had.
    ///
    /// # Errors
    /// If there is none for this processor.
    pub(super) fn new(confinement: &Confinement, strength: &Strength) -> io::Result<Filter> {
        if MACHINES.is_empty() {
            return Err(io::ErrorKind::Unsupported.into());
        }
        let refused = refused(confinement, strength);
        let mut program = vec![];
        for machine in MACHINES {
            let part = part(machine, &refused);
            program.push(load(KIND));
            program.push(jump(libc::BPF_JEQ, machine.audit, 1, 0));
            program.push(instruction(libc::BPF_JMP | libc::BPF_JA, part.len() as u32));
            program.extend(part);
        }
        program.push(refuse(libc::ENOSYS));
        Ok(Filter(program))
    }

    /// Has this process, and all that it starts, obey it. Makes one system call and allocates nothing. The process must have
    /// no way to new rights.
    ///
    /// # Errors
    /// If the kernel has no such filters.
    pub(super) fn obey(&self) -> io::Result<()> {
        let program = libc::sock_fprog { len: self.0.len() as u16, filter: self.0.as_ptr().cast_mut() };
        // SAFETY: the kernel copies the program, which is whole and outlives the call, and writes nothing.
        let result = unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, 0, &raw const program) };
        if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }
}

/// Returns what is refused.
fn refused(confinement: &Confinement, strength: &Strength) -> Vec<Refused> {
    let all = |calls: &[Call], when, with| {
        calls.iter().map(|call| Refused { call: *call, when, with }).collect::<Vec<Refused>>()
    };
    // A process that may read everything can open a file by its number, past all that is mounted over it.
    let mut refused =
        all(&[Call::OpenByHandle, Call::AddKey, Call::RequestKey, Call::KeyControl], When::Always, libc::EPERM);
    // The limits of another process: by them, it can be ended.
    refused.extend(all(&[Call::ResourceLimit], When::AreSet(0, 2), libc::EPERM));
    // The priority of all processes of a user.
    refused.extend(all(&[Call::Priority], When::Is(0, libc::PRIO_USER), libc::EPERM));
    if !strength.confines_signals() {
        // All processes of a user.
        refused.extend(all(&[Call::Kill], When::Is(0, u32::MAX), libc::EPERM));
    }
    let sockets = match strength.network {
        _ if confinement.network => return refused,
        Network::Open => return refused,
        Network::Own => OF_THE_NAMESPACE,
        Network::UnixOnly => {
            refused.extend(all(&[Call::Ring], When::Always, libc::EPERM));
            LOCAL
        }
    };
    refused.extend(all(&[Call::Socket], When::IsNoneOf(0, sockets), libc::ENETUNREACH));
    // The first of the calls that it stands for. What they are called with cannot be looked at.
    refused.extend(all(&[Call::Multiplexed], When::Is(0, 1), libc::ENETUNREACH));
    refused
}

/// Returns the part of the program for one kind of programs. It ends with what is allowed.
fn part(machine: &Machine, refused: &[Refused]) -> Vec<sock_filter> {
    let mut program = vec![load(NUMBER)];
    #[cfg(target_arch = "x86_64")]
    program.extend([jump(libc::BPF_JGE, X32, 0, 1), refuse(libc::ENOSYS)]);
    for Refused { call, when, with } in refused {
        let Some(number) = (machine.number)(*call) else { continue };
        let mut body = check(*when);
        body.push(refuse(*with));
        // What was looked at stands where the number was.
        body.push(load(NUMBER));
        program.push(jump(libc::BPF_JEQ, number, 0, body.len() as u8));
        program.extend(body);
    }
    program.push(instruction(libc::BPF_RET | libc::BPF_K, libc::SECCOMP_RET_ALLOW));
    program
}

/// Returns what goes on with the next instruction but this if the call is to be refused, and else with the second one after
/// it.
fn check(when: When) -> Vec<sock_filter> {
    let low = |argument: u32| ARGUMENTS + 8 * argument;
    match when {
        When::Always => vec![],
        When::Is(argument, value) => vec![load(low(argument)), jump(libc::BPF_JEQ, value, 0, 1)],
        When::IsNoneOf(argument, values) => {
            let mut program = vec![load(low(argument))];
            for (n, value) in values.iter().enumerate() {
                // Past those that are left, and past the refusal.
                program.push(jump(libc::BPF_JEQ, *value, (values.len() - n) as u8, 0));
            }
            program
        }
        When::AreSet(half, whole) => vec![
            load(low(half)),
            jump(libc::BPF_JEQ, 0, 5, 0),
            load(low(whole)),
            jump(libc::BPF_JEQ, 0, 0, 2),
            load(low(whole) + 4),
            jump(libc::BPF_JEQ, 0, 1, 0),
        ],
    }
}

fn load(offset: u32) -> sock_filter {
    instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, offset)
}

/// Goes on so many instructions after the next one, `then` if the comparison holds, else `otherwise`.
fn jump(comparison: u32, value: u32, then: u8, otherwise: u8) -> sock_filter {
    let code = (libc::BPF_JMP | comparison | libc::BPF_K) as u16;
    sock_filter { code, jt: then, jf: otherwise, k: value }
}

fn refuse(with: libc::c_int) -> sock_filter {
    instruction(libc::BPF_RET | libc::BPF_K, libc::SECCOMP_RET_ERRNO | with as u32)
}

fn instruction(code: u32, value: u32) -> sock_filter {
    sock_filter { code: code as u16, jt: 0, jf: 0, k: value }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a call is answered with.
    #[derive(Debug, PartialEq)]
    enum Answer {
        Allowed,
        Error(i32),
    }

    /// Runs a filter as the kernel does, as seccomp(2) and bpf(4) say.
    fn run(filter: &Filter, kind: u32, number: u32, arguments: [u64; 6]) -> Answer {
        let mut data = [number.to_le_bytes(), kind.to_le_bytes()].concat();
        data.extend([0; 8]);
        arguments.iter().for_each(|argument| data.extend(argument.to_le_bytes()));
        let (mut at, mut accumulator) = (0, 0);
        loop {
            let sock_filter { code, jt, jf, k } = filter.0[at];
            at += 1;
            let step = |holds: bool| usize::from(if holds { jt } else { jf });
            match u32::from(code) {
                0x20 => accumulator = u32::from_le_bytes(data[k as usize..][..4].try_into().unwrap()),
                0x15 => at += step(accumulator == k),
                0x35 => at += step(accumulator >= k),
                0x05 => at += k as usize,
                0x06 if k == 0x7fff_0000 => return Answer::Allowed,
                0x06 if k >> 16 == 5 => return Answer::Error((k & 0xffff) as i32),
                other => panic!("no such instruction: {other:#x}, {k:#x}"),
            }
        }
    }

    const EACH: [Call; 10] = [
        Call::Socket,
        Call::Multiplexed,
        Call::OpenByHandle,
        Call::AddKey,
        Call::RequestKey,
        Call::KeyControl,
        Call::ResourceLimit,
        Call::Priority,
        Call::Kill,
        Call::Ring,
    ];

    fn filter(network: Network, landlock: u8) -> Filter {
        let strength = Strength { network, landlock, ..Strength::default() };
        Filter::new(&Confinement::default(), &strength).unwrap()
    }

    #[test]
    fn calls_are_refused_in_programs_of_each_kind() {
        let own = filter(Network::Own, 6);
        let unix = filter(Network::UnixOnly, 4);
        for machine in MACHINES {
            let run = |filter: &Filter, call: Call, arguments: [u64; 6]| {
                (machine.number)(call).map(|number| run(filter, machine.audit, number, arguments))
            };
            let with = |first: u64, second: u64, third: u64| [first, second, third, 0, 0, 0];
            for call in [Call::OpenByHandle, Call::AddKey, Call::RequestKey, Call::KeyControl] {
                assert_eq!(run(&own, call, with(0, 0, 0)), Some(Answer::Error(libc::EPERM)));
            }
            // The limits of others may be asked for, one's own be set.
            assert_eq!(run(&own, Call::ResourceLimit, with(0, 7, 0x1000)), Some(Answer::Allowed));
            assert_eq!(run(&own, Call::ResourceLimit, with(99, 7, 0)), Some(Answer::Allowed));
            assert_eq!(run(&own, Call::ResourceLimit, with(99, 7, 0x1000)), Some(Answer::Error(libc::EPERM)));
            assert_eq!(run(&own, Call::ResourceLimit, with(99, 7, 0x1_0000_0000)), Some(Answer::Error(libc::EPERM)));
            assert_eq!(run(&own, Call::Priority, with(2, 0, 0)), Some(Answer::Error(libc::EPERM)));
            assert_eq!(run(&own, Call::Priority, with(0, 0, 9)), Some(Answer::Allowed));
            let all = u64::from(u32::MAX);
            assert_eq!(run(&own, Call::Kill, with(all, 9, 0)), Some(Answer::Allowed), "of its own");
            assert_eq!(run(&unix, Call::Kill, with(all, 9, 0)), Some(Answer::Error(libc::EPERM)));
            assert_eq!(run(&unix, Call::Kill, with(1, 9, 0)), Some(Answer::Allowed));
            for (family, in_own, in_unix) in
                [(1, true, true), (16, true, true), (2, true, false), (10, true, false), (40, false, false)]
            {
                let expected = |is| Some(if is { Answer::Allowed } else { Answer::Error(libc::ENETUNREACH) });
                assert_eq!(run(&own, Call::Socket, with(family, 1, 0)), expected(in_own), "{family}");
                assert_eq!(run(&unix, Call::Socket, with(family, 1, 0)), expected(in_unix), "{family}");
            }
            assert_eq!(run(&own, Call::Ring, with(1, 0, 0)), Some(Answer::Allowed));
            assert_eq!(run(&unix, Call::Ring, with(1, 0, 0)), Some(Answer::Error(libc::EPERM)));
            assert!(
                run(&unix, Call::Multiplexed, with(1, 0, 0)).is_none_or(|it| it == Answer::Error(libc::ENETUNREACH))
            );
            assert!(run(&unix, Call::Multiplexed, with(3, 0, 0)).is_none_or(|it| it == Answer::Allowed));
        }
    }

    #[test]
    fn every_other_call_is_allowed() {
        let filter = filter(Network::UnixOnly, 0);
        for machine in MACHINES {
            let looked_at: Vec<u32> = EACH.iter().filter_map(|call| (machine.number)(*call)).collect();
            for number in (0..600).filter(|number| !looked_at.contains(number)) {
                assert_eq!(run(&filter, machine.audit, number, [1; 6]), Answer::Allowed, "{number}");
            }
        }
        assert_eq!(run(&filter, 7, 1, [0; 6]), Answer::Error(libc::ENOSYS), "programs of another processor");
    }

    #[test]
    fn the_network_that_is_allowed_is_not_looked_at() {
        let confinement = Confinement::default().with_network(true);
        let strength = Strength { network: Network::UnixOnly, ..Strength::default() };
        let filter = Filter::new(&confinement, &strength).unwrap();
        assert_eq!(run(&filter, MACHINES[0].audit, native(Call::Socket).unwrap(), [40; 6]), Answer::Allowed);
    }
}
