internal import ArgumentParser
internal import LanyardPrompting
internal import KeychainServices

/// `lanyard generate`: creates a password and stores it.
struct GenerateCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "generate", abstract: "Make a random password and store it.",
            discussion: "It does not print the password; lanyard get does."
        ).examples(
            "lanyard generate https://ada@example.com",
            "lanyard generate --symbols --length 32 database"
        ).whenAlone
    }

    @OptionGroup var named: NamedItem
    @Option(help: ArgumentHelp("How many characters the password has.", valueName: "number"))
    var length = 24
    @Option(
        help: ArgumentHelp(
            "The kinds of characters, with at least one of each: lower, upper, letters (both), "
                + "digits, symbols.", valueName: "kinds"))
    var characters = "letters,digits"
    @Flag(help: "Include symbols.")
    var symbols = false
    @Flag(name: .customLong("print"), help: "Print the password.")
    var isPrinted = false
    @Flag(help: "Replace the secret of an existing item.")
    var replace = false
    @Flag(help: "Create the group if it is new.")
    var yes = false
    @OptionGroup var group: StoringGroupOption
    @OptionGroup var attributes: AttributeOptions
    @OptionGroup var keychain: KeychainOption

    func run() throws {
        var kinds = try PasswordGenerator.Kind.named(characters)
        if symbols {
            kinds.insert(.symbols)
        }
        let generator = try PasswordGenerator(length: length, kinds: kinds)
        let place = group.tool.map { .tool($0) } ?? ItemToStore.Place.group(group.name ?? "login")
        let item = try ItemToStore(named, attributes, place, keychain)
        if !yes {
            try item.checkGroup(hint: "--yes creates it; see lanyard list")
        }
        guard try replace || !item.isThere() else {
            throw GenerateCommand.isThere(named.what)
        }
        let password = try generator.make()
        if replace {
            try item.replace(password)
        } else {
            do throws(KeychainError) {
                try item.add(password)
            } catch {
                // Another program may have been faster.
                throw error.status == .duplicateItem ? GenerateCommand.isThere(named.what) : error
            }
        }
        guard isPrinted else {
            return printNote(
                "stored a password of \(length) characters for '\(named.what)'\(item.shared())")
        }
        var line = SecretBuilder(capacity: password.count + 1)
        line.append(password)
        line.append(UInt8(ascii: "\n"))
        try writeAnswer(line.finish())
    }

    private static func isThere(_ what: String) -> KeychainError {
        KeychainError(
            .duplicateItem, "the item '\(what)' already exists",
            hint: "--replace gives it a new secret")
    }
}
