internal import LanyardConfiguration
internal import LanyardPrompting
internal import LanyardTransfer
internal import KeychainServices
internal import ToolHelpers
internal import ToolSetup

/// Imports from files, and removes logins from them if requested. It shows only a progress bar;
/// ``ImportResult/show(asJSON:)`` reports the result.
///
/// - Throws: Errors that prevent any import, for example an invalid file or a read-only keychain. Earlier
///   imports remain.
func importItems(
    from files: ImportedFiles, _ settings: ImportSettings = ImportSettings()
) throws(KeychainError) -> ImportResult {
    let removes = settings.removesPlainText && !settings.items.isDryRun
    guard !settings.removesPlainText || !files.paths.contains(ImportedFiles.standardInput) else {
        throw KeychainError(.param, "nothing can be removed from standard input")
    }
    if settings.removesPlainText, let command = files.removingCommand {
        throw KeychainError(
            .param, "the import can't remove logins from this file", hint: command)
    }
    // All of them first: unreadable files are known before anything is written.
    var read: [ReadFile] = []
    for path in files.paths {
        read.append(try ReadFile(path, files, isForChange: removes))
    }
    // Other programs lose netrc's logins in any group, and a warning says so.
    if settings.removesPlainText, !files.areReadByOthers, let group = settings.items.group {
        for file in read {
            try file.checkIsFound(in: group)
        }
    }
    let importer = try importer(settings)
    importer.repeatsAreShadowed = files.areGits
    importer.answering = files.answering
    let bar = ImportProgress(
        "importing", total: read.reduce(0) { $0 + $1.count }, steps: ImportProgress.ofAnItem)
    defer { bar.end() }
    importer.didTake = bar.advance
    importer.willPut = bar.advance
    var items: [ItemAttributes] = []
    var withDefault: Set<String> = []
    for file in read {
        importer.begin(file.file.path)
        try file.format.read(file.file.bytes) { record throws(KeychainError) in
            if removes, case .item(let item) = record.content {
                items.append(item.attributes)
            }
            if case .skipped(NetrcFile.reasonOfDefault, _) = record.content {
                withDefault.insert(file.file.path)
            }
            try importer.take(record)
        }
        try importer.finish()
        file.fates = importer.fates
    }
    bar.end()
    var result = ImportResult(importer.report, settings)
    result.hasNoFile = files.paths.isEmpty
    result.sharedHosts = try importer.sharedHosts()
    result.areReadByOthers = files.areReadByOthers
    result.hint = files.hint ?? (importer.report.hasItem ? nil : files.hintForNone)
    guard removes else {
        return result
    }
    do throws(KeychainError) {
        for file in read {
            let removal = try removePlainText(file, files, importer, settings)
            result.removals.append(removal)
            result.report.follow(removal)
        }
    } catch {
        result.removalError = error
    }
    // A setup that is refused says why when the user asks for it.
    result.missingSetup = (try? files.missingSetup(items)) ?? []
    result.withDefault = withDefault
    if files.areOfTools {
        result.unsearchedKeychain =
            (try? UnsearchedKeychain(settings.keychain, Configuration())) ?? nil
    }
    return result
}

/// Imports from another program or keychain, as ``importItems(from:_:)`` does from files.
///
/// - Throws: Errors that prevent any import, or reading the source.
func importItems(
    from source: any ImportSource, _ settings: ImportSettings
) throws(KeychainError) -> ImportResult {
    let importer = try importer(settings)
    importer.answering = settings.answering
    let bar = ImportProgress("importing", total: source.count, steps: ImportProgress.ofAnItem)
    defer { bar.end() }
    importer.didTake = bar.advance
    importer.willPut = bar.advance
    importer.begin(nil)
    do throws(KeychainError) {
        try source.forEach { record throws(KeychainError) in try importer.take(record) }
    } catch {
        // Stored now, because the program may not repeat its answers.
        try importer.finish()
        throw error
    }
    try importer.finish()
    var result = ImportResult(importer.report, settings)
    result.sharedHosts = try importer.sharedHosts()
    return result
}

private func importer(_ settings: ImportSettings) throws(KeychainError) -> ItemImporter {
    // A dry run must not ask the user.
    let opened = try OpenKeychains(settings.keychain, mayAsk: !settings.items.isDryRun)
    return ItemImporter(into: opened.keychain, settings.items)
}

private func removePlainText(
    _ file: ReadFile, _ files: ImportedFiles, _ importer: ItemImporter, _ settings: ImportSettings
) throws(KeychainError) -> PlainTextRemoval.Outcome {
    let bar = ImportProgress("reading back", total: file.count, steps: 1)
    defer { bar.end() }
    let keychain = try OpenKeychains(settings.keychain).keychain
    let path = file.file.path
    let outcome = try PlainTextRemoval(file.file, file.format, isGits: files.areGits).run(
        file.fates, of: importer, readingBackFrom: keychain,
        willReplace: { rest throws(KeychainError) in
            guard let kind = settings.movedKind else {
                return
            }
            let environment = try SetupEnvironment()
            let original = try SetupCopies(environment)
                .original(of: path, with: file.file.bytes)
            try MovedFiles(in: keychain, environment)
                .keep(path, .leftover(kind), original: original, rest: rest)
        }, progress: bar.advance)
    try removeFromSetupCopy(of: file, importer, keychain)
    return outcome
}

/// Removes the logins from a setup's copy of the original file, too.
private func removeFromSetupCopy(
    of file: ReadFile, _ importer: ItemImporter, _ keychain: Keychain
) throws(KeychainError) {
    let copies = SetupCopies(try SetupEnvironment())
    let path = file.file.path
    guard let copy = try copies.path(of: path) else {
        return
    }
    let removal = PlainTextRemoval(
        try PlainTextFile(copy, isForChange: true), file.format, isGits: false)
    _ = try removal.replaceCopy(of: importer, readingBackFrom: keychain) {
        rest throws(KeychainError) in
        try copies.replace(copyOf: path, with: rest)
    }
}

/// A file of a known format, already read.
private final class ReadFile {
    let file: PlainTextFile
    let format: any ImportFormat
    /// The number of its entries.
    let count: Int
    /// Their outcomes.
    var fates: [ItemImporter.Fate] = []

    init(
        _ path: String, _ files: ImportedFiles, isForChange: Bool
    ) throws(KeychainError) {
        format = files.format(of: path)
        file =
            path == ImportedFiles.standardInput
            ? try PlainTextFile(standardInput: ())
            : try PlainTextFile(path, isForChange: isForChange)
        do throws(KeychainError) {
            count = try format.count(file.bytes)
        } catch {
            // Password managers export several forms, of which one is everywhere the same.
            guard files.exportHint == nil || ((try? CSVFile().count(file.bytes)) ?? 0) == 0 else {
                throw KeychainError(
                    error.status, "'\(file.path)' can't be imported: this is a CSV",
                    hint: "lanyard import csv \(path.shellWord)")
            }
            throw KeychainError(
                error.status, "'\(file.path)' can't be imported: \(error.reason)",
                hint: error.hint ?? files.exportHint)
        }
    }

    /// Checks that tools find their logins in a group that replaces their own: no command moves an item to
    /// another group.
    ///
    /// - Throws: ``Status/param`` if one doesn't.
    func checkIsFound(in group: ByteString) throws(KeychainError) {
        try format.read(file.bytes) { record throws(KeychainError) in
            guard case .item(let item) = record.content,
                let tool = ToolFormat(group: item.attributes.accessGroup),
                tool.accessGroup != group
            else {
                return
            }
            throw KeychainError(
                .param,
                "\(tool.name) does not look in the group '\(group)': it would lose these logins",
                hint: "leave out --group, or --remove-plain-text")
        }
    }
}

private final class ImportProgress {
    private let bar: ProgressBar
    private let total: Int
    private let steps: Int
    private var done = 0

    /// An item is read, and then stored.
    static let ofAnItem = 2

    /// - Parameter steps: The number of steps per item.
    init(_ title: String, total: Int, steps: Int) {
        bar = ProgressBar(title)
        self.total = total
        self.steps = steps
    }

    func advance() {
        done += 1
        bar.show(min(done / steps, total), of: total)
    }

    func end() {
        bar.end()
    }
}
