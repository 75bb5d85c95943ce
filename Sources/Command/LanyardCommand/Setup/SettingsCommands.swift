internal import ArgumentParser
internal import KeychainServices
internal import ToolCatalog
internal import ToolSetup

/// `lanyard setup TOOL` for a tool that takes a helper's path in a text file.
protocol SettingsCommand: ParsableCommand {
    associatedtype Entry: CatalogTool
    var options: SetupOptions { get }
    /// What the tool is set up for.
    var names: [String] { get }
    /// The names of the items.
    var itemNames: [String] { get }
}

extension SettingsCommand {
    var names: [String] { [] }
    var itemNames: [String] { names }

    static var configuration: CommandConfiguration {
        let call = "lanyard setup \(Entry.name)"
        let settings = Entry.settings
        return CommandConfiguration(
            commandName: Entry.name,
            abstract: "Set \(settings?.title ?? "") up, \(settings?.place ?? "")."
        ).examples(
            (settings?.argument).map { "\(call) \($0.example)" } ?? call, "\(call) --undo")
    }

    func run() throws {
        try options.run(.settings(Entry.name), names: names, next: commandsForMissingItems())
    }

    /// Returns the commands that store the items that the tool does not have yet, as far as Lanyard can tell without a
    /// question.
    private func commandsForMissingItems() -> [String] {
        // The others store their items themselves.
        guard !options.isUndo, Entry.settings?.argument != nil, let tool = Entry.format?.name,
            let keychain = try? OpenKeychains(nil, mayAsk: false).keychain
        else {
            return []
        }
        // Only this one has items with an account.
        let account = tool == "aws" ? " ACCESS-KEY-ID" : ""
        // A note names the import that moves these.
        let imported = tool == "aws" ? (try? ImportedTool.files(of: tool, nil).items()) ?? [] : []
        return itemNames.compactMap { text in
            guard let name = try? ItemName(text, account: nil),
                !imported.contains(where: { $0.service == ByteString(text) })
            else {
                return nil
            }
            let search = ItemSearch(name: name, group: ByteString(tool))
            guard (try? search.isThere(in: keychain)) != true else {
                return nil
            }
            return (tool == "aws" ? keychain.copyCommandForAWS(text) : nil)
                ?? "lanyard set --for \(tool) \(text.shellWord)\(account)"
        }
    }
}

/// The setup of a tool as a whole.
struct SetupToolCommand<Entry: CatalogTool>: SettingsCommand {
    @OptionGroup var options: SetupOptions
}

/// The setup of a tool for what the user names.
struct SetupNamedToolCommand<Entry: CatalogTool>: SettingsCommand {
    @OptionGroup var options: SetupOptions
    @Argument(help: Entry.argumentHelp)
    var names: [String] = []
}

/// `lanyard setup gcloud`.
struct SetupGcloudCommand: SettingsCommand {
    typealias Entry = GcloudTool
    @OptionGroup var options: SetupOptions
    @Argument(help: Entry.argumentHelp)
    var audience: String?
    @Argument(
        help: ArgumentHelp("The file to write instead of the usual one.", valueName: "file"),
        completion: .file())
    var file: String?

    var names: [String] { [audience, file].compactMap(\.self) }
    var itemNames: [String] { [audience].compactMap(\.self) }
}

extension CatalogTool {
    /// The command that sets it up; nil without one.
    static var setupCommand: (any ParsableCommand.Type)? {
        switch self {
        case is KubectlTool.Type: SetupKubectlCommand.self
        case is GcloudTool.Type: SetupGcloudCommand.self
        case _ where settings == nil: nil
        case _ where settings?.argument == nil: SetupToolCommand<Self>.self
        default: SetupNamedToolCommand<Self>.self
        }
    }

    /// What its setup is for, in the help.
    fileprivate static var argumentHelp: ArgumentHelp? {
        (settings?.argument).map { ArgumentHelp("\($0.help)", valueName: $0.valueName) }
    }
}
