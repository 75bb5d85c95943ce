package import KeychainServices
internal import LinuxSystem
internal import OneTimeCodes
internal import ToolHelpers

/// Imports the entries of another program into a keychain, many in one transaction. After an interruption,
/// stored items remain, and the next run finds them. New items keep the dates of their entries.
package final class ItemImporter {
    /// Which differing items to replace.
    package enum Replacing: Sendable {
        case none
        /// Those that have not changed since the new ones; the others count as the same.
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

    /// How to store items in the keychain.
    package struct Options: Sendable {
        /// Which differing items to replace.
        package var replaces = Replacing.none
        /// The access group for all of them, nil for each one's own.
        package var group: ByteString?
        /// Whether to write nothing.
        package var isDryRun = false
        /// The rule by which an existing item equals the new one.
        package var rule = ComparedItem.Rule.login
        /// Whether an item that the keychain refuses ends the import, and nothing of its batch is stored.
        package var isAllOrNothing = false

        /// Replaces nothing, and stores each item in its own group.
        package init() {}
    }

    /// The outcome of an entry.
    package enum Fate: UInt8, Sendable {
        /// Undecided.
        case pending
        /// It is in the keychain.
        case isInKeychain
        /// No program would use it, and its secret is that of another entry.
        case isShadowed
        /// It is not in the keychain.
        case isLeft
    }

    /// The results so far.
    package internal(set) var report = ImportReport()
    /// The outcome of each entry in the current file.
    package internal(set) var fates: [Fate] = []
    /// Whether an entry is shadowed by one for the same place in an earlier file, although their secrets
    /// differ.
    package var repeatsAreShadowed = false
    /// Which account of a host answers after the import; nil if it does not matter.
    package var answering: AnsweringOrder.Rule? {
        didSet { order = answering.map(AnsweringOrder.init) }
    }

    /// Called for each accepted entry.
    package var didTake: () -> Void = {}
    /// Called before each item is stored in the keychain.
    package var willPut: () -> Void = {}

    let keychain: Keychain
    let options: Options
    /// The time in milliseconds since any fixed moment.
    let clock: () -> Int64
    /// The accepted items that are not stored yet.
    var pending: [ImportedItem] = []
    /// The size of their texts and secrets in bytes.
    var pendingBytes = 0
    /// Whether the keychain turned out to be locked in a dry run.
    var isLocked = false
    /// The number of entries in earlier files.
    private(set) var before = 0
    private(set) var file: String?
    /// The items so far.
    var seen = SeenItems()
    /// Tracks which of them answer first, if that matters.
    var order: AnsweringOrder?
    private var hasLooked = false

    /// When the first pending item was accepted, in milliseconds.
    private var start: Int64 = 0
    /// Whether nothing has been stored yet.
    private var isFirstBatch = true
    /// How many items one transaction stores. Larger batches rewrite fewer pages of the keychain's file,
    /// but make other processes wait.
    private var batchSize = 256
    private static let batchSizes = 64...16_384
    /// The ideal duration of a batch in milliseconds.
    private static let batchTime: Int64 = 1_000
    /// How many milliseconds the first items wait for others at most.
    private static let firstBatchTime: Int64 = 1_000
    /// The approximate bytes of texts and secrets per batch.
    static let batchBytes = 24 << 20

    /// Creates an importer into a keychain.
    ///
    /// - Parameter clock: The time in milliseconds since any fixed moment; it determines how many items go
    ///   into one transaction.
    package init(
        into keychain: Keychain, _ options: Options,
        clock: @escaping () -> Int64 = SystemCalls.monotonicMilliseconds
    ) {
        self.keychain = keychain
        self.options = options
        self.clock = clock
    }

    /// Starts with a file's entries, after finishing the previous one.
    ///
    /// - Parameter file: Its path, nil for other sources.
    package func begin(_ file: String?) {
        precondition(pending.isEmpty, "the file before was finished")
        self.file = file
        before += fates.count
        fates = []
    }

    /// Accepts an entry, possibly to be stored later, with others.
    ///
    /// - Throws: Errors that prevent importing the rest, too, for example a read-only keychain.
    package func take(_ record: ImportRecord) throws(KeychainError) {
        append(record)
        if isBatchWhole {
            try finish()
        }
    }

    /// Stores the pending items in the keychain.
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

    /// - Parameter imported: The items that are not stored yet.
    /// - Returns: The outcomes of at least the first of them.
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

    /// Adapts the batch size to the time that so many items took.
    func fitBatchSize(to count: Int, since start: Int64) {
        let time = max(clock() - start, 1)
        let fitting = Int64(count) * ItemImporter.batchTime / time
        batchSize = min(
            max(min(Int(fitting), count * 2), ItemImporter.batchSizes.lowerBound),
            ItemImporter.batchSizes.upperBound)
    }

    /// Looks up an item once, which shows a search list which of its keychains work.
    func lookOnce(for item: NewItem) throws(KeychainError) {
        guard !hasLooked else {
            return
        }
        try keychain.forEachMatch(Query(identityOf: item.attributes, item.itemClass)) { _ in .stop }
        hasLooked = true
    }

    /// Whether it is time to store the pending items.
    private var isBatchWhole: Bool {
        guard pendingBytes < ItemImporter.batchBytes else {
            return true
        }
        return pending.count >= batchSize
            || isFirstBatch && clock() - start >= ItemImporter.firstBatchTime
    }

    /// Returns the hosts with several accounts, after all files are done.
    ///
    /// - Throws: What the keychain throws.
    package func sharedHosts() throws(KeychainError) -> [SharedHost] {
        try order?.sharedHosts(in: options.isDryRun ? nil : keychain) ?? []
    }

    /// Returns an item in its stored form: in the group of the options, and with a tool's secret format
    /// only in the tool's own group. Keys of one-time codes stay in their group: in another one they would
    /// replace the logins that they belong to.
    ///
    /// - Parameter item: The item from the source.
    package func item(for item: NewItem) -> NewItem {
        let given = item.attributes.accessGroup
        let group = options.group ?? given ?? keychain.accessGroup
        guard group != given, given != .codeGroup else {
            return item
        }
        var attributes = item.attributes
        attributes.accessGroup = group
        return NewItem(item.itemClass, attributes, secret: password(of: item.secret, in: given))
    }

    /// Appends an entry's item to the pending ones, or counts the entry as skipped.
    func append(_ record: ImportRecord) {
        fates.append(.pending)
        switch record.content {
        case .item(let item):
            append(item, record.position)
        case .skipped(let reason, let hasSecret):
            skip(
                record.position, nil, KeychainError(.param, reason), entry: fates.count - 1,
                isUnsupported: true, hasSecret: hasSecret)
        case .failed(let error):
            skip(record.position, nil, error, entry: fates.count - 1)
        case .shadowed(let isSame):
            shadow(entry: fates.count - 1, isSame: isSame)
        case .without(let loss):
            fates[fates.count - 1] = .isLeft
            report.add(loss, at: record.position, of: file)
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
                return skip(position, item.attributes, error, entry: entry)
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
