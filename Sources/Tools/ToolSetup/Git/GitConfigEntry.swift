package import KeychainServices

/// A variable of git's configuration, in the form of `git config --list --null`.
package struct GitConfigEntry: Sendable {
    /// The scope of its file, `system` or `global`; empty if git was not asked.
    package let scope: String
    /// Its file; empty if git was not asked.
    package let origin: String
    /// The key: section and name in lower case, the part between them unchanged.
    package let key: FileBytes
    /// The value, nil for a name without `=`.
    package let value: FileBytes?

    /// Parses a list into entries.
    ///
    /// - Parameter withOrigins: Whether it contains scopes and origins.
    package static func parse(_ list: FileBytes, withOrigins: Bool) -> [GitConfigEntry] {
        var fields = list.split(separator: 0, omittingEmptySubsequences: false)[...]
        // The last field ends with a NUL, too.
        fields.removeLast()
        var entries: [GitConfigEntry] = []
        while !fields.isEmpty {
            var scope = ""
            var origin = ""
            if withOrigins {
                scope = String(decoding: fields.popFirst() ?? "", as: UTF8.self)
                origin = String(decoding: fields.popFirst() ?? "", as: UTF8.self)
            }
            let parts = (fields.popFirst() ?? "").split(
                separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
            entries.append(
                GitConfigEntry(
                    scope: scope, origin: origin.withoutPrefix("file:"), key: parts[0],
                    value: parts.count == 2 ? parts[1] : nil))
        }
        return entries
    }

    /// Whether both set the same variable to the same value, wherever they are.
    func equals(_ other: GitConfigEntry) -> Bool {
        key == other.key && value == other.value
    }
}

extension String {
    /// Returns the string without a prefix, if it has it.
    func withoutPrefix(_ prefix: String) -> String {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self
    }
}
