internal import Keychains
internal import ArgumentParser
internal import LanyardConfiguration
internal import LanyardPrompting
internal import KeychainServices

/// `lanyard keychain default`.
struct DefaultKeychainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "default", abstract: "Show the default keychain, or choose one."
    ).examples(
        "lanyard keychain default",
        "lanyard keychain default work")

    @Argument(help: "The new default keychain.", completion: .stored(.keychains))
    var name: String?

    func run() throws {
        var keychains = try UserKeychains()
        guard let name else {
            try writeAnswer(Secret("\(try keychains.defaultName())\n"))
            return
        }
        try keychains.setDefault(name)
        if try keychains.configuration.searchList().defaultName != name {
            printWarning("LANYARD_KEYCHAIN is set and overrides this choice")
        }
    }
}
