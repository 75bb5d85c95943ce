internal import ArgumentParser
internal import LanyardTransfer
internal import KeychainServices

/// `lanyard import lanyard`.
struct ImportLanyardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lanyard", abstract: "Import a file that 'lanyard export' wrote."
    ).examples(
        "lanyard import lanyard logins.export")

    @Argument(help: "The file, - for standard input.", completion: .file())
    var file: String
    @Option(
        name: .customLong("passphrase-file"),
        help: ArgumentHelp(
            "Read the passphrase of the export from a file, or from an open descriptor from 3 up.",
            valueName: "path|fd"),
        completion: .file())
    var passphraseFile: String?
    @OptionGroup var options: ImportOptions

    func run() throws {
        try options.run(try ExportSource(file, passphraseFile: passphraseFile), requiresAll: true)
    }
}
