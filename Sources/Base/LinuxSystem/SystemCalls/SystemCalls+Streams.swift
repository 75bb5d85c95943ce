internal import Glibc

// Communication with another program over a socket or a pipe.
extension SystemCalls {
    /// The state of a descriptor to wait for.
    package enum Readiness: Sendable {
        /// Bytes or the end can be read.
        case readable
        /// Bytes can be written, or writing fails at once.
        case writable
        /// The other end of the socket is gone. On a pipe: no writer is left.
        case hungUp
    }

    /// Waits until a descriptor is ready. The corresponding C function is `poll`.
    ///
    /// - Parameter deadline: The end of waiting; nil for no limit.
    /// - Returns: Whether it is ready; false if the deadline has passed.
    package static func wait(
        for descriptor: Int32, _ readiness: Readiness, until deadline: Deadline?
    ) throws(SystemCallError) -> Bool {
        let events: Int32 =
            switch readiness {
            case .readable: POLLIN
            case .writable: POLLOUT
            case .hungUp: 0
            }
        let count = try perform("poll") {
            // Safe: the count is one, and there is one entry.
            var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            let milliseconds = deadline.map { Int32(clamping: $0.remaining) } ?? -1
            return unsafe poll(&entry, 1, milliseconds)
        }
        return count > 0
    }

    /// Writes at least one of the bytes. It never blocks on a socket, and never ends the process if
    /// the reader is gone. The corresponding C functions are `send` with MSG_NOSIGNAL, or `write`
    /// for anything but a socket.
    ///
    /// - Returns: The number of bytes written; 0 if none can be written now.
    package static func writeSome(
        _ descriptor: Int32, _ bytes: Span<UInt8>
    ) throws(SystemCallError) -> Int {
        do throws(SystemCallError) {
            // Safe: the span's own bytes and count, alive for the call.
            return try unsafe bytes.withUnsafeBufferPointer { buffer throws(SystemCallError) in
                let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
                return try perform("send") {
                    unsafe send(descriptor, buffer.baseAddress, buffer.count, flags)
                }
            }
        } catch {
            switch error.code {
            case EAGAIN: return 0
            case ENOTSOCK: break
            default: throw error
            }
        }
        // Safe: as above.
        return try unsafe bytes.withUnsafeBufferPointer { buffer throws(SystemCallError) in
            try perform("write") {
                unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
            }
        }
    }

    /// Hangs up a socket for both ends, even if another process has a copy of one. The corresponding C
    /// function is `shutdown` with SHUT_RDWR.
    package static func hangUp(_ socket: Int32) {
        _ = shutdown(socket, Int32(SHUT_RDWR))
    }

    /// Returns whether a descriptor is a socket. The corresponding C function is `fstat`.
    package static func isSocket(_ descriptor: Int32) -> Bool {
        ((try? fstat(descriptor))?.st_mode ?? 0) & S_IFMT == S_IFSOCK
    }

    /// Returns whether a file, a pipe or a socket has a byte to read, after waiting for it or for the end; false for
    /// anything else, such as a terminal. The corresponding C functions are `fstat`, `poll`, and `ioctl` with FIONREAD.
    package static func hasContent(_ descriptor: Int32) -> Bool {
        let kind = ((try? fstat(descriptor))?.st_mode ?? 0) & S_IFMT
        guard [S_IFREG, S_IFIFO, S_IFSOCK].contains(kind),
            (try? wait(for: descriptor, .readable, until: nil)) != nil
        else {
            return false
        }
        var count: Int32 = 0
        // Safe: the kernel writes one number, and there is one.
        return unsafe ioctl(descriptor, UInt(FIONREAD), &count) == 0 && count > 0
    }

    /// Returns whether a child has ended, and reaps it then. The corresponding C function is
    /// `waitpid` with WNOHANG.
    package static func hasEnded(_ identifier: Int32) -> Bool {
        waitpid(identifier, nil, WNOHANG) != 0
    }

    /// Returns a path with its symbolic links resolved, nil if it does not exist or is not UTF-8.
    /// The corresponding C function is `realpath`.
    package static func realPath(_ path: String) -> String? {
        // Safe: the path ends with NUL; the result, which `realpath` allocates, is copied before it
        // is freed.
        guard let real = unsafe realpath(path, nil) else {
            return nil
        }
        defer { unsafe free(real) }
        return unsafe String(validatingCString: real)
    }
}
