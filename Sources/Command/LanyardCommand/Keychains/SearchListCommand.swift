internal import ArgumentParser
internal import LanyardConfiguration
internal import Keychains
internal import LanyardPrompting
internal import KeychainServices
internal import StrictJSON

/// `lanyard keychain search-list`.
struct SearchListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search-list",
        abstract: "Show or choose the keychains to search.",
        discussion: "Lanyard searches them in this order. New items go to the default keychain."
    ).examples(
        "lanyard keychain search-list",
        "lanyard keychain search-list work login")

    @Argument(
        help: "The keychains, in the order to search them.",
        completion: .stored(.keychains))
    var names: [String] = []
    @Flag(help: "Go back to the default: the Secret Service if it is usable, then login.")
    var reset = false
    @OptionGroup var json: JSONFlag

    func validate() throws {
        if reset, !names.isEmpty {
            throw ValidationError("--reset takes no names")
        }
    }

    func run() throws {
        var keychains = try UserKeychains()
        guard reset || !names.isEmpty else {
            return try show(keychains.searchList())
        }
        try keychains.setSearchList(names)
        let list = try keychains.configuration.searchList()
        if list.origin == "LANYARD_KEYCHAIN" {
            printWarning("LANYARD_KEYCHAIN is set and overrides this choice")
        } else if let name = list.defaultName, !names.contains(name), !reset {
            printHint(
                "'\(name)' comes first, since new items go there; "
                    + "lanyard keychain default chooses another keychain")
        }
    }

    private func show(_ names: [String]) throws(KeychainError) {
        guard json.isOn else {
            return try writeAnswer(Secret(names.map { "\($0)\n" }.joined()))
        }
        try writeAnswer(
            JSONWriter.write { writer throws(KeychainError) in
                try writer.writeArray(of: names) { writer, name throws(KeychainError) in
                    try writer.write(ByteString(name))
                }
            })
    }
}
