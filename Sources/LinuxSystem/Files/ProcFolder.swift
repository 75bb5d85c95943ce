package import Secrets

/// /proc, by which a file is opened in a folder that is held open.
package enum ProcFolder {
    /// Whether it is there: not in every chroot and container.
    package static var isThere: Bool { SystemCalls.realPath("/proc/self/fd") != nil }

    /// What to say where it is not.
    package static let missing = KeychainError(
        .io, "/proc is not mounted, and lanyard needs it",
        hint: "mount -t proc proc /proc")
}
