internal import ArgumentParser
internal import Glibc
internal import KeychainServices
internal import LinuxSystem
internal import LanyardPrompting
internal import ToolCatalog

/// `lanyard inject`: replaces references in a text with secrets.
struct InjectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inject", abstract: "Replace references in a text with secrets.",
        discussion:
            "A reference is {{ lanyard:SERVICE }} or {{ lanyard:SERVICE/ACCOUNT }}, or the value of a line "
            + "NAME=lanyard:SERVICE. Other braces stay as they are."
    ).examples(
        "lanyard inject --input app.conf.template --output app.conf",
        "cat app.conf.template | lanyard inject --to-terminal")

    @Option(
        help: ArgumentHelp("Read this file instead of standard input.", valueName: "file"),
        completion: .file())
    var input: String?
    @Option(
        help: ArgumentHelp(
            "Write this file, readable only by you, instead of standard output.",
            valueName: "file"), completion: .file())
    var output: String?
    @Flag(name: .customLong("to-terminal"), help: "Write the secrets to a terminal.")
    var toTerminal = false
    @Flag(
        name: .customLong("dry-run"),
        help: "List the references and their lines, and write no secret.")
    var isDryRun = false
    @OptionGroup var group: GroupOption
    @OptionGroup var keychain: KeychainOption

    func run() throws {
        let isStandardOutput = output == nil || output == "-"
        guard !isStandardOutput || toTerminal || isDryRun || isatty(1) == 0 else {
            throw KeychainError(
                .param, "secrets are not written to a terminal",
                hint: "use --output FILE, redirect standard output, or use --to-terminal")
        }
        let path = isStandardOutput ? nil : try output.map(InjectCommand.outputPath)
        if let path, let input, input != "-", PrivatePlace.areSame(input, path) {
            throw KeychainError(
                .param, "the output is the input: its references would be lost",
                hint: "name another file with --output")
        }
        let template = try ReferenceText.parsing(input ?? "-") { bytes throws(KeychainError) in
            try SecretTemplate(bytes, hasAssignments: true)
        }
        guard !isDryRun else {
            let isFile = input != nil && input != "-"
            return try GrantListing.write(template, from: isFile ? input ?? "" : "standard input")
        }
        // Everything is looked up before the first byte is written.
        let text: Secret
        if template.hasReferences {
            let words = [
                input.map { "--input \($0.shellWord)" }, output.map { "--output \($0.shellWord)" },
                toTerminal ? "--to-terminal" : nil, group.name.map { "--group \($0.shellWord)" },
                keychain.name.map { "--keychain \($0.shellWord)" },
            ].compactMap(\.self)
            let lookup = SecretLookup.ofReferences(
                in: try keychain.open(), group: group.name.map { ByteString($0) },
                command: (["lanyard inject"] + words).joined(separator: " "))
            text = try lookup.value(of: template)
        } else {
            var plain = SecretBuilder()
            for case .text(let bytes) in template.pieces {
                bytes.withBytes { plain.append($0) }
            }
            text = plain.finish()
        }
        guard let path else {
            return try writeAnswer(text)
        }
        let file = try TemporaryFile(beside: path, in: .any, isNamed: false)
        try text.withBytes { bytes throws(KeychainError) in try file.append(bytes) }
        try file.replace()
    }

    /// Returns the path of a file that can be replaced: a device or a link, such as /dev/stdout, must stay for others.
    ///
    /// - Throws: ``Status/param`` if it is something else, ``Status/itemNotFound`` if its folder is missing.
    private static func outputPath(_ text: String) throws(KeychainError) -> String {
        let path = try absolutePath(toWrite: text)
        if let status = try? SystemCalls.status(at: path), status.kind != .file {
            throw KeychainError(
                .param, "'\(text)' is not a file",
                hint: "redirect standard output to write there")
        }
        return path
    }
}
