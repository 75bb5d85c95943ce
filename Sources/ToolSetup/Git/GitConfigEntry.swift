/// A variable of git's configuration, as `git config --list --null` prints it.
package struct GitConfigEntry: Hashable, Sendable {
    /// The kind of file it is from, `system` or `global`; empty where git was not asked.
    package let scope: String
    /// The file it is from; empty where git was not asked.
    package let origin: String
    /// The key: section and name in small letters, what is between them as written.
    package let key: [UInt8]
    /// The value, nil for a name without `=`.
    package let value: [UInt8]?

    /// The entries of a list.
    ///
    /// - Parameter withOrigins: Whether git was asked for scopes and origins too.
    package static func parse(_ list: [UInt8], withOrigins: Bool) -> [GitConfigEntry] {
        var fields = list.split(separator: 0, omittingEmptySubsequences: false)[...]
        // After the last field there is a NUL too.
        fields.removeLast()
        var entries: [GitConfigEntry] = []
        while !fields.isEmpty {
            var scope = ""
            var origin = ""
            if withOrigins {
                scope = String(decoding: fields.popFirst() ?? [], as: UTF8.self)
                origin = String(decoding: fields.popFirst() ?? [], as: UTF8.self)
            }
            let parts = (fields.popFirst() ?? []).split(
                separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
            entries.append(
                GitConfigEntry(
                    scope: scope, origin: origin.withoutPrefix("file:"), key: Array(parts[0]),
                    value: parts.count == 2 ? Array(parts[1]) : nil))
        }
        return entries
    }

    /// Whether both set the same to the same, wherever they are from.
    func equals(_ other: GitConfigEntry) -> Bool {
        key == other.key && value == other.value
    }
}

extension String {
    /// The string without a prefix, if it has it.
    func withoutPrefix(_ prefix: String) -> String {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self
    }
}
