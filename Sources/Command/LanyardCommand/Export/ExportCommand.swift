internal import ArgumentParser
internal import LanyardPrompting
internal import LanyardTransfer
internal import KeychainServices
internal import LinuxSystem

/// `lanyard export`: writes all items to a file.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write all items to a file, encrypted.",
        discussion:
            "lanyard import lanyard reads the file on any machine. Items bound to this machine are "
            + "left out."
    ).examples(
        "lanyard export logins.export",
        "lanyard export --group git git.export")

    @Argument(
        help: ArgumentHelp("The file to write; - is standard output.", valueName: "file"),
        completion: .file())
    var file: String
    @Flag(
        name: .customLong("plain-text"),
        help: "Write JSON, with every secret in plain text.")
    var isPlainText = false
    @Option(
        name: .customLong("passphrase-file"),
        help: ArgumentHelp(
            "Read the passphrase of the export from a file, or from an open descriptor from 3 up.",
            valueName: "path|fd"),
        completion: .file())
    var passphraseFile: String?
    @Flag(help: "Replace an earlier export.")
    var replace = false
    @Flag(help: "Don't ask before writing secrets in plain text.")
    var yes = false
    @OptionGroup var group: GroupOption
    @OptionGroup var keychain: KeychainOption

    func run() throws {
        guard !isPlainText || passphraseFile == nil else {
            throw KeychainError(
                .param, "a plain-text export has no passphrase",
                hint: "leave out --plain-text or --passphrase-file")
        }
        let place = try ExportPlace(file, replaces: replace, isPlainText: isPlainText)
        let opened = try keychain.open()
        let export = ItemExport(of: opened.keychain, group: group.name.map { ByteString($0) })
        let counts: ItemExport.Counts
        if isPlainText {
            let warning = try agreeToPlainText()
            let output = try ExportOutput(place)
            counts = try write(export) { piece throws(KeychainError) in try output.append(piece) }
            try output.finish()
            if let warning {
                printWarning(warning)
            }
        } else {
            let passphrase = try ExportPassphrase.new(file: passphraseFile)
            let output = try ExportOutput(place)
            let sealer = try ExportSealer(passphrase: passphrase) {
                piece throws(KeychainError) in try output.append(piece)
            }
            counts = try write(export) { piece throws(KeychainError) in try sealer.append(piece) }
            try sealer.finish()
            try output.finish()
        }
        try tell(counts, place)
        if counts.exported == 0 {
            group.noteNothing(in: opened)
        }
    }

    private func write(
        _ export: ItemExport,
        to output: @escaping (borrowing Secret) throws(KeychainError) -> Void
    ) throws(KeychainError) -> ItemExport.Counts {
        let bar = ProgressBar("exporting")
        defer { bar.end() }
        return try export.write(created: SystemCalls.now(), to: output) { done, total in
            bar.show(done, of: total)
        }
    }

    /// Asks for consent if the user is available.
    ///
    /// - Returns: The warning to print once the export is there, nil if the user has consented.
    private func agreeToPlainText() throws(KeychainError) -> String? {
        let warning = "anyone who can read the export can read every secret in it"
        guard !yes else {
            return warning
        }
        do throws(KeychainError) {
            try askForConsent("\(warning): continue?", hint: "add --yes to go ahead")
        } catch  where error.status == .interactionNotAllowed {
            return warning
        }
        return nil
    }

    private func tell(
        _ counts: ItemExport.Counts, _ place: ExportPlace
    ) throws(KeychainError) {
        if case .file = place {
            try writeAnswer(Secret("\(counts.exported) exported\n"))
        }
        warn(of: counts.thisDeviceOnly, "bound to this machine")
        warn(of: counts.underPassword, "only a password of their program opens them")
        if counts.hidden > 0 {
            printWarning(
                "\(items(counts.hidden)) left out: a keychain earlier in the search list has "
                    + "the same")
        }
        if let missing = counts.missing {
            throw KeychainError(
                .decode, "the export was written, but is incomplete: \(missing)",
                hint: "lanyard verify")
        }
        guard counts.damaged == 0 else {
            throw KeychainError(
                .decode,
                "the export was written, but \(items(counts.damaged)) left out: damaged",
                hint: "lanyard verify")
        }
    }

    private func warn(of leftOut: [ItemAttributes], _ reason: String) {
        guard !leftOut.isEmpty else {
            return
        }
        let names = leftOut.map { $0.shownName ?? "an item without a name" }
        printWarning(
            "\(items(names.count)) left out: \(reason): \(names.joined(separator: ", "))")
    }

    private func items(_ count: Int) -> String {
        count == 1 ? "1 item was" : "\(count) items were"
    }
}
