internal import ArgumentParser
internal import Glibc
internal import HelperKit
internal import Keychain
internal import StrictJSON

/// `lanyard list`: prints what items there are, and never a secret.
struct ListCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "list", abstract: "List the items, without their secrets.",
            discussion:
                "Logins of servers come first, then other secrets; of each, those changed last first."
        ).whenAlone
    }

    @OptionGroup var filter: ItemFilter
    @OptionGroup var json: JSONFlag
    @OptionGroup var keychain: KeychainOption

    func run() throws {
        let host = try filter.host()
        let keychain = try keychain.open()
        let terminal = json.isOn ? nil : OutputTerminal.current
        let list = ItemList(
            keychain: keychain, filter: filter, host: host,
            expiries: try expiries(keychain, isForPerson: terminal != nil))
        if json.isOn {
            try list.writeJSON()
        } else if let terminal {
            try list.writeTable(for: terminal, now: currentTime())
        } else {
            try list.writeLines()
        }
        if terminal != nil, isatty(2) == 1, let name = list.expiries.lockedKeychains.first {
            let option = name == Configuration.login ? "" : " --keychain \(name)"
            printHint("lanyard unlock\(option) lets the list show when logins expire, too")
        }
    }

    /// A list for a program's columns has none, and reads no secret for them.
    private func expiries(
        _ keychain: OpenKeychains, isForPerson: Bool
    ) throws(KeychainError) -> LoginExpiries {
        guard isForPerson || json.isOn || filter.expired else {
            return LoginExpiries()
        }
        let expiries: LoginExpiries
        do throws(KeychainError) {
            expiries = try LoginExpiries(of: filter, in: keychain)
        } catch {
            guard filter.expired else {
                // What can be listed is, up to what can't.
                return LoginExpiries()
            }
            throw error
        }
        if filter.expired, let name = expiries.lockedKeychains.first {
            throw KeychainError(
                .interactionNotAllowed,
                "when logins expire can't be seen while the keychain '\(name)' is locked",
                // An option that was given is added to the command where the error is shown.
                hint: name == Configuration.login || name == self.keychain.name
                    ? "lanyard unlock" : "lanyard unlock --keychain \(name)")
        }
        return expiries
    }
}
