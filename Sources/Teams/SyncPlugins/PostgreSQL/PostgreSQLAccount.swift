internal import LanyardSecrets

/// The name of an account of the server. It has no character that ends a quoted name in SQL.
struct PostgreSQLAccount: Sendable {
    let name: String

    /// Checks a name.
    ///
    /// - Throws: ``Status/param``.
    init(_ name: String) throws(KeychainError) {
        let isValid = name.utf8.allSatisfy { $0.isLetterOrDigit || "_-.@".utf8.contains($0) }
        guard isValid, (1...63).contains(name.utf8.count) else {
            throw KeychainError(
                .param, "'\(name)' can't be the name of a PostgreSQL account here",
                hint: "use letters, digits and _ - . @")
        }
        self.name = name
    }
}
