internal import ArgumentParser
internal import LanyardConfiguration
internal import KeychainServices
internal import KeychainSync
internal import LinuxSystem
internal import LanyardPrompting
internal import SyncEngine
internal import SyncPlugins

/// `lanyard team init`.
struct InitTeamCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Prepare a server for teams.",
        discussion:
            "It creates the tables of a PostgreSQL database, with an account that may do that, and gives "
            + "other accounts the few rights that a device needs. lanyard team create does the first, too, if "
            + "its own account may."
    ).examples(
        "lanyard team init postgres://owner@db.example.org/team --for ada --for grace")

    @Argument(
        help: ArgumentHelp("A folder, or the URL of a server.", valueName: "address"),
        completion: .directory)
    var address: String
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("Give this account of the server the rights.", valueName: "account"))
    var accounts: [String] = []

    func run() throws {
        try TeamKeychain.checkParent(of: address)
        // Any team will do: nothing of it is stored.
        let team = try Identifier.random()
        let places = try Configuration().places
        defer {
            PrivatePlace.removeFolder(
                SharedKeychain.Place.transportFolder(of: team, stateFolder: places.state))
        }
        let transport = try TeamKeychain.connect(address, team)
        if accounts.isEmpty {
            try transport.create()
        } else if let transport = transport as? SyncPluginTransport {
            try transport.create(for: accounts)
        } else {
            throw KeychainError(
                .unimplemented, "a folder has no accounts", hint: "leave out --for")
        }
        printNote("teams can be created there")
        let next = accounts.first.map { TeamKeychain.address(address, of: $0) } ?? address
        printHint("lanyard team create \(next.shellQuoted)")
    }
}
