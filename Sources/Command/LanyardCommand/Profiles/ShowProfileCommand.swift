internal import ArgumentParser
internal import LanyardConfiguration
internal import KeychainServices
internal import PlainTextFormats
internal import LanyardPrompting
internal import StrictJSON
internal import ToolCatalog

/// `lanyard profile show`.
struct ShowProfileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a profile: its items, variables, files and sources."
    ).examples(
        "lanyard profile show stripe",
        "lanyard profile show --json aws")

    @Argument(
        help: ArgumentHelp("The name of the profile, or of a program.", valueName: "name"),
        completion: .profileNames)
    var name: String
    @OptionGroup var json: JSONFlag

    func run() throws {
        let catalog = try ProfileCatalog(Configuration())
        let profile = try catalog.profile(named: name)
        guard json.isOn else {
            return try screen(profile, isOwn: catalog.isOwn(profile)).show()
        }
        try writeAnswer(
            JSONWriter.write { writer throws(KeychainError) in
                try writer.write(profile, isOwn: catalog.isOwn(profile))
            })
    }

    private func screen(_ profile: ToolProfile, isOwn: Bool) -> Screen {
        var screen = Screen()
        screen.add("profile", isOwn ? "\(profile.name), from your configuration" : profile.name)
        screen.add("programs", profile.programs)
        screen.add("items", profile.items.map { $0.isOptional ? "\($0.name) (optional)" : $0.name })
        screen.add(
            "sets",
            profile.variables.map { variable in
                let condition = variable.isOptional ? ", if there is one" : ""
                let scoped = variable.scoped.map { "\(profile.words(of: $0)), or " } ?? ""
                return
                    "\(variable.name) to \(scoped)\(profile.words(of: variable.value))\(condition)"
            })
        screen.add(
            "files",
            profile.files.map { file in
                let values =
                    (file.content.filter { profile.service(of: $0) != nil }
                    .map { profile.words(of: $0) }
                    + file.optionalValues.map { "\(profile.words(of: $0)) if there is one" })
                    .joined(separator: ", ")
                return switch file.place {
                case .variable(let name): "\(name) is the path of a file with \(values)"
                case .argument(let argument):
                    "\(argument.replacing("{}", with: "PATH")) names a file with \(values)"
                }
            })
        screen.add("scope", [profile.scope?.sentence].compactMap(\.self))
        screen.add("on disk", profile.plainText.map { "~/\($0.path) (\($0.format.rawValue))" })
        screen.add("sign in", [profile.signIn].compactMap(\.self))
        screen.add("sources", profile.sources)
        return screen
    }
}

extension ToolScope {
    /// What its items are for, and how the program names it.
    fileprivate var sentence: String {
        names.isEmpty ? word : "\(word), by \(names.joined(separator: ", "))"
    }
}

extension ToolProfile {
    /// An item with a value.
    struct Item {
        let name: String
        let isOptional: Bool
    }

    /// The items, that with the secret first.
    var items: [Item] {
        [Item(name: name, isOptional: false)]
            + values.compactMap(\.part).map { part in
                Item(name: "\(name)/\(part)", isOptional: !requiredParts.contains(part))
            }
    }

    fileprivate func words(of value: ProfileValue) -> String {
        switch value {
        case .secret: "the secret"
        case .account: "the account"
        case .scope: "the \(scope?.word ?? "scope")"
        case .part(let part): "the secret of \(name)/\(part)"
        case .text(let text): "'\(text)'"
        }
    }
}
