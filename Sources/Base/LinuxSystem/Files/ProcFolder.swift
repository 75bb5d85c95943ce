package import LanyardSecrets

/// /proc, through which a file in a folder held open is opened.
package enum ProcFolder {
    /// Whether it exists: some chroots and containers lack it.
    package static var isThere: Bool { SystemCalls.realPath("/proc/self/fd") != nil }

    /// The error if it is missing.
    package static let missing = KeychainError(
        .io, "/proc is not mounted, and lanyard needs it",
        hint: "mount -t proc proc /proc")
}
