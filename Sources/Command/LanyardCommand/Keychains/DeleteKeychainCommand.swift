internal import ArgumentParser
internal import LanyardConfiguration
internal import Keychains
internal import LanyardPrompting
internal import KeychainServices
internal import KeychainSync
internal import SealedStore
internal import LinuxSystem
internal import SyncEngine

/// `lanyard keychain delete`.
struct DeleteKeychainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a keychain and everything in it."
    ).examples(
        "lanyard keychain delete work")

    @Argument(help: "The keychain's name.", completion: .stored(.keychains))
    var name: String
    @Flag(help: "Delete it without asking.")
    var yes = false

    func run() throws {
        var keychains = try UserKeychains()
        let sharing = try DeleteKeychainCommand.sharing(of: name, keychains.configuration)
        if !yes,
            let question = try DeleteKeychainCommand.question(
                of: name, keychains.configuration, sharing)
        {
            try askForConsent(question, hint: "lanyard keychain delete --yes \(name)")
        }
        switch try keychains.delete(name) {
        case .deleted, .forgotten: break
        case .itemsStay(let kind):
            printHint(
                "only the name was removed: its items stay where the kind '\(kind)' stores them")
        case .fileStays(let other):
            return printHint("only the name was removed: its file is the keychain '\(other)'")
        }
        if let hint = sharing.hint {
            printHint(hint)
        }
    }

    /// What a keychain's team loses with it.
    enum Sharing {
        case none
        case known(SharedKeychain)
        /// The keychain can't be read, so neither can the team.
        case unknown

        /// Follows "with 2 items" in the question.
        fileprivate var clause: String {
            switch self {
            case .none: ""
            case .known(let shared) where shared.isLastOwner && !shared.isRemoved:
                ", the last device of the team '\(shared.roster.name)'"
            case .known(let shared): ", shared with the team '\(shared.roster.name)'"
            case .unknown: ", shared with a team"
            }
        }

        /// The number of items that users did not store: the device's key.
        fileprivate var ownItems: Int {
            if case .known = self { 1 } else { 0 }
        }

        /// Says afterwards what the team needs, nil for nothing.
        fileprivate var hint: String? {
            switch self {
            case .known(let shared) where shared.isLastOwner && !shared.isRemoved: nil
            case .known, .unknown:
                "it was shared: ask an owner of the team to remove this device"
            case .none: nil
            }
        }
    }

    /// Returns what the team loses.
    ///
    /// - Throws: ``Status/param`` if it would have devices and no owner.
    private static func sharing(
        of name: String, _ configuration: Configuration
    ) throws(KeychainError) -> Sharing {
        guard BackgroundExchange.isShared(name, configuration.places) else {
            return .none
        }
        guard let store = try? configuration.openSealedKeychain(name),
            let shared = try? TeamKeychain.Opened(name, configuration, store, isChosen: true)
                .known()
        else {
            return .unknown
        }
        guard !shared.wouldLackOwner else {
            throw LeaveTeamCommand.onlyOwner(shared)
        }
        return .known(shared)
    }

    /// Returns the question before deleting a keychain, nil if there is nothing to lose.
    static func question(
        of name: String, _ configuration: Configuration, _ sharing: Sharing? = nil
    ) throws(KeychainError) -> String? {
        guard try configuration.kind(ofKeychain: name) == .sealed,
            try UserKeychains(configuration).otherName(of: name) == nil
        else {
            return nil
        }
        let location = try configuration.location(ofKeychain: name)
        if try PrivatePlace.exists(location.file) {
            let sharing =
                if let sharing { sharing } else { try self.sharing(of: name, configuration) }
            let contents = contents(location, ownItems: sharing.ownItems)
            return "delete the keychain '\(name)' with \(contents)\(sharing.clause)?"
        }
        // It may be on an unmounted disk.
        return try SealedStore.isVanished(at: location)
            ? "the file of the keychain '\(name)' is missing: forget this keychain?" : nil
    }

    /// Describes the content; a keychain that can't be opened can be deleted, too.
    private static func contents(_ location: KeychainLocation, ownItems: Int) -> String {
        guard let count = try? SealedStore(at: location).count() else {
            return "everything in it"
        }
        return counted(count - ownItems, "item")
    }
}
