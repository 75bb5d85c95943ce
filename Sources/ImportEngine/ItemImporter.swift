internal import GitCredential
package import ItemImport
package import Keychain
internal import LinuxSystem

/// Puts the entries of another program into a keychain, some hundred in one transaction: what was put
/// there stays if the program is interrupted, and is found there when it runs again. New items keep the
/// dates that their entries have.
package final class ItemImporter {
    /// How items are put into the keychain.
    package struct Options: Sendable {
        /// Whether they take the place of items that differ.
        package var replaces = false
        /// The access group of all of them, nil for each one's own.
        package var group: ByteString?
        /// Whether nothing is written.
        package var isDryRun = false

        /// Nothing is replaced, and each item goes into its own group.
        package init() {}
    }

    /// What became of an entry.
    package enum Fate: UInt8, Sendable {
        /// Nothing yet.
        case pending
        /// It is in the keychain.
        case isInKeychain
        /// It is not, and nobody would use it.
        case isShadowed
        /// It is not.
        case isLeft
    }

    /// What has come of it so far.
    package internal(set) var report = ImportReport()
    /// What became of each entry of the current file.
    package internal(set) var fates: [Fate] = []
    /// Whether an entry with another secret than an earlier one of the same place, of another file, is
    /// one that nobody would use.
    package var repeatsAreShadowed = false

    let keychain: Keychain
    let options: Options
    /// The items that were taken and not yet put into the keychain.
    var pending: [ImportedItem] = []
    /// Whether the keychain has turned out to be locked, of a dry run.
    var isLocked = false
    /// How many entries there were in the files before the current one.
    private(set) var before = 0
    private var file: String?
    private var pendingBytes = 0
    /// The identities so far, each with a digest of the secret.
    private var seen: [KnownIdentity: Int] = [:]
    private var hasLooked = false

    /// How many items are put into the keychain at once: the more, the fewer pages of its file are
    /// written again and again; but other processes wait meanwhile.
    private var batchSize = 256
    private static let batchSizes = 64...16_384
    /// How many milliseconds that takes at best.
    private static let batchTime: ClosedRange<Int64> = 200...1_000
    /// About how many bytes of secrets are put there at once.
    private static let batchBytes = 4 << 20

    /// An importer into a keychain.
    package init(into keychain: Keychain, _ options: Options) {
        self.keychain = keychain
        self.options = options
    }

    /// Begins with a file's entries, when all of the one before are done.
    ///
    /// - Parameter file: Its path, nil for what is no file.
    package func begin(_ file: String?) {
        precondition(pending.isEmpty, "the file before was finished")
        self.file = file
        before += fates.count
        fates = []
    }

    /// Takes an entry; it may be put into the keychain later, with others.
    ///
    /// - Throws: What keeps the rest from being imported, too, for example a keychain that can't be
    ///   written.
    package func take(_ record: consuming ImportRecord) throws(KeychainError) {
        let place = record.place
        fates.append(.pending)
        switch record.takeContent() {
        case .item(let itemClass, let attributes, let secret):
            try take(itemClass, attributes, secret, place)
        case .skipped(let reason):
            skip(self.place(place), nil, KeychainError(.param, reason), entry: fates.count - 1)
        case .shadowed:
            shadow(entry: fates.count - 1)
        }
    }

    /// Puts what was taken into the keychain.
    ///
    /// - Throws: As ``take(_:)``.
    package func finish() throws(KeychainError) {
        guard let first = pending.first else {
            return
        }
        let outcomes: [Outcome]
        if options.isDryRun {
            outcomes = try lookAll()
        } else {
            // A search list learns by it which of its keychains can be used.
            if !hasLooked {
                try keychain.forEachMatch(
                    Query(identityOf: first.item.attributes, first.item.itemClass)
                ) {
                    _ in .stop
                }
                hasLooked = true
            }
            let start = SystemCalls.monotonicMilliseconds()
            outcomes = try keychain.transaction { () throws(KeychainError) in try putAll() }
            adaptBatchSize(to: SystemCalls.monotonicMilliseconds() - start)
        }
        for (item, outcome) in zip(pending, outcomes) {
            note(outcome, of: item)
        }
        pending = []
        pendingBytes = 0
        report.left.sort { $0.number < $1.number }
    }

    /// Where an entry of the current file stands, for a person.
    func place(_ place: String) -> String {
        file.map { "\(place) of '\($0)'" } ?? place
    }

    private func adaptBatchSize(to milliseconds: Int64) {
        if milliseconds < ItemImporter.batchTime.lowerBound {
            batchSize = min(batchSize * 2, ItemImporter.batchSizes.upperBound)
        } else if milliseconds > ItemImporter.batchTime.upperBound {
            batchSize = max(batchSize / 2, ItemImporter.batchSizes.lowerBound)
        }
    }

    /// The attributes with which an item is put into the keychain.
    package func attributes(for attributes: ItemAttributes) -> ItemAttributes {
        let group = options.group ?? attributes.accessGroup ?? keychain.accessGroup
        guard group != attributes.accessGroup else {
            return attributes
        }
        var attributes = attributes
        attributes.accessGroup = group
        return attributes
    }

    /// The secret with which an item is put into the keychain: git's form is for its own group alone.
    ///
    /// - Parameter attributes: The item's attributes as they came.
    package func secret(
        for secret: consuming Secret, of attributes: ItemAttributes
    ) -> Secret {
        guard let group = options.group, group != ItemImporter.git,
            attributes.accessGroup == ItemImporter.git
        else {
            return secret
        }
        return passwordOrCredential(ofStored: secret)
    }

    private static let git: ByteString = "git"

    private func take(
        _ itemClass: ItemClass, _ given: ItemAttributes, _ givenSecret: consuming Secret,
        _ place: String
    ) throws(KeychainError) {
        let entry = fates.count - 1
        let attributes = attributes(for: given)
        let secret = secret(for: givenSecret, of: given)
        guard
            attributes.accessGroup != ItemImporter.git || given.accessGroup == ItemImporter.git
                || !secret.hasSeveralLines
        else {
            let error = KeychainError(.param, "a password of git is one line")
            return skip(self.place(place), attributes, error, entry: entry)
        }
        let digest = secret.digest
        let size = secret.count
        let item = NewItem(itemClass, attributes, secret: secret)
        let identity = KnownIdentity(item.identity)
        let earlier = seen.updateValue(digest, forKey: identity)
        if let earlier {
            seen[identity] = earlier
        }
        pendingBytes += size
        pending.append(
            ImportedItem(
                item: item, place: place, entry: entry,
                isRepeated: earlier != nil, isRepeatedWhole: earlier == digest))
        if pending.count >= batchSize || pendingBytes >= ItemImporter.batchBytes {
            try finish()
        }
    }
}
