package import ItemImport
package import KeychainServices

/// Where entries come from that are not in a file: another program, or another keychain.
package protocol ImportSource {
    /// How many there are, for a person who waits.
    var count: Int { get }

    /// Hands each entry to a closure, in an order of the source's own.
    ///
    /// - Throws: What keeps the rest from being read, too, and what the closure throws.
    func forEach(
        _ body: (ImportRecord) throws(KeychainError) -> Void
    ) throws(KeychainError)
}
