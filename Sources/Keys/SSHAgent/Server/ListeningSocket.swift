internal import LanyardConfiguration
internal import Glibc
internal import KeychainServices
internal import LinuxSystem

/// The socket at which clients connect. A file that it made is removed at its end.
struct ListeningSocket: ~Copyable {
    /// The file that was made.
    private struct MadeFile {
        let path: String
        let device: UInt
        let number: UInt
    }

    private let handle: Descriptor
    private let madeFile: MadeFile?

    var descriptor: Int32 { handle.number }

    /// The first descriptor that systemd passes: SD_LISTEN_FDS_START.
    private static let firstPassed: Int32 = 3

    private init(handle: consuming Descriptor, madeFile: MadeFile?) {
        self.handle = handle
        self.madeFile = madeFile
    }

    deinit {
        guard let madeFile, let status = try? SystemCalls.lstat(madeFile.path),
            status.st_dev == madeFile.device, status.st_ino == madeFile.number
        else {
            return
        }
        try? SystemCalls.unlink(madeFile.path)
    }

    /// Returns the socket that systemd passed, nil if it passed none: sd_listen_fds(3).
    ///
    /// - Throws: ``Status/param`` for anything but one listening socket.
    static func passed() throws(KeychainError) -> ListeningSocket? {
        guard let process = try Environment.value("LISTEN_PID"), process == "\(getpid())" else {
            return nil
        }
        guard try Environment.value("LISTEN_FDS") == "1", SystemCalls.isListening(firstPassed)
        else {
            throw KeychainError(.param, "systemd passed something else than one socket")
        }
        SystemCalls.closeOnExec(firstPassed)
        SystemCalls.stopBlocking(firstPassed)
        return ListeningSocket(handle: Descriptor(owning: firstPassed), madeFile: nil)
    }

    /// Makes a socket at a path, in place of one at which no process listens any more.
    ///
    /// - Throws: ``Status/notAvailable`` if a process listens there, ``Status/param`` if the path is too
    ///   long or another file is there, and what else the system refuses.
    static func make(at path: String) throws(KeychainError) -> ListeningSocket {
        do throws(SystemCallError) {
            if let status = try? SystemCalls.lstat(path) {
                guard status.st_mode & S_IFMT == S_IFSOCK else {
                    throw SystemCallError(call: "bind", code: EEXIST)
                }
                let probe = Descriptor(owning: try SystemCalls.makeSocket())
                do throws(SystemCallError) {
                    try SystemCalls.connect(probe.number, to: path)
                    throw SystemCallError(call: "bind", code: EADDRINUSE)
                } catch  where error.code == ECONNREFUSED {
                    try SystemCalls.unlink(path)
                }
            }
            let handle = Descriptor(owning: try SystemCalls.makeSocket())
            try SystemCalls.bind(handle.number, to: path)
            let status = try SystemCalls.lstat(path)
            try SystemCalls.listen(handle.number)
            SystemCalls.stopBlocking(handle.number)
            return ListeningSocket(
                handle: handle,
                madeFile: MadeFile(path: path, device: status.st_dev, number: status.st_ino))
        } catch {
            throw refused(path, error)
        }
    }

    private static func refused(_ path: String, _ error: SystemCallError) -> KeychainError {
        switch error.code {
        case EADDRINUSE:
            KeychainError(.notAvailable, "another agent listens at '\(path)'")
        case EEXIST: KeychainError(.param, "'\(path)' is not a socket")
        case ENAMETOOLONG:
            KeychainError(.param, "the socket's path '\(path)' is longer than 107 bytes")
        default: error.keychainError("can't listen at '\(path)'")
        }
    }
}
