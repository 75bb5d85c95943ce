internal import ArgumentParser
internal import Keychains
internal import KeychainServices
internal import KeychainSync
internal import LanyardPrompting
internal import StrictJSON
internal import SyncEngine

/// `lanyard team members`.
struct ListMembersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "members", abstract: "List the team's devices.",
        discussion: "As of the last exchange. Devices that ask to join have no role yet."
    ).examples("lanyard team members --keychain work")

    @OptionGroup var json: JSONFlag
    @OptionGroup var keychain: TeamKeychain

    func run() throws {
        let shared = try keychain.known()
        let members = shared.roster.present
        guard json.isOn else {
            var table = Table(["PERSON", "DEVICE", "ROLE", "ADDED", "CODE", "NOTE"])
            for member in members {
                table.append([
                    member.card.person, member.card.name, member.role?.name ?? "",
                    "\(member.added.age(at: currentTime())) ago", member.card.code,
                    note(member.card, isOwn: member.card.id == shared.card.id),
                ])
            }
            for card in shared.requests {
                table.append([
                    card.person, card.name, "asks to join", "", "", note(card, isOwn: false),
                ])
            }
            return try writeAnswer(Secret(table.text(for: .current)))
        }
        try writeAnswer(
            JSONWriter.write { writer throws(KeychainError) in
                try writer.writeArray { writer throws(KeychainError) in
                    for member in members {
                        try write(member.card, member, shared, to: &writer)
                    }
                    for card in shared.requests {
                        try write(card, nil, shared, to: &writer)
                    }
                }
            })
    }

    private func note(_ card: DeviceCard, isOwn: Bool) -> String {
        [isOwn ? "this one" : nil, card.hasMixedScripts ? "mixed scripts" : nil]
            .compactMap(\.self).joined(separator: ", ")
    }

    private func write(
        _ card: DeviceCard, _ member: Roster.Device?, _ shared: SharedKeychain,
        to writer: inout JSONWriter
    ) throws(KeychainError) {
        try writer.writeObject { writer throws(KeychainError) in
            try writer.member("person", ByteString(card.person))
            try writer.member("device", ByteString(card.name))
            try writer.member("role", member?.role?.name)
            try writer.member("code", ByteString(member == nil ? "" : card.code))
            try writer.member("this_device", card.id == shared.card.id)
            try writer.member("mixed_scripts", card.hasMixedScripts)
        }
    }
}

/// `lanyard team role`.
struct ChangeRoleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "role", abstract: "Give a device, or all devices of an owner, another role."
    ).examples(
        "lanyard team role grace owner --keychain work",
        "lanyard team role grace/laptop reader")

    @Argument(help: .member)
    var device: String
    @Argument(help: "The role.")
    var role: Role
    @OptionGroup var keychain: TeamKeychain

    func run() throws {
        let shared = try keychain.shared()
        report(try shared.exchange(), isQuiet: true)
        try shared.checkIsOwner()
        let devices = try shared.devices(named: device)
        if role == .reader {
            try warnOfLostItems(devices, shared)
        }
        try shared.changeRoster { engine throws(KeychainError) in
            for device in devices {
                try engine.setRole(of: device.id, to: role)
            }
        }
    }
}

/// `lanyard team remove`.
struct RemoveMemberCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a device, or all devices of an owner, from the team.",
        discussion:
            "It gets nothing new from then on. What it had, its owner may have kept: the command "
            + "lists the secrets, to be changed where they come from."
    ).examples(
        "lanyard team remove grace --keychain work",
        "lanyard team remove grace/laptop --yes")

    @Argument(help: .member)
    var device: String
    @Flag(help: "Don't ask.")
    var yes = false
    @OptionGroup var keychain: TeamKeychain

    func run() throws {
        let shared = try keychain.shared()
        try exchangeIfReadable(shared)
        let devices = try shared.devices(named: device)
        guard !devices.contains(where: { $0.id == shared.card.id }) else {
            throw KeychainError(
                .param, "this device is one of them",
                hint: "lanyard team leave\(shared.option)")
        }
        try shared.checkIsOwner()
        try warnOfLostItems(devices, shared)
        if !yes {
            let names = devices.map(\.path).joined(separator: ", ")
            try askForConsent("remove \(names) from the team?", hint: "add --yes")
        }
        let readable = Set(try shared.sharedItems().compactMap(\.shownName))
        try shared.changeRoster(needsItems: false) { engine throws(KeychainError) in
            try engine.remove(Set(devices.map(\.id)))
        }
        try writeAnswer(Secret(readable.sorted().map { "\($0)\n" }.joined()))
        printNote(
            readable.isEmpty
                ? "removed" : "removed; it could read these items: change them where they come from"
        )
    }
}

/// Warns before devices lose the right to change items if some of their changes are lost then.
private func warnOfLostItems(
    _ devices: [DeviceCard], _ shared: SharedKeychain
) throws(KeychainError) {
    let count = try shared.lostItems(without: Set(devices.map(\.id)))
    if count > 0 {
        printWarning(
            "the devices changed more than 300,000 items: the team loses their last changes of \(count)"
        )
        printHint("before you go on, let another device store again what has to stay")
    }
}

extension ArgumentHelp {
    static var member: ArgumentHelp {
        ArgumentHelp(
            "A device, its owner, owner/device, or a device's code or its beginning.",
            valueName: "device")
    }
}
