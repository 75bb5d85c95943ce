/// The lines in a drop-in of containers' registries.conf that name lanyard as the helper for all
/// registries.
///
/// It names no other helper. With `containers-auth.json` as a second one, the tools would still find older
/// plain-text logins. But if a locked lanyard could not store a new login, they would silently write it
/// there (seen with skopeo 1.9.3 and podman 4.3.1).
enum RegistriesDropIn {
    static let lines = [
        "# podman, skopeo and buildah keep their logins in lanyard: `lanyard setup docker`",
        "credential-helpers = [\"lanyard\"]",
    ]

    /// Whether a drop-in's text names lanyard.
    static func isSetUp(_ bytes: [UInt8]) -> Bool {
        settings(bytes).contains { $0.filter { !$0.isWhitespace } == compact }
    }

    /// Whether a text sets any helpers.
    static func isSet(_ bytes: [UInt8]) -> Bool { !settings(bytes).isEmpty }

    /// Returns the helpers that a text names on the line that sets them.
    static func helpers(_ bytes: [UInt8]) -> [String] {
        settings(bytes).flatMap { line in
            line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
                .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
        }
    }

    /// Returns a text with the lines before it: after a table, the key would belong to that table.
    static func added(to bytes: [UInt8]) -> [UInt8] {
        lines.flatMap { Array("\($0)\n".utf8) } + bytes
    }

    /// Returns a text without the lines.
    static func removed(from bytes: [UInt8]) -> [UInt8] {
        let ours = Set(lines.map { Array($0.utf8) })
        var rest: [UInt8] = []
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
            if !ours.contains(Array(bytes[start..<end].trimmingSuffix(\.isBlank))) {
                rest += bytes[start..<end]
            }
            start = end
        }
        return rest
    }

    private static let compact = "credential-helpers=[\"lanyard\"]"

    private static func settings(_ bytes: [UInt8]) -> [String] {
        bytes.split(separator: 0x0A)
            .map { String(decoding: $0.drop(while: \.isBlank), as: UTF8.self) }
            .filter { $0.hasPrefix("credential-helpers") }
    }
}
