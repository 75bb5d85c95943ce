internal import ImportEngine
internal import ItemImport
internal import KeychainServices

/// Copies the items of one keychain into another, those changed last in the end, so that their order
/// stays, and with their dates.
final class KeychainCopy {
    /// An item that was not copied, and why.
    struct Skipped {
        let item: String
        let error: KeychainError
    }

    /// How many items met which fate.
    struct Counts {
        var copied = 0
        var replaced = 0
        var same = 0
        var skipped = 0

        /// One line for a person.
        var text: String {
            let parts = [
                "\(copied) copied", replaced > 0 ? "\(replaced) replaced" : nil,
                "\(same) there already", "\(skipped) skipped",
            ]
            return parts.compactMap(\.self).joined(separator: ", ") + "\n"
        }
    }

    private(set) var counts = Counts()
    private(set) var skipped: [Skipped] = []
    /// The names of other programs' items, which stay where they are.
    private(set) var otherPrograms: [String] = []
    private let source: Keychain
    private let target: Keychain
    private let staysOnMachine: Bool
    private let replaces: ItemImporter.Replacing

    /// - Parameters:
    ///   - staysOnMachine: Whether the target keeps the promise of items that stay on this machine.
    ///   - replaces: Which items that differ in the target are replaced.
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
    /// - Parameter progress: Told how many items of how many are done.
    /// - Throws: What keeps the rest from being copied, too, for example a target that can't be
    ///   written, or ``Status/decode`` if items of the source can't be found. What was copied before
    ///   stays.
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
                if !skipsAsBound(record) {
                    try importer.take(record)
                }
            }
        } catch {
            // What was read is copied all the same.
            try importer.finish()
            take(importer.report)
            throw error
        }
        try importer.finish()
        take(importer.report)
    }

    /// Skips an item that the target can't promise to keep on this machine.
    private func skipsAsBound(_ record: ImportRecord) -> Bool {
        guard !staysOnMachine, case .item(let item) = record.content,
            item.attributes.accessible?.isThisDeviceOnly == true
        else {
            return false
        }
        skip(item.attributes, KeychainError(.param, "it is to stay on this machine"))
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
                        .duplicateItem, "another one is there already; --replace replaces it")
                    : left.error)
        }
    }

    private func skip(_ attributes: ItemAttributes?, _ error: KeychainError) {
        counts.skipped += 1
        skipped.append(Skipped(item: attributes?.shownName ?? "an item", error: error))
    }
}
