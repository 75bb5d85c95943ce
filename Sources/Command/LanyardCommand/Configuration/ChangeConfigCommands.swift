internal import ArgumentParser
internal import LanyardConfiguration
internal import LanyardPrompting
internal import KeychainServices

/// `lanyard config get`.
struct GetConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Print the value of a setting.",
        discussion:
            "This is the value in effect, even if it is a default or comes from the environment."
    ).examples(
        "lanyard config get lanyard.autolock")

    @Argument(help: .setting, completion: .stored(.settings))
    var key: String

    func run() throws {
        let configuration = try Configuration()
        let name = try SettingName(key)
        guard let value = configuration.value(of: name) else {
            throw KeychainError(
                .itemNotFound, "'\(name)' is not set",
                hint: "\(name)" == "lanyard.default"
                    ? "lanyard keychain default prints the keychain in use"
                    : "see lanyard config list")
        }
        try writeAnswer(Secret("\(value)\n"))
    }
}

/// `lanyard config set`.
struct SetConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change a setting in the configuration file.",
        discussion: "Lanyard checks the value before it writes it."
    ).examples(
        "lanyard config set lanyard.autolock 30m",
        "lanyard config set lanyard.searchList 'work login'",
        "lanyard config set keychain.work.portable false")

    @Argument(help: .setting, completion: .stored(.settings))
    var key: String
    @Argument(help: "The new value.")
    var value: String

    func run() throws {
        var configuration = try Configuration()
        let name = try SettingName(key)
        try configuration.set(name, to: value)
        if name == .defaultKeychain || name == .searchList,
            try configuration.searchList().origin == "LANYARD_KEYCHAIN"
        {
            printWarning("LANYARD_KEYCHAIN is set and overrides this setting")
        }
    }
}

/// `lanyard config unset`.
struct UnsetConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unset", abstract: "Remove a setting from the configuration file.",
        discussion: "Its default applies again."
    ).examples(
        "lanyard config unset lanyard.autolock")

    @Argument(help: .setting, completion: .stored(.settings))
    var key: String

    func run() throws {
        var configuration = try Configuration()
        let name = try SettingName(key)
        guard try configuration.unset(name) else {
            throw KeychainError(
                .itemNotFound,
                "'\(name)' is not set in '\(Configuration.file(configuration.places))'")
        }
    }
}

extension ArgumentHelp {
    static var setting: ArgumentHelp {
        ArgumentHelp("The setting, for example lanyard.autolock.", valueName: "key")
    }
}
