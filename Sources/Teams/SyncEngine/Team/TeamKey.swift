internal import LanyardCryptography
internal import LanyardSecrets

/// A generation of a team's key, and the keys derived from it.
final class TeamKey: Sendable {
    /// Who else has a key.
    enum Reach {
        /// All devices, and those that join get it with the newest one.
        case all
        /// Only devices that got it when it was made, or soon after: an owner made a later one that hides it.
        case some
        /// Only devices that know an entry of the roster which does not count.
        case lost
    }

    /// The generation, from 1.
    let generation: UInt32
    /// The key itself.
    let key: Secret
    /// The key of records.
    let recordKey: Secret
    /// The key of items' contents.
    let contentKey: Secret
    /// Who else has it.
    let reach: Reach

    /// - Throws: ``Status/decode`` if it is not the key that the renewal announced.
    init(
        _ key: consuming Secret, _ renewal: TeamKeyRenewal, _ reach: Reach
    ) throws(KeychainError) {
        guard renewal.isKey(key) else {
            throw KeychainError(.decode, "the team's key is not the one that its roster announced")
        }
        generation = renewal.generation
        recordKey = KeyDerivation.derive(key, label: "lanyard team record")
        contentKey = KeyDerivation.derive(key, label: "lanyard team content")
        self.key = key
        self.reach = reach
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
