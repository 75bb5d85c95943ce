internal import LanyardCryptography
internal import LanyardSecrets

/// A generation of a team's key, and the keys derived from it.
final class TeamKey: Sendable {
    /// The generation, from 1.
    let generation: UInt32
    /// The key itself.
    let key: Secret
    /// The key of records.
    let recordKey: Secret
    /// The key of items' contents.
    let contentKey: Secret

    /// - Throws: ``Status/decode`` if it is not the key that the renewal announced.
    init(_ key: consuming Secret, _ renewal: TeamKeyRenewal) throws(KeychainError) {
        guard renewal.isKey(key) else {
            throw KeychainError(.decode, "the team's key is not the one that its roster announced")
        }
        generation = renewal.generation
        recordKey = KeyDerivation.derive(key, label: "lanyard team record")
        contentKey = KeyDerivation.derive(key, label: "lanyard team content")
        self.key = key
    }
}

extension [TeamKey] {
    /// Returns what a function makes of a key of a generation: there may be others of entries of the roster that don't count.
    ///
    /// - Throws: ``Status/decode`` if there is none; what the function throws for the last one.
    func trying<Result: ~Copyable>(
        _ generation: UInt32, _ body: (TeamKey) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        var failure = KeychainError(.decode)
        for key in self where key.generation == generation {
            do throws(KeychainError) {
                return try body(key)
            } catch {
                failure = error
            }
        }
        throw failure
    }
}
