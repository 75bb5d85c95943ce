package import LanyardSecrets

/// What a scan looked at, and what it left out.
package struct ScanCounts: Sendable {
    /// How many files it searched.
    package var files = 0
    /// How many bytes these have.
    package var bytes = 0
    /// The files that are larger than the limit.
    package var tooLarge: [ByteString] = []
    /// The files and folders that can't be read.
    package var unreadable: [ByteString] = []
    /// The file systems of other machines and programs below the folders.
    package var otherFileSystems: [ByteString] = []
    /// The files with more findings than are reported.
    package var cutShort: [ByteString] = []
    /// Whether the scan was stopped before its end.
    package var isStopped = false

    /// Starts with nothing.
    package init() {}
}
