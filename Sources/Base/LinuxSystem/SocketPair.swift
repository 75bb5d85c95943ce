internal import Glibc

/// Two connected sockets that are closed on exec. The corresponding C function is `socketpair` with
/// AF_UNIX and SOCK_STREAM.
package struct SocketPair: ~Copyable, Sendable {
    package let ours: Descriptor
    package let theirs: Descriptor

    package init() throws(SystemCallError) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        // Safe: it writes two numbers, and the array has two.
        _ = try SystemCalls.perform("socketpair") { unsafe socketpair(AF_UNIX, type, 0, &ends) }
        ours = Descriptor(owning: ends[0])
        theirs = Descriptor(owning: ends[1])
    }

    /// Returns our end and closes the other one.
    package consuming func keepingOurs() -> Descriptor { ours }
}
