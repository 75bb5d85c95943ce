internal import GitCredential
package import ItemImport
package import Keychain
internal import LinuxSystem

/// Puts the entries of another program into a keychain, many in one transaction: what was put there
/// stays if the program is interrupted, and is found there when it runs again. New items keep the dates
/// that their entries have.
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

    /// Is called for each item that is about to be put into the keychain; for some twice.
    package var willPut: () -> Void = {}

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

    /// When the first of the items was taken that are not yet put there, in milliseconds.
    private var start: Int64 = 0
    /// Whether nothing was put there yet.
    private var isFirstBatch = true
    /// How many items are put into the keychain at once: the more, the fewer pages of its file are
    /// written again and again; but other processes wait meanwhile.
    private var batchSize = 256
    private static let batchSizes = 64...16_384
    /// How many milliseconds that takes at best.
    private static let batchTime: Int64 = 500
    /// An empty keychain is filled in the least time by one large change. So at first those are put there
    /// together that were taken in this many milliseconds, and so many at most.
    private static let firstBatchTime: Int64 = 1_000
    private static let firstBatchSize = 131_072
    /// About how many bytes of texts and secrets are put there at once.
    private static let batchBytes = 24 << 20

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
        guard !pending.isEmpty else {
            return
        }
        isFirstBatch = false
        var done = 0
        defer {
            pending.removeFirst(done)
            pendingBytes = 0
            report.left.sort { $0.number < $1.number }
        }
        let items = options.isDryRun ? [] : pending.map(\.item)
        while done < pending.count {
            let outcomes =
                options.isDryRun
                ? try look(pending) : try putBatch(pending[done...], items[done...])
            for outcome in outcomes {
                note(outcome, of: pending[done])
                done += 1
            }
        }
    }

    /// - Parameter items: Those that were imported.
    /// - Returns: What became of the first of them, of one at least.
    private func putBatch(
        _ imported: ArraySlice<ImportedItem>, _ items: ArraySlice<NewItem>
    ) throws(KeychainError) -> [Outcome] {
        let first = items[items.startIndex]
        // A search list learns by it which of its keychains can be used.
        if !hasLooked {
            try keychain.forEachMatch(Query(identityOf: first.attributes, first.itemClass)) {
                _ in .stop
            }
            hasLooked = true
        }
        let before = SystemCalls.monotonicMilliseconds()
        let outcomes = try keychain.transaction { () throws(KeychainError) in
            let isAtOnce = try keychain.isKnownEmpty()
            return try put(
                isAtOnce ? imported : imported.prefix(batchSize), items, oneByOne: batchSize)
        }
        let time = max(SystemCalls.monotonicMilliseconds() - before, 1)
        let fitting = Int64(outcomes.count) * ItemImporter.batchTime / time
        batchSize = min(
            max(min(Int(fitting), outcomes.count * 2), ItemImporter.batchSizes.lowerBound),
            ItemImporter.batchSizes.upperBound)
        return outcomes
    }

    /// Whether it is time to put what was taken into the keychain.
    private var isBatchWhole: Bool {
        guard pendingBytes < ItemImporter.batchBytes else {
            return true
        }
        guard isFirstBatch else {
            return pending.count >= batchSize
        }
        return pending.count >= ItemImporter.firstBatchSize
            || SystemCalls.monotonicMilliseconds() - start >= ItemImporter.firstBatchTime
    }

    /// Where an entry of the current file stands, for a person.
    func place(_ place: String) -> String {
        file.map { "\(place) of '\($0)'" } ?? place
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
        let size = secret.count + attributes.textSizes.total
        let item = NewItem(itemClass, attributes, secret: secret)
        let identity = KnownIdentity(item.identity)
        let earlier = seen.updateValue(digest, forKey: identity)
        if let earlier {
            seen[identity] = earlier
        }
        if pending.isEmpty {
            start = SystemCalls.monotonicMilliseconds()
        }
        pendingBytes += size
        pending.append(
            ImportedItem(
                item: item, place: place, entry: entry,
                isRepeated: earlier != nil, isRepeatedWhole: earlier == digest))
        if isBatchWhole {
            try finish()
        }
    }
}
