package import ItemImport
package import KeychainServices
internal import LinuxSystem
internal import Tools

/// Puts the entries of another program into a keychain, many in one transaction: what was put there
/// stays if the program is interrupted, and is found there when it runs again. New items keep the dates
/// that their entries have.
package final class ItemImporter {
    /// Which items that are there and differ are replaced.
    package enum Replacing: Sendable {
        case none
        /// Those that were not changed after the ones that come; the others count as the same.
        case older
        case all

        func includes(_ there: ItemAttributes, replacedBy item: ItemAttributes) -> Bool {
            switch self {
            case .none: return false
            case .all: return true
            case .older:
                guard let changed = item.modificationDate else {
                    return false
                }
                return there.modificationDate.map { $0 <= changed } ?? true
            }
        }
    }

    /// How items are put into the keychain.
    package struct Options: Sendable {
        /// Which items that differ they take the place of.
        package var replaces = Replacing.none
        /// The access group of all of them, nil for each one's own.
        package var group: ByteString?
        /// Whether nothing is written.
        package var isDryRun = false
        /// What an item that is there has to have in common with the one that comes to be the same.
        package var rule = ComparedItem.Rule.login

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
    /// Which account of a host answers after the import; nil where it does not matter.
    package var answering: AnsweringOrder.Rule? {
        didSet { order = answering.map(AnsweringOrder.init) }
    }

    /// Is called for each entry that was taken.
    package var didTake: () -> Void = {}
    /// Is called for each item that is about to be put into the keychain.
    package var willPut: () -> Void = {}

    let keychain: Keychain
    let options: Options
    /// The time in milliseconds since any moment.
    let clock: () -> Int64
    /// The items that were taken and not yet put into the keychain.
    var pending: [ImportedItem] = []
    /// How many bytes their texts and secrets have.
    var pendingBytes = 0
    /// Whether the keychain has turned out to be locked, of a dry run.
    var isLocked = false
    /// How many entries there were in the files before the current one.
    private(set) var before = 0
    private var file: String?
    /// The items so far.
    var seen = SeenItems()
    /// Which of them answer first, where that matters.
    var order: AnsweringOrder?
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
    private static let batchTime: Int64 = 1_000
    /// How many milliseconds the first ones wait at most for others.
    private static let firstBatchTime: Int64 = 1_000
    /// About how many bytes of texts and secrets are put there at once.
    static let batchBytes = 24 << 20

    /// An importer into a keychain.
    ///
    /// - Parameter clock: The time in milliseconds since any moment, by which it is decided how many
    ///   items go into one transaction.
    package init(
        into keychain: Keychain, _ options: Options,
        clock: @escaping () -> Int64 = SystemCalls.monotonicMilliseconds
    ) {
        self.keychain = keychain
        self.options = options
        self.clock = clock
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
    package func take(_ record: ImportRecord) throws(KeychainError) {
        append(record)
        if isBatchWhole {
            try finish()
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
        while done < pending.count {
            let outcomes =
                options.isDryRun ? try look(pending) : try putBatch(pending[done...])
            for outcome in outcomes {
                note(outcome, of: pending[done])
                done += 1
            }
        }
    }

    /// - Parameter imported: Those that were not put into the keychain.
    /// - Returns: What became of the first of them, of one at least.
    private func putBatch(
        _ imported: ArraySlice<ImportedItem>
    ) throws(KeychainError) -> [Outcome] {
        try lookOnce(for: imported[imported.startIndex].item)
        let start = clock()
        let outcomes = try keychain.transaction { () throws(KeychainError) in
            let batch = imported.prefix(batchSize)
            try order?.look(for: batch.lazy.map(\.item), in: keychain)
            let outcomes = try put(batch)
            let written = zip(batch, outcomes).filter(\.1.isWritten).map(\.0.item)
            try order?.restore(hostsOf: written, in: keychain)
            return outcomes
        }
        fitBatchSize(to: outcomes.count, since: start)
        return outcomes
    }

    /// Fits the size of a batch to how long one of so many items took.
    func fitBatchSize(to count: Int, since start: Int64) {
        let time = max(clock() - start, 1)
        let fitting = Int64(count) * ItemImporter.batchTime / time
        batchSize = min(
            max(min(Int(fitting), count * 2), ItemImporter.batchSizes.lowerBound),
            ItemImporter.batchSizes.upperBound)
    }

    /// Looks for an item once: a search list learns by it which of its keychains can be used.
    func lookOnce(for item: NewItem) throws(KeychainError) {
        guard !hasLooked else {
            return
        }
        try keychain.forEachMatch(Query(identityOf: item.attributes, item.itemClass)) { _ in .stop }
        hasLooked = true
    }

    /// Whether it is time to put what was taken into the keychain.
    private var isBatchWhole: Bool {
        guard pendingBytes < ItemImporter.batchBytes else {
            return true
        }
        return pending.count >= batchSize
            || isFirstBatch && clock() - start >= ItemImporter.firstBatchTime
    }

    /// The hosts with several accounts, after all files are done.
    ///
    /// - Throws: What the keychain throws.
    package func sharedHosts() throws(KeychainError) -> [SharedHost] {
        try order?.sharedHosts(in: options.isDryRun ? nil : keychain) ?? []
    }

    /// Where an entry of the current file stands, for a person.
    func place(_ position: ImportRecord.Position) -> String {
        file.map { "\(position) of '\($0)'" } ?? position.description
    }

    /// An item as it is put into the keychain: in the group that the options say, and a tool's form of a
    /// secret is for the tool's own group alone.
    ///
    /// - Parameter item: The item as it came.
    package func item(for item: NewItem) -> NewItem {
        let given = item.attributes.accessGroup
        let group = options.group ?? given ?? keychain.accessGroup
        guard group != given else {
            return item
        }
        var attributes = item.attributes
        attributes.accessGroup = group
        return NewItem(item.itemClass, attributes, secret: password(of: item.secret, in: given))
    }

    /// Appends what an entry is to those that are pending, or counts it as nothing.
    func append(_ record: ImportRecord) {
        fates.append(.pending)
        switch record.content {
        case .item(let item):
            append(item, record.position)
        case .skipped(let reason):
            skip(place(record.position), nil, KeychainError(.param, reason), entry: fates.count - 1)
        case .shadowed:
            shadow(entry: fates.count - 1)
        case .without(let loss):
            fates[fates.count - 1] = .isLeft
            report.add(loss, at: record.place, of: file)
        }
        didTake()
    }

    private func append(_ given: NewItem, _ position: ImportRecord.Position) {
        let entry = fates.count - 1
        let item = item(for: given)
        if item !== given {
            do throws(KeychainError) {
                try ToolFormat(group: item.attributes.accessGroup)?.check(item.secret)
            } catch {
                return skip(place(position), item.attributes, error, entry: entry)
            }
        }
        if pending.isEmpty {
            start = clock()
        }
        pendingBytes += item.size
        order?.append(item)
        pending.append(
            ImportedItem(item: item, position: position, entry: entry, number: seen.append(item)))
    }
}
