//! What listens on the loopback device of the machine, as the kernel lists it (proc_pid_net(5)).

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::fd::{AsRawFd, RawFd};

/// The lists, in which IPv6 may be missing. They belong to the network in which they were opened.
const LISTS: [&str; 2] = ["/proc/self/net/tcp", "/proc/self/net/tcp6"];

/// The state of a socket that listens (`include/net/tcp_states.h` of Linux).
const LISTENS: &str = "0A";

/// The lists of all sockets of a network.
pub(super) struct Listening(Vec<File>);

impl Listening {
    /// Opens the lists of the network in which this process is.
    ///
    /// # Errors
    /// If they are not shown.
    pub(super) fn open() -> io::Result<Listening> {
        let [first, second] = LISTS.map(File::open);
        Ok(Listening([Some(first?), second.ok()].into_iter().flatten().collect()))
    }

    pub(super) fn files(&self) -> impl Iterator<Item = RawFd> {
        self.0.iter().map(AsRawFd::as_raw_fd)
    }

    /// Returns the addresses on the loopback device at which something listens now. A list that cannot be read is empty.
    pub(super) fn now(&self) -> BTreeSet<SocketAddr> {
        let read = |mut list: &File| {
            let mut text = String::new();
            list.rewind().and_then(|()| list.read_to_string(&mut text)).map(|_| text).unwrap_or_default()
        };
        self.0.iter().flat_map(|list| listed(&read(list))).collect()
    }
}

/// Returns the addresses on the loopback device that a list says something listens at.
fn listed(list: &str) -> Vec<SocketAddr> {
    let line = |line: &str| {
        let mut fields = line.split_ascii_whitespace().skip(1);
        let (own, _, state) = (fields.next()?, fields.next()?, fields.next()?);
        (state == LISTENS).then(|| address(own)).flatten()
    };
    list.lines().filter_map(line).flat_map(on_loopback).collect()
}

/// Reads an address as `0100007F:1F90`: words of 32 bits as the processor has them, and a port.
fn address(text: &str) -> Option<SocketAddr> {
    let (address, port) = text.split_once(':')?;
    let word = |at: usize| Some(u32::from_str_radix(address.get(at..at + 8)?, 16).ok()?.to_ne_bytes());
    let address = match address.len() {
        8 => IpAddr::from(word(0)?),
        32 => {
            let words = [word(0)?, word(8)?, word(16)?, word(24)?];
            IpAddr::from(<[u8; 16]>::try_from(words.concat()).ok()?)
        }
        _ => return None,
    };
    Some(SocketAddr::new(address.to_canonical(), u16::from_str_radix(port, 16).ok()?))
}

/// Returns the addresses on the loopback device at which this one is reached.
fn on_loopback(address: SocketAddr) -> Vec<SocketAddr> {
    let port = address.port();
    let (first, second) =
        (SocketAddr::from((Ipv4Addr::LOCALHOST, port)), SocketAddr::from((Ipv6Addr::LOCALHOST, port)));
    match address.ip() {
        ip if ip.is_loopback() => vec![address],
        IpAddr::V4(ip) if ip.is_unspecified() => vec![first],
        // Most that listen at all addresses do so for both versions.
        IpAddr::V6(ip) if ip.is_unspecified() => vec![first, second],
        _ => vec![],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    #[test]
    #[cfg(target_endian = "little")]
    fn lists_are_read_as_the_kernel_writes_them() {
        // As in proc_pid_net(5) and Documentation/networking/proc_net_tcp.rst of Linux.
        let list = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid\n\
                    0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0\n\
                    1: 00000000:0016 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0\n\
                    2: 0A00020F:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0\n\
                    3: 0100007F:0277 00000000:0000 07 00000000:00000000 00:00000000 00000000     0\n\
                    4: 00000000000000000000000001000000:0019 00000000000000000000000000000000:0000 0A 0\n\
                    5: 0000000000000000FFFF00000100007F:001A 00000000000000000000000000000000:0000 0A 0\n\
                    6: 0100007F";
        let expected = ["127.0.0.1:8080", "127.0.0.1:22", "[::1]:25", "127.0.0.1:26"];
        assert_eq!(listed(list), expected.map(|address| address.parse().unwrap()));
        let any = listed("7: 00000000000000000000000000000000:001B 00000000000000000000000000000000:0000 0A 0");
        assert_eq!(any, ["127.0.0.1:27", "[::1]:27"].map(|address| address.parse().unwrap()));
    }

    #[test]
    fn damaged_lists_are_read_as_far_as_they_make_sense() {
        let mut state = 1u64;
        for _ in 0..2000 {
            let text: String = (0..60)
                .map(|_| {
                    state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    b"0A1F: \nx"[(state >> 33) as usize % 8] as char
                })
                .collect();
            listed(&text);
        }
    }

    #[test]
    fn what_listens_now_is_found() {
        let listening = Listening::open().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        assert!(listening.now().contains(&address));
        drop(listener);
        assert!(!listening.now().contains(&address));
    }
}
