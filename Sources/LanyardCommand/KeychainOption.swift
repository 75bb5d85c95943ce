internal import ArgumentParser
internal import HelperKit
internal import Keychain

/// The option `--keychain`, which most commands have.
struct KeychainOption: ParsableArguments {
    @Option(
        name: .customLong("keychain"),
        help: ArgumentHelp("Use this keychain instead of the default one.", valueName: "name"))
    var name: String?

    /// The keychain in use.
    ///
    /// - Parameter accessGroup: The group of new items.
    func keychain(accessGroup: String = "login") throws(KeychainError) -> Keychain {
        let configuration = try Configuration()
        return Keychain(
            DeferredStore(
                name: configuration.keychainInUse(flag: name), configuration: configuration),
            accessGroup: ByteString(accessGroup), accessible: try configuration.accessible())
    }
}

/// The option `--group`, for commands that look in all groups without it.
struct GroupOption: ParsableArguments {
    @Option(
        name: .customLong("group"),
        help: ArgumentHelp("Only items of this group, for example git.", valueName: "group"))
    var name: String?
}

/// The flag `--json`, wherever there is something to read.
struct JSONFlag: ParsableArguments {
    @Flag(name: .customLong("json"), help: "Print JSON.")
    var isOn = false
}
