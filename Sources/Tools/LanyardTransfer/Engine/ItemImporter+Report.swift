internal import KeychainServices

extension ItemImporter {
    /// Counts the outcome of an item.
    func note(_ outcome: Outcome, of item: ImportedItem) {
        switch outcome {
        case .new: noteNew(entry: item.entry)
        case .same:
            report.same += 1
            fates[item.entry] = .isInKeychain
        case .changed:
            report.changed += 1
            fates[item.entry] = .isInKeychain
        case .uncompared(let asks):
            report.uncompared += 1
            report.asking += asks ? 1 : 0
            fates[item.entry] = .isLeft
        case .differs:
            report.differing += 1
            leave(
                item.position, item.item.attributes,
                KeychainError(.duplicateItem, "the keychain has a different one"),
                entry: item.entry,
                isDiffering: true)
        case .repeated where repeatsAreShadowed:
            shadow(entry: item.entry, isSame: false)
        case .repeated:
            skip(
                item.position, item.item.attributes,
                KeychainError(.duplicateItem, "an earlier entry for the same login differs"),
                entry: item.entry)
        case .failed(let error):
            skip(item.position, item.item.attributes, error, entry: item.entry)
        }
    }

    /// Counts an entry whose item was added.
    func noteNew(entry: Int) {
        report.new += 1
        fates[entry] = .isInKeychain
    }

    /// Counts an entry that is never used.
    ///
    /// - Parameter isSame: Whether an earlier entry has its secret.
    func shadow(entry: Int, isSame: Bool) {
        report.shadowed += 1
        fates[entry] = isSame ? .isShadowed : .isLeft
    }

    /// Counts an entry that is not imported.
    func skip(
        _ position: ImportRecord.Position, _ attributes: ItemAttributes?, _ error: KeychainError,
        entry: Int,
        isUnsupported: Bool = false, hasSecret: Bool = true
    ) {
        report.skipped += 1
        leave(
            position, attributes, error, entry: entry, isUnsupported: isUnsupported,
            hasSecret: hasSecret)
    }

    private func leave(
        _ position: ImportRecord.Position, _ attributes: ItemAttributes?, _ error: KeychainError,
        entry: Int,
        isDiffering: Bool = false, isUnsupported: Bool = false, hasSecret: Bool = true
    ) {
        fates[entry] = .isLeft
        report.left.append(
            ImportReport.Left(
                position: position, file: file, attributes: attributes, error: error,
                isDiffering: isDiffering, isUnsupported: isUnsupported, hasSecret: hasSecret,
                number: before + entry))
    }
}
