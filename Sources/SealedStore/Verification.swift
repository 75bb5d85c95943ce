public import KeychainServices

/// What the check of a whole keychain found.
public struct Verification: Sendable {
    /// How the rows compare with the authenticated sum over all of them.
    public enum RowSetState: Hashable, Sendable {
        /// They are those that were written.
        case complete
        /// So many at least are missing.
        case missing(Int)
        /// So many at least are there that were removed, or written by something else.
        case surplus(Int)
        /// There are as many as there should be, but not those: they were exchanged, or put back from
        /// an older copy of the file.
        case exchanged
        /// There are as many as there should be; as some are damaged, no more can be told.
        case unknown
    }

    /// A row that can't be used.
    public struct DamagedItem: Sendable {
        /// What is wrong with a row, with its name in files and JSON.
        public enum Damage: String, Sendable {
            /// It holds values that no row can have, or can't be read.
            case row
            /// It is larger than any row can be.
            case tooLarge = "too-large"
            /// The attributes do not authenticate.
            case attributes
            /// The attributes do, the secret does not.
            case secret
            /// It is sound, but was put back from an older copy of the file: the one row that is too
            /// much.
            case putBack = "put-back"
        }

        /// The row's number in the file, lanyard-keychain(5)'s `change`.
        public let row: Int64
        /// What is wrong with it.
        public let damage: Damage
        /// The item's class, nil unless its attributes authenticate.
        public let itemClass: ItemClass?
        /// The item's attributes, nil unless they authenticate.
        public let attributes: ItemAttributes?
    }

    /// How many rows there are, those that are damaged among them.
    public internal(set) var items = 0
    /// The rows that can't be used, in the order of their numbers.
    public internal(set) var damaged: [DamagedItem] = []
    /// How the rows compare with the sum over all of them.
    public internal(set) var rowSet = RowSetState.complete
    /// Whether the file's pages or indexes don't fit together.
    public internal(set) var isStructureDamaged = false
    /// How many secrets could not be checked, as the keychain is locked.
    public internal(set) var lockedSecrets = 0
    /// How many secrets could not be checked, as they stay on another machine.
    public internal(set) var foreignSecrets = 0

    /// Whether nothing was found, as far as it could be checked.
    public var isSound: Bool {
        damaged.isEmpty && rowSet == .complete && !isStructureDamaged
    }
}
