internal import CLinux
internal import Glibc

/// The user and the groups that a process acts as.
package struct UserIdentity: Equatable, Sendable {
    /// The user's number.
    package let user: UInt32
    /// The number of the user's own group.
    package let group: UInt32
    /// The numbers of all groups of the user, with the user's own.
    package let groups: [UInt32]
}

extension SystemCalls {
    /// Makes a user the real, effective and saved one, which can't be undone. A process that is this
    /// user already, and no more, needs no rights for it. The corresponding C functions are
    /// `setgroups`, `setresgid` and `setresuid`.
    ///
    /// - Throws: EPERM without the rights for it, or if the user would have others left.
    package static func become(_ identity: UserIdentity) throws(SystemCallError) {
        if lanyard_is_secure_execution() == 0, isOnly(identity) {
            return
        }
        // A capability of the file alone gives no right to act as another user.
        guard effectiveUser == 0 else {
            throw SystemCallError(call: "setresuid", code: EPERM)
        }
        _ = try perform("setgroups") {
            // Safe: the array's own bytes and count, alive for the call.
            unsafe identity.groups.withUnsafeBufferPointer {
                unsafe lanyard_set_groups($0.baseAddress, UInt($0.count))
            }
        }
        _ = try perform("setresgid") { lanyard_set_group(identity.group) }
        _ = try perform("setresuid") { lanyard_set_user(identity.user) }
        guard isOnly(identity), identity.user == 0 || seteuid(0) == -1 else {
            throw SystemCallError(call: "setresuid", code: EPERM)
        }
    }

    private static func isOnly(_ identity: UserIdentity) -> Bool {
        lanyard_is_user(identity.user, identity.group) != 0
    }

    /// The user for whom sudo made this process root's, nil without sudo.
    static var sudoUser: UInt32? {
        // Safe: the text ends with NUL, and no thread changes the environment.
        guard effectiveUser == 0, let text = unsafe getenv("SUDO_UID"),
            let user = unsafe UInt32(String(cString: text)), user != 0
        else {
            return nil
        }
        return user
    }

    /// Whether a path is LANYARD_HOME, or below it.
    static func isInLanyardHome(_ path: String) -> Bool {
        // Safe: the text ends with NUL, and no thread changes the environment.
        guard let text = unsafe getenv("LANYARD_HOME") else {
            return false
        }
        let home = unsafe String(cString: text)
        return path == home || path.utf8.starts(with: "\(home)/".utf8)
    }

    /// Ends the process after some seconds, whatever it does then and whatever it inherited. A later call counts
    /// instead of an earlier one. The corresponding C function is `alarm`.
    ///
    /// - Parameter isFailure: Whether it ends with status 1, and not with 0.
    package static func endSilently(afterSeconds seconds: UInt32, isFailure: Bool = false) {
        if isFailure {
            signal(SIGALRM) { _ in _exit(1) }
        } else {
            signal(SIGALRM) { _ in _exit(0) }
        }
        var alarms = sigset_t()
        // Safe: the variable lives for the calls.
        unsafe sigemptyset(&alarms)
        unsafe sigaddset(&alarms, SIGALRM)
        unsafe sigprocmask(SIG_UNBLOCK, &alarms, nil)
        _ = alarm(seconds)
    }

    /// Returns the machine's name. The corresponding C function is `gethostname`.
    package static func hostName() throws(SystemCallError) -> String {
        var name = [CChar](repeating: 0, count: 256)
        // Safe: the last of the array's bytes stays 0.
        _ = try perform("gethostname") { unsafe gethostname(&name, 255) }
        return String(
            decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
