internal import ArgumentParser
internal import KeychainServices
internal import KeychainSync
internal import LanyardPrompting

/// `lanyard team create`.
struct CreateTeamCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Share a keychain through a server.",
        discussion:
            "All items of the keychain are shared; of the keychain login only those stored with "
            + "--synchronizable. What is bound to this machine stays."
    ).examples(
        "lanyard team create /mnt/share/team --keychain work",
        "lanyard team create postgres://db.example.org/team --keychain work --name dev")

    @Argument(
        help: ArgumentHelp("A folder, or the URL of a server.", valueName: "address"),
        completion: .directory)
    var address: String
    @Option(
        help: ArgumentHelp("The team's name, if not the keychain's.", valueName: "team"))
    var name: String?
    @OptionGroup var names: DeviceNames
    @OptionGroup var keychain: TeamKeychain

    func run() throws {
        try TeamKeychain.checkParent(of: address)
        let opened = try keychain.open()
        let shared = try SharedKeychain.create(
            opened.place, opened.store, team: name ?? opened.name, address: address,
            isForSynchronizable: opened.isForSynchronizable, person: try names.personName(),
            device: try names.deviceName(), connect: TeamKeychain.connect)
        report(try shared.exchangeShowingProgress(), isQuiet: true)
        printNote("the keychain '\(opened.name)' is shared")
        printHint("lanyard team invite --keychain \(opened.name)")
        hintAtTimer()
    }
}
