internal import LanyardPrompting
internal import LanyardTransfer
internal import KeychainServices
internal import ToolHelpers

/// The result of an import and of removing plain text.
struct ImportResult {
    /// The result for the entries.
    var report: ImportReport
    /// What was imported, as users count it; nil for a number of items.
    var contents: String?
    /// The hosts for which the keychain has several accounts.
    var sharedHosts: [SharedHost] = []
    /// Whether the tool has no file in its usual places.
    var hasNoFile = false
    /// Whether programs that don't use the keychain read the files.
    var areReadByOthers = false
    /// The command that takes what was imported out of the files, or when to do so and how; nil if the import has done so, or
    /// can't.
    var removingCommand: String?
    /// The commands after which the tool gets the items, none if it gets them already.
    var missingSetup: [String] = []
    /// The keychain that has the items, if tools don't search it.
    var unsearchedKeychain: UnsearchedKeychain?
    /// The files that keep a `default` login of netrc's.
    var withDefault: Set<String> = []
    /// What to do about entries that were not imported.
    var hint: String?
    /// The removed logins of each file.
    var removals: [PlainTextRemoval.Outcome] = []
    /// Why a file's plain text could not be removed.
    var removalError: KeychainError?
    /// Whether nothing was written.
    let isDryRun: Bool
    /// Whether an incomplete import is a failure.
    let requiresAll: Bool

    init(_ report: ImportReport, _ settings: ImportSettings) {
        self.report = report
        isDryRun = settings.items.isDryRun
        requiresAll = settings.requiresAll
    }

    /// Reports the result: counts on standard output, entries left behind on standard error.
    ///
    /// - Throws: The error of removing plain text; else, with the status of the first one, that entries
    ///   were not imported. Those that no import takes count only if they have a secret and users may delete
    ///   the original; an entry that was imported in part counts there, too. A dry run throws neither.
    ///
    /// - Parameter advises: Whether to give ``adviceAfterRemoval``; a command with several imports gives it once.
    func show(asJSON: Bool, advises: Bool = true) throws(KeychainError) {
        if asJSON {
            try writeAnswer(try json())
        } else {
            try screen.show()
            warn()
            if advises, hasRemoved {
                printHint(ImportResult.adviceAfterRemoval)
            }
        }
        if let removalError {
            throw removalError
        }
        guard !isDryRun else {
            return
        }
        try check(failed)
        try checkParts()
    }

    /// Whether a file lost plain text.
    var hasRemoved: Bool { removals.contains { $0.removed > 0 } }

    /// What to do about copies of files that lost plain text.
    static let adviceAfterRemoval =
        "backups, snapshots and editor copies may still have these passwords: change them"

    /// The entries whose error ``show(asJSON:)`` throws.
    private var failed: [ImportReport.Left] {
        isDryRun
            ? []
            : report.left.filter { !$0.isUnsupported || requiresAll && $0.hasSecret }
    }

    /// - Throws: That entries were not imported, or in part, whatever the reason.
    func checkIsComplete() throws(KeychainError) {
        try check(report.left)
        try checkParts()
    }

    /// - Throws: That entries were imported in part.
    private func checkParts() throws(KeychainError) {
        if report.losses.contains(where: \.kind.isSecretInUse) {
            throw KeychainError(
                .param, "some entries were imported in part", hint: hintForOriginal)
        }
    }

    /// What to do with an original that the keychain has only in part.
    private var hintForOriginal: String? {
        // Of a file that lost entries a hint has said so.
        requiresAll && !removals.contains { $0.kept > 0 }
            ? "keep the original: it has entries, or parts of them, that the keychain lacks" : nil
    }

    /// - Throws: That entries were not imported, with the status of the first one.
    private func check(_ left: [ImportReport.Left]) throws(KeychainError) {
        if let first = left.first {
            throw KeychainError(
                first.error.status,
                left.count == 1
                    ? "1 entry was not imported" : "\(left.count) entries were not imported",
                hint: hint ?? hintForOriginal ?? first.error.hint)
        }
    }

    /// The counts in one line, and a line for each file that lost its plain text.
    private var screen: Screen {
        var screen = Screen()
        screen.add("import", counts)
        for removal in removals where removal.removed > 0 {
            let logins = counted(removal.removed, "login")
            screen.add(
                "removed",
                removal.isFileRemoved
                    ? "'\(removal.file)' with its \(logins)"
                    : "\(logins) from '\(removal.file)'")
        }
        if isDryRun {
            screen.addDryRun()
        }
        return screen
    }

    /// The counts that are not zero.
    private var counts: String {
        let differ = report.differing == 1 ? "differs" : "differ"
        let counts = [
            (report.new, "new"), (report.same, "unchanged"),
            (report.uncompared - report.asking, "not compared (the keychain is locked)"),
            (
                report.asking,
                "not compared (\(report.asking == 1 ? "it asks" : "they ask") at each use)"
            ),
            (report.changed, "replaced"),
            (report.differing, "\(differ) from the keychain (--replace takes the imported one)"),
            (report.skipped, "skipped"),
            (report.shadowed, "unused (an earlier one is for the same place)"),
        ]
        let texts = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        // A key is two items, a private and a public one.
        if let contents, let only = counts.first(where: { $0.0 > 0 }), texts.count == 1 {
            return report.new > 0 ? contents : "\(contents), \(only.1)"
        }
        guard texts.isEmpty else {
            return texts.joined(separator: ", ")
        }
        return hasNoFile
            ? "nothing to import: there is no file in the usual place" : "nothing to import"
    }

    private func warnOfSharedHosts() {
        for host in sharedHosts {
            printWarning(host.text)
        }
        for tool in ToolFormat.all where tool.readsAccountFromURL {
            let host = sharedHosts.first { $0.attributes.accessGroup == tool.accessGroup }
            if let example = host?.urlOfAnother {
                printHint("\(tool.name) uses another account if the URL names it: \(example)")
            }
        }
    }

    /// How many places a warning names.
    private static let namedPlaces = 5

    private func warnOfKept(_ removal: PlainTextRemoval.Outcome) {
        let entries = removal.kept == 1 ? "1 entry" : "\(removal.kept) entries"
        var places = Array(removal.keptPlaces.prefix(ImportResult.namedPlaces))
        if removal.keptPlaces.count > places.count {
            places.append("…")
        }
        let cause = places.isEmpty ? "" : ", because of \(places.joined(separator: ", "))"
        printWarning("'\(removal.file)' still has \(entries) in plain text\(cause)")
        printHint(
            removal.hasSingleEntries
                ? "store what the keychain lacks with lanyard set, then take it out of the file"
                : "store what the keychain lacks with lanyard set, then remove the file: rm \(removal.file.shellQuoted)"
        )
    }

    private func warn() {
        for left in report.left {
            let name = left.attributes?.shownName.map { ", \($0)," } ?? ""
            printWarning(
                left.isDiffering
                    ? "\(left.place)\(name) differs from what the keychain has"
                    : "\(left.place)\(name) was skipped: \(left.error.reason)")
        }
        for loss in report.losses {
            printWarning(loss.text)
        }
        // Else it comes with the error.
        if let hint, !report.left.isEmpty, failed.isEmpty {
            printHint(hint)
        }
        warnOfSharedHosts()
        for removal in removals {
            if removal.kept > 0 {
                warnOfKept(removal)
            }
            if !removal.isOverwritten {
                printWarning(
                    "the file that was '\(removal.file)' has another name (a hard link), which still has"
                        + " the plain text")
            }
        }
        let isComplete =
            report.left.isEmpty && !report.losses.contains(where: \.kind.isSecretInUse)
        if let removingCommand, !isDryRun, report.hasItem, isComplete {
            printHint("the plain text is still there: \(removingCommand)")
        }
        if let removal = removals.first(where: { $0.removed > 0 }) {
            if areReadByOthers {
                printWarning(
                    "curl and other programs that read '\(removal.file)' no longer find these logins"
                )
                printHint("lanyard exec --netrc gives a login to one command")
            } else if !missingSetup.isEmpty {
                printWarning("programs that read '\(removal.file)' no longer find these logins")
                missingSetup.forEach(printHint)
            }
            for removal in removals where removal.removed > 0 && withDefault.contains(removal.file)
            {
                printWarning(
                    "'\(removal.file)' still has a 'default' login, which git and curl now send to these hosts"
                )
                printHint("remove 'default' from the file, or name its hosts with 'machine'")
            }
            if let unsearchedKeychain {
                printWarning(
                    "tools don't search the keychain '\(unsearchedKeychain.name)', which has these logins"
                )
                printHint(unsearchedKeychain.command)
            }
        }
    }
}
