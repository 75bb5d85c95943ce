internal import ArgumentParser
internal import LanyardConfiguration
internal import LanyardTransfer
internal import KeychainServices
internal import LanyardPrompting
internal import ToolHelpers

/// The options of every import.
struct ImportOptions: ParsableArguments {
    @Flag(name: .customLong("dry-run"), help: "Only show what would be imported.")
    var isDryRun = false
    @Flag(help: "Replace items that differ with the imported ones.")
    var replace = false
    @Option(
        help: "Store every item in this group instead of its tool's group.",
        completion: .stored(.groups))
    var group: String?
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("Store every item in the group of this tool.", valueName: "tool"))
    var tool: ToolFormat?
    @OptionGroup var json: JSONFlag
    @OptionGroup var keychain: KeychainOption

    func validate() throws {
        try GroupOption.validate(group, tool)
    }

    /// Returns the same for an import without arguments.
    func settings(
        removesPlainText: Bool = false, requiresAll: Bool = false
    ) throws(KeychainError) -> ImportSettings {
        guard group?.isEmpty != true else {
            throw KeychainError(.param, "the group has no name")
        }
        warnOfMisspelledGroup()
        var settings = ImportSettings()
        settings.keychain = keychain.name
        settings.items.isDryRun = isDryRun
        settings.items.replaces = replace ? .all : .none
        settings.items.group = tool?.accessGroup ?? group.map { ByteString($0) }
        settings.removesPlainText = removesPlainText
        settings.requiresAll = requiresAll
        return settings
    }

    /// Warns if the group is almost that of a tool, which would find nothing in it.
    private func warnOfMisspelledGroup() {
        let names = ToolFormat.all.map(\.name)
        if let group, group != "login", !names.contains(group),
            let tool = suggestion(for: group, among: names)
        {
            printWarning("no tool looks in the group '\(group)'; did you mean '\(tool)'?")
        }
    }

    /// Imports from files, and reports the result.
    ///
    /// - Parameter requiresAll: Whether an incomplete import is a failure.
    func run(
        _ files: ImportedFiles, removesPlainText: Bool, requiresAll: Bool = false
    ) throws(KeychainError) {
        var result = try importItems(
            from: files,
            try settings(removesPlainText: removesPlainText, requiresAll: requiresAll))
        if !removesPlainText, !files.paths.contains(ImportedFiles.standardInput) {
            result.removingCommand =
                files.removingCommand
                ?? ImportOptions.removingCommand(after: CommandLine.arguments)
        }
        try result.show(asJSON: json.isOn)
    }

    /// Returns the command of an import with the flag that also removes what it imports.
    static func removingCommand(after arguments: [String]) -> String {
        var words = arguments.dropFirst().map(\.shellWord)
        let source = words.firstIndex(of: "import").map { $0 + 2 } ?? words.count
        words.insert("--remove-plain-text", at: min(source, words.count))
        return "lanyard \(words.joined(separator: " "))"
    }

    /// Imports from a source, and reports the result.
    ///
    /// - Parameters:
    ///   - answering: Which account of a host answers afterwards.
    ///   - requiresAll: Whether an incomplete import is a failure.
    func run(
        _ source: any ImportSource, answering: AnsweringOrder.Rule? = nil, requiresAll: Bool = false
    ) throws(KeychainError) {
        var settings = try settings(requiresAll: requiresAll)
        settings.answering = answering
        try importItems(from: source, settings).show(asJSON: json.isOn)
    }
}

/// The flag `--remove-plain-text` of imports from files.
struct RemovePlainTextFlag: ParsableArguments {
    @Flag(
        name: .customLong("remove-plain-text"),
        help: "Then remove the imported logins from the file, and overwrite them on the disk.")
    var isOn = false
}

/// The option `--timeout` of imports from other programs.
struct AnswerTimeOption: ParsableArguments {
    @Option(
        name: .customLong("timeout"),
        help: ArgumentHelp("How long to wait for each answer, for example 30s.", valueName: "time"))
    var text: String?

    /// The timeout in seconds: two minutes by default, because the user may have to type.
    var seconds: UInt32 {
        get throws(KeychainError) {
            guard let text else {
                return 120
            }
            return try AnswerTimeOption.seconds(of: text)
        }
    }

    func validate() throws {
        try AnswerTimeOption.validate(text)
    }

    /// Checks a given time.
    static func validate(_ text: String?) throws {
        do throws(KeychainError) {
            _ = try text.map(seconds)
        } catch {
            throw ValidationError(error.reason)
        }
    }

    /// Returns the seconds of a given time.
    static func seconds(of text: String) throws(KeychainError) -> UInt32 {
        try TimeOut(parsing: text).limit ?? UInt32(Int32.max)
    }
}
