internal import KeychainServices

/// The lines in a drop-in of containers' registries.conf that name lanyard as the helper for all
/// registries.
///
/// It names no other helper. With `containers-auth.json` as a second one, the tools would still find older
/// plain-text logins. But if a locked lanyard could not store a new login, they would silently write it
/// there (seen with skopeo 1.9.3 and podman 4.3.1).
enum RegistriesDropIn {
    static let lines = [
        "# podman, skopeo and buildah store logins in lanyard (setup docker)",
        "credential-helpers = [\"lanyard\"]",
    ]

    /// Whether a drop-in's text names lanyard.
    static func isSetUp(_ bytes: FileBytes) -> Bool {
        settings(bytes).contains { $0.filter { !$0.isWhitespace } == compact }
    }

    /// Whether a text sets any helpers.
    static func isSet(_ bytes: FileBytes) -> Bool { !settings(bytes).isEmpty }

    /// Returns the helpers that a text names on the line that sets them.
    static func helpers(_ bytes: FileBytes) -> [String] {
        settings(bytes).flatMap { line in
            line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
                .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
        }
    }

    /// Returns a text with the lines before it: after a table, the key would belong to that table.
    static func added(to bytes: FileBytes) -> FileBytes {
        FileBytes(joining: lines.map { FileBytes("\($0)\n") } + [bytes])
    }

    /// Returns a text without the lines.
    static func removed(from bytes: FileBytes) -> FileBytes {
        let ours = lines.map { FileBytes($0) }
        return FileBytes(
            joining: bytes.wholeLines.filter { !ours.contains($0.trimmingSuffix(\.isWhitespace)) })
    }

    private static let compact = "credential-helpers=[\"lanyard\"]"

    private static func settings(_ bytes: FileBytes) -> [String] {
        bytes.split(separator: 0x0A)
            .map { String(decoding: $0.drop(while: \.isWhitespace), as: UTF8.self) }
            .filter { $0.hasPrefix("credential-helpers") }
    }
}
