internal import Glibc
internal import KeychainServices
internal import LinuxSystem

/// A program of Lanyard's that is there, but whose permissions forbid to run it.
package struct UnrunnableProgram: Sendable {
    /// Its path, links resolved.
    package let path: String

    /// Looks at a path; nil if nothing is there, or it can be run.
    package init?(at path: String) {
        guard !SystemCalls.isExecutable(path), let real = SystemCalls.realPath(path),
            ((try? SystemCalls.lstat(real))?.st_mode ?? 0) & S_IFMT == S_IFREG
        else {
            return nil
        }
        self.path = real
    }

    /// Looks on the PATH and next to the running program; nil if there is none, or one that can be run.
    package init?(_ name: String, _ environment: SetupEnvironment) {
        let folders = (environment.value("PATH") ?? "").split(separator: ":").map { String($0) }
        let places = folders + [environment.programFolder].compactMap(\.self)
        guard !environment.finds(name),
            let found = places.lazy.compactMap({ UnrunnableProgram(at: "\($0)/\(name)") }).first
        else {
            return nil
        }
        self = found
    }

    /// What is wrong, for users.
    package var reason: String { "'\(path)' can't be run, as its permissions say" }

    /// The command that corrects the permissions: another user's take root.
    package var command: String {
        "\(takesRoot ? "sudo " : "")chmod 755 \(path.shellQuoted)"
    }

    /// Whether only root can correct the permissions.
    package var takesRoot: Bool {
        let owner = try? SystemCalls.lstat(path).st_uid
        return SystemCalls.effectiveUser != 0 && owner != SystemCalls.effectiveUser
    }

    /// The error for a helper that a setup or a test needs.
    var error: KeychainError { KeychainError(.notAvailable, reason, hint: command) }
}
