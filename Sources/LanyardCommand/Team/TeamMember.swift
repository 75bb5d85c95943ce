internal import ArgumentParser
internal import KeychainServices
internal import KeychainSync
internal import SyncEngine

/// The option `--role`.
struct RoleOption: ParsableArguments {
    @Option(
        name: .customLong("role"),
        help: ArgumentHelp(
            "Its rights: reader, member, or owner, who changes the team.", valueName: "role"))
    var name = Role.member.name

    /// Returns the role.
    ///
    /// - Throws: ``Status/param`` for another word.
    func role() throws(KeychainError) -> Role {
        try Role.named(name)
    }
}

extension Role {
    /// Returns the role of a name.
    ///
    /// - Throws: ``Status/param`` for another word.
    static func named(_ name: String) throws(KeychainError) -> Role {
        guard let role = Role(name: name) else {
            throw KeychainError(
                .param, "'\(name)' is not a role", hint: "use 'reader', 'member' or 'owner'")
        }
        return role
    }
}

extension SharedKeychain {
    /// Returns the devices of the team that a user names: by person, by device, by both with a slash, or by
    /// the device's code.
    ///
    /// - Throws: ``Status/itemNotFound`` if there is none; ``Status/param`` if a device's name fits several
    ///   devices.
    func devices(named text: String) throws(KeychainError) -> [DeviceCard] {
        let cards = roster.present.map(\.card)
        if let card = cards.first(where: { isCode(text, of: $0) }) {
            return [card]
        }
        let exact = cards.filter { "\($0.person)/\($0.name)" == text }
        if !exact.isEmpty {
            return exact
        }
        let ofPerson = cards.filter { $0.person == text }
        if !ofPerson.isEmpty {
            return ofPerson
        }
        let named = cards.filter { $0.name == text }
        guard named.count <= 1 else {
            throw KeychainError(
                .param, "several devices are called '\(text)'",
                hint: "use person/device, or the code from lanyard team members")
        }
        guard let card = named.first else {
            throw KeychainError(
                .itemNotFound, "the team has no device '\(text)'", hint: "lanyard team members")
        }
        return [card]
    }

    /// Whether a user typed the code of a device.
    func isCode(_ text: String, of card: DeviceCard) -> Bool {
        SpokenCode.isSame(text, card.code)
    }
}
