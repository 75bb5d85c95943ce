public import KeychainServices

/// The findings of a check of a whole keychain.
public struct Verification: Sendable {
    /// How the rows compare with the authenticated sum over all of them.
    public enum RowSetState: Hashable, Sendable {
        /// The rows are exactly those that were stored.
        case complete
        /// At least this many rows are missing.
        case missing(Int)
        /// At least this many rows had been deleted, or were written by another program.
        case surplus(Int)
        /// The number of rows is right, but some were exchanged, or restored from an older copy of
        /// the file.
        case exchanged
        /// The number of rows is right; some are damaged, which hides whether others were
        /// exchanged.
        case unknown
    }

    /// An unusable row.
    public struct DamagedItem: Sendable {
        /// The damage to a row; the raw value is its name in files and JSON.
        public enum Damage: String, Sendable {
            /// It contains values that no row can have, or can't be read.
            case row
            /// It is larger than any valid row.
            case tooLarge = "too-large"
            /// The attributes do not authenticate.
            case attributes
            /// The attributes authenticate, but the secret does not.
            case secret
            /// It is sound, but was restored from an older copy of the file: the one row too many.
            case putBack = "put-back"
        }

        /// The row's number in the file, lanyard-keychain(5)'s `change`.
        public let row: Int64
        /// The damage to it.
        public let damage: Damage
        /// The item's class, nil unless its attributes authenticate.
        public let itemClass: ItemClass?
        /// The item's attributes, nil unless they authenticate.
        public let attributes: ItemAttributes?
    }

    /// The number of rows, including damaged ones.
    public internal(set) var items = 0
    /// The unusable rows, ordered by number.
    public internal(set) var damaged: [DamagedItem] = []
    /// How the rows compare with the sum over all of them.
    public internal(set) var rowSet = RowSetState.complete
    /// Whether the file's pages or indexes don't fit together.
    public internal(set) var isStructureDamaged = false
    /// The number of secrets that could not be checked because the keychain is locked.
    public internal(set) var lockedSecrets = 0
    /// The number of secrets that could not be checked because they are bound to another machine.
    public internal(set) var foreignSecrets = 0

    /// Whether the check found nothing wrong, as far as it reached.
    public var isSound: Bool {
        damaged.isEmpty && rowSet == .complete && !isStructureDamaged
    }
}
