internal import ArgumentParser
internal import KeychainServices
internal import KeychainSync
internal import LinuxSystem
internal import LanyardPrompting
internal import SyncEngine

/// `lanyard team invite`.
struct InviteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Print the command by which another device joins.",
        discussion:
            "Send it in a way in which no one can change it. It contains no secret: the device gets "
            + "nothing until an owner approves it."
    ).examples("lanyard team invite --keychain work")

    @OptionGroup var keychain: TeamKeychain

    func run() throws {
        let shared = try keychain.known()
        try writeAnswer(shared.commandLine("join"))
        if let account = TeamKeychain.account(in: shared.address) {
            printHint("on someone else's device, replace the account \(account) by theirs")
        }
    }
}

/// `lanyard team join`.
struct JoinTeamCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join", abstract: "Ask to join a team.",
        discussion:
            "It prints this device's code. Read it to an owner of the team, who runs "
            + "lanyard team approve; then lanyard team sync gets the items."
    ).examples(
        "lanyard team join /mnt/share 72TECMQ49PKZ4DRDKRK0W9RKCN8A98X6T1ZNR34B28")

    @Argument(
        help: ArgumentHelp("The address, from the invitation.", valueName: "address"),
        completion: .directory)
    var address: String
    @Argument(help: ArgumentHelp("The team's code, from the invitation.", valueName: "code"))
    var code: String
    @OptionGroup var names: DeviceNames
    @OptionGroup var keychain: TeamKeychain

    func run() throws {
        let opened = try keychain.open()
        let shared = try SharedKeychain.join(
            opened.place, opened.store, address: address, code: code,
            isForSynchronizable: opened.isForSynchronizable, person: try names.personName(),
            device: try names.deviceName(), numbersDevice: names.device == nil,
            connect: TeamKeychain.connect)
        try writeAnswer(Secret("\(shared.card.code)\n"))
        noteNumber(of: shared, names)
        if opened.isForSynchronizable {
            printNote("the keychain 'login' gets only items that were stored with --synchronizable")
            printHint(
                "for all of the team's items, join with --keychain and another keychain: "
                    + "lanyard keychain create work")
        }
        printHint(
            "read this code to an owner of the team: "
                + "lanyard team approve \(shared.card.code)\(shared.option)")
        printHint("then get the items: lanyard team sync\(shared.option)")
        hintAtSearchList(shared.name)
        hintAtTimer()
    }
}

/// `lanyard team approve`.
struct ApproveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve", abstract: "Add a device to the team.",
        discussion:
            "Compare the code with its owner, not with what the server shows. At a terminal it asks first."
    ).examples(
        "lanyard team approve 8RT2-Q5XN-0C4V-KM7E --keychain work",
        "lanyard team approve 8RT2-Q5XN-0C4V-KM7E --role reader")

    @Argument(help: ArgumentHelp("The code that the device printed.", valueName: "code"))
    var code: String
    @Option(
        help: ArgumentHelp(
            "Its rights, if not those of a member: an owner changes the team, a reader no items.",
            valueName: "role"))
    var role: Role?
    @Flag(help: "Don't ask.")
    var yes = false
    @OptionGroup var keychain: TeamKeychain

    func run() throws {
        let shared = try keychain.shared()
        report(try shared.exchange(), isQuiet: true)
        try shared.checkIsOwner()
        if let member = shared.roster.present.first(where: { SpokenCode.isSame(code, $0.card.code) }
        ) {
            return try noteApproved(member, shared)
        }
        guard let card = try shared.request(withCode: code) else {
            throw KeychainError(
                .itemNotFound, "no device with this code asks to join",
                hint:
                    "compare the code again; lanyard team sync\(shared.option), then "
                    + "lanyard team members\(shared.option), lists who asks"
            )
        }
        let role = role ?? .member
        try warn(of: card, shared)
        if !yes, canAskAtTerminal() {
            try askForConsent(
                "add '\(card.name)' of \(card.person) to the team as \(role.name)?",
                hint: "add --yes")
        }
        try shared.approve(card, role)
        printNote("'\(card.name)' of \(card.person) is in the team")
        hintAtSearchList(shared.name)
    }

    /// Warns of names that may be meant to look like others.
    private func warn(of card: DeviceCard, _ shared: SharedKeychain) throws(KeychainError) {
        for name in [card.person, card.name] where (try? DeviceCard.checkChosen(name)) == nil {
            throw KeychainError(
                .param, "'\(name)' is no name for an owner or a device",
                hint: "let it join again with another name: --person NAME, --device NAME")
        }
        if card.hasMixedScripts {
            printWarning("the name \(card.path.shellQuoted) has letters of several scripts")
        }
        let scripts = card.unusualScripts(among: shared.roster.present.map(\.card))
        if !scripts.isEmpty {
            printWarning(
                "the name '\(card.person)' is in letters that no other name in the team has "
                    + "(\(scripts.map(\.rawValue).sorted().joined(separator: ", "))): it may only look like one of them"
            )
        }
    }

    /// Says that another owner was first.
    private func noteApproved(
        _ member: Roster.Device, _ shared: SharedKeychain
    ) throws(KeychainError) {
        let (card, known) = (member.card, member.role?.name ?? "")
        if let role, role != member.role {
            throw KeychainError(
                .duplicateItem,
                "'\(card.name)' of \(card.person) is in the team already, as \(known)",
                hint: "lanyard team role \(card.path.shellQuoted) \(role.name)\(shared.option)")
        }
        printNote("'\(card.name)' of \(card.person) is in the team already, as \(known)")
    }
}

/// `lanyard team refuse`.
struct RefuseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refuse", abstract: "Refuse a device that asks to join.",
        discussion: "All that ask by this name are refused. They can ask again."
    ).examples("lanyard team refuse grace/laptop --keychain work")

    @Argument(help: .member)
    var device: String
    @OptionGroup var keychain: TeamKeychain

    func run() throws {
        let shared = try keychain.shared()
        report(try shared.exchange(), isQuiet: true)
        try shared.checkIsOwner()
        let cards = DeviceCard.named(device, among: shared.requests)
        guard !cards.isEmpty else {
            throw KeychainError(
                .itemNotFound, "no device '\(device)' asks to join",
                hint: "lanyard team members\(shared.option)")
        }
        try shared.changeRoster { engine throws(KeychainError) in
            for card in cards {
                try engine.refuse(card.id)
            }
        }
        for card in cards {
            printNote("'\(card.name)' of \(card.person) is refused")
        }
    }
}
