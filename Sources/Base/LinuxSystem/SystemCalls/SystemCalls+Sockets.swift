internal import CLinux
internal import Glibc

// Unix sockets with a path.
extension SystemCalls {
    /// The process at the other end of a socket.
    package struct Peer: Sendable {
        /// Its number.
        package let process: Int32
        /// Its user.
        package let user: UInt32
    }

    /// Creates a socket that is closed on exec. The corresponding C function is `socket` with
    /// AF_UNIX and SOCK_STREAM.
    package static func makeSocket() throws(SystemCallError) -> Int32 {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        return try perform("socket") { socket(AF_UNIX, type, 0) }
    }

    /// Binds a socket to a new path that only its owner can connect to. The corresponding C
    /// functions are `umask` and `bind`.
    ///
    /// - Throws: With ENAMETOOLONG for more than 107 bytes, with EADDRINUSE if the path exists.
    package static func bind(_ socket: Int32, to path: String) throws(SystemCallError) {
        let mask = umask(0o177)
        defer { umask(mask) }
        // Safe: the path ends with NUL and lives for the call.
        try connected("bind") { unsafe lanyard_bind_unix(socket, path) }
    }

    /// Connects a socket to a path. The corresponding C function is `connect`.
    ///
    /// - Throws: With ECONNREFUSED if no process listens there.
    package static func connect(_ socket: Int32, to path: String) throws(SystemCallError) {
        // Safe: as above.
        try connected("connect") { unsafe lanyard_connect_unix(socket, path) }
    }

    private static func connected(
        _ name: String, _ body: () -> Int32
    ) throws(SystemCallError) {
        guard try perform(name, body) == 0 else {
            throw SystemCallError(call: name, code: ENAMETOOLONG)
        }
    }

    /// Makes a socket wait for connections. The corresponding C function is `listen`.
    package static func listen(_ socket: Int32) throws(SystemCallError) {
        _ = try perform("listen") { Glibc.listen(socket, 128) }
    }

    /// Takes a connection that never blocks. The corresponding C function is `accept4` with
    /// SOCK_NONBLOCK.
    ///
    /// - Returns: Nil if none waits.
    package static func accept(_ socket: Int32) throws(SystemCallError) -> Int32? {
        do throws(SystemCallError) {
            return try perform("accept") { lanyard_accept(socket) }
        } catch  where error.code == EAGAIN || error.code == ECONNABORTED {
            // The other end may have given up.
            return nil
        }
    }

    /// Returns whether a descriptor is a socket that waits for connections. The corresponding C
    /// function is `getsockopt` with SO_ACCEPTCONN.
    package static func isListening(_ descriptor: Int32) -> Bool {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        // Safe: it writes a number to a local variable of that size.
        return unsafe getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &value, &size) == 0
            && value != 0
    }

    /// Keeps a descriptor from programs that this one starts. The corresponding C function is
    /// `fcntl` with FD_CLOEXEC.
    package static func closeOnExec(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    /// Makes reading and writing return at once. The corresponding C function is `fcntl` with
    /// O_NONBLOCK.
    package static func stopBlocking(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    /// Returns the process that connected a socket. The corresponding C function is `getsockopt`
    /// with SO_PEERCRED.
    package static func peer(of socket: Int32) throws(SystemCallError) -> Peer {
        var process: Int32 = 0
        var user: UInt32 = 0
        // Safe: it writes to two local variables.
        _ = try perform("getsockopt") { unsafe lanyard_peer(socket, &process, &user) }
        return Peer(process: process, user: user)
    }

    /// Returns the path of a process's program, nil if it is unknown. The corresponding link is
    /// /proc/PID/exe.
    package static func programPath(of process: Int32) -> String? {
        try? readLink("/proc/\(process)/exe")
    }

    /// Sends a signal to a process, or to a process group if the number is negative. The
    /// corresponding C function is `kill`.
    package static func sendSignal(_ number: Int32, to process: Int32) {
        _ = kill(process, number)
    }
}
