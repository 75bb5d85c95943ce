internal import ArgumentParser
internal import LanyardCertificates
internal import LanyardConfiguration
internal import LanyardPrompting
internal import Keychains
internal import KeychainServices
internal import ToolHelpers

/// The option `--keychain`, which most commands have.
struct KeychainOption: ParsableArguments {
    @Option(
        name: .customLong("keychain"), help: .keychain, completion: .stored(.keychains))
    var name: String?

    /// Returns the keychains in use, as one.
    func keychain() throws(KeychainError) -> Keychain {
        try open().keychain
    }

    /// Opens the keychains in use, as one, with their store.
    func open() throws(KeychainError) -> OpenKeychains {
        try OpenKeychains(name)
    }
}

struct OpenKeychains {
    let keychain: Keychain
    /// Tells which of them an item is in.
    let store: SearchListStore
    let configuration: Configuration
}

extension OpenKeychains {
    /// Opens the keychains in use, or the named one.
    ///
    /// - Parameters:
    ///   - accessGroup: The group of new items.
    ///   - mayAsk: Whether Lanyard may ask the user to unlock them.
    ///   - milliseconds: The most that each of them may take; nil for the usual limits.
    init(
        _ name: String?, accessGroup: String = "login", mayAsk: Bool = true,
        within milliseconds: Int64? = nil
    ) throws(KeychainError) {
        let configuration = try Configuration().answering(within: milliseconds)
        let store = try SearchListStore(
            flag: name, configuration: mayAsk ? configuration : configuration.withoutAsking,
            isSilent: false)
        self.init(
            keychain: try store.keychain(
                accessGroups: .all(addingTo: ByteString(accessGroup))
            ).using(CertificateDecoder()),
            store: store, configuration: configuration)
    }

    /// Returns the hint at the group that was perhaps meant by one that no item has; nil without one.
    func hint(atGroup group: String) -> String? {
        StoredNames.hint(atGroup: group, store.names, configuration)
    }
}

/// The options `--group` and `--for` of commands that search all groups by default.
struct GroupOption: ParsableArguments {
    @Option(help: .group, completion: .stored(.groups))
    var group: String?
    @Option(name: .customLong("for"), help: .toolOfItems)
    var tool: ToolFormat?

    /// The name of the group, nil for all groups.
    var name: String? { tool?.accessGroup.description ?? group }

    /// Returns the hint at the group that was perhaps meant, if no item has this one; nil without one.
    func hint(in opened: OpenKeychains) -> String? {
        name.flatMap(opened.hint)
    }

    /// Reports that none of the group was found, if another one was perhaps meant.
    func noteNothing(in opened: OpenKeychains) {
        guard let name, let hint = hint(in: opened) else {
            return
        }
        printNote("no items in the group '\(name)'")
        printHint(hint)
    }

    func validate() throws {
        try GroupOption.validate(group, tool)
    }

    /// Throws if both options are given.
    static func validate(_ group: String?, _ tool: ToolFormat?) throws {
        if tool != nil, group != nil {
            throw ValidationError("--for chooses the group: leave --group out")
        }
    }
}

/// The same options of commands that store an item.
struct StoringGroupOption: ParsableArguments {
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("Store it where this tool finds it.", valueName: "tool"))
    var tool: ToolFormat?
    @Option(help: "The group to store it in, otherwise login.", completion: .stored(.groups))
    var group: String?

    /// The name of the group, nil for `login`.
    var name: String? { tool?.accessGroup.description ?? group }

    func validate() throws {
        try GroupOption.validate(group, tool)
    }
}

/// The flag `--json` of commands with readable output.
struct JSONFlag: ParsableArguments {
    @Flag(name: .customLong("json"), help: .json)
    var isOn = false
}

extension ArgumentHelp {
    static var keychain: ArgumentHelp {
        ArgumentHelp("Use only this keychain.", valueName: "name")
    }
    static var group: ArgumentHelp {
        ArgumentHelp("Only items of this group, for example git.", valueName: "group")
    }
    static var toolOfItems: ArgumentHelp {
        ArgumentHelp("Only items of this tool's group.", valueName: "tool")
    }
    static var synchronizable: ArgumentHelp {
        "Only items that are synchronizable, or only those that are not."
    }
    static var json: ArgumentHelp { "Print JSON." }
}
