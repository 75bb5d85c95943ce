internal import LanyardTransfer
internal import KeychainServices
internal import KeychainSync

/// Copies the items of one keychain to another with their dates, the latest last, which preserves their
/// order.
final class KeychainCopy {
    /// An item that was not copied, and the reason.
    struct Skipped {
        let item: String
        let error: KeychainError
    }

    /// Counts items by their outcome.
    struct Counts {
        var copied = 0
        var replaced = 0
        var same = 0
        var skipped = 0

        /// One line for users.
        var text: String {
            let parts = [
                "\(copied) copied", replaced > 0 ? "\(replaced) replaced" : nil,
                "\(same) already there", "\(skipped) skipped",
            ]
            return parts.compactMap(\.self).joined(separator: ", ") + "\n"
        }
    }

    private(set) var counts = Counts()
    private(set) var skipped: [Skipped] = []
    /// The names of other programs' items, which are not copied.
    private(set) var otherPrograms: [String] = []
    private let source: Keychain
    private let target: Keychain
    private let staysOnMachine: Bool
    private let replaces: ItemImporter.Replacing

    /// - Parameters:
    ///   - staysOnMachine: Whether the target can bind items to this machine.
    ///   - replaces: Which differing items in the target to replace.
    init(
        from source: Keychain, to target: Keychain, staysOnMachine: Bool,
        replaces: ItemImporter.Replacing
    ) {
        self.source = source
        self.target = target
        self.staysOnMachine = staysOnMachine
        self.replaces = replaces
    }

    /// Copies as an import does, many items in one transaction.
    ///
    /// - Parameter progress: Gets the number of finished items and the total.
    /// - Throws: Errors that prevent copying the rest, too, for example a read-only target, or
    ///   ``Status/decode`` if items of the source can't be found. Earlier copies remain.
    func run(progress: @escaping (Int, Int) -> Void) throws(KeychainError) {
        let source = try KeychainSource(source)
        var options = ItemImporter.Options()
        options.replaces = replaces
        options.rule = .everything
        let importer = ItemImporter(into: target, options)
        otherPrograms = source.skipped
        counts.skipped += otherPrograms.count
        var done = 0
        importer.didTake = {
            done += 1
            progress(done, source.count - source.skipped.count)
        }
        importer.begin(nil)
        do throws(KeychainError) {
            try source.forEachOwn { record throws(KeychainError) in
                if !isOfTeam(record), !skipsAsBound(record) {
                    try importer.take(record)
                }
            }
        } catch {
            // Items read so far are still copied.
            try importer.finish()
            take(importer.report)
            throw error
        }
        try importer.finish()
        take(importer.report)
    }

    /// Whether it is this device's key in the source's team, which means nothing in another keychain.
    private func isOfTeam(_ record: ImportRecord) -> Bool {
        if case .item(let item) = record.content {
            SharedKeychain.isDevice(item.attributes)
        } else {
            false
        }
    }

    /// Skips an item that the target can't bind to this machine.
    private func skipsAsBound(_ record: ImportRecord) -> Bool {
        guard !staysOnMachine, case .item(let item) = record.content,
            item.attributes.accessible?.isThisDeviceOnly == true
        else {
            return false
        }
        skip(item.attributes, KeychainError(.param, "it is bound to this machine"))
        return true
    }

    private func take(_ report: ImportReport) {
        counts.copied = report.new
        counts.same = report.same
        counts.replaced = report.changed
        for left in report.left {
            skip(
                left.attributes,
                left.isDiffering
                    ? KeychainError(
                        .duplicateItem, "a different one already exists; --replace replaces it")
                    : left.error)
        }
    }

    private func skip(_ attributes: ItemAttributes?, _ error: KeychainError) {
        counts.skipped += 1
        skipped.append(Skipped(item: attributes?.shownName ?? "an item", error: error))
    }
}
