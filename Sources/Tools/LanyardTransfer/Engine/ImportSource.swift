package import KeychainServices

/// A source of entries other than a file: another program, or another keychain.
package protocol ImportSource {
    /// The number of entries, to show progress.
    var count: Int { get }

    /// Passes each entry to a closure, in the source's own order.
    ///
    /// - Throws: Errors that prevent reading the rest, too, and what the closure throws.
    func forEach(_ body: ImportRecord.Body) throws(KeychainError)
}
