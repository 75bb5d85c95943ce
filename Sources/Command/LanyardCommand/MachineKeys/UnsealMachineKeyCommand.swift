internal import ArgumentParser
internal import KeychainServices
internal import SealedStore

/// `lanyard machine-key unseal`.
struct UnsealMachineKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unseal", abstract: "Store the machine key in plain form again."
    ).examples(
        "lanyard machine-key unseal")

    func run() throws {
        let keychains = try MachineKeychains()
        try keychains.place.unseal()
        try keychains.updateTag()
        try keychains.report()
    }
}
