internal import ArgumentParser
internal import LanyardConfiguration
internal import KeychainServices
internal import KeychainWatching
internal import Keychains
internal import LanyardPrompting
internal import SealedStore

/// `lanyard watch`: prints the events of the keychains, and never a secret.
struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Print each change of the keychains as it happens.",
        discussion:
            "It shows which items other programs add, update and delete, when a keychain is locked or "
            + "unlocked, and when the default keychain or the search list changes. It never asks for a "
            + "passphrase."
    ).examples(
        "lanyard watch",
        "lanyard watch --json --group git")

    @OptionGroup var group: GroupOption
    @OptionGroup var json: JSONFlag
    @OptionGroup var keychain: KeychainOption

    func run() throws {
        SQLiteMemory.limit(to: Configuration.memoryForSQLite)
        let configuration = try Configuration()
        if let name = keychain.name {
            // A misspelt name would be watched in vain.
            _ = try configuration.openSealedKeychain(name)
        }
        let watch = try KeychainWatch(
            keychain: keychain.name,
            accessGroups: group.name.map { AccessGroups(ByteString($0)) } ?? .all(),
            places: configuration.places)
        try warn(of: watch.unwatched, configuration)
        if let group = group.name,
            let hint = StoredNames.hint(atGroup: group, watch.names, configuration)
        {
            printHint(hint)
        }
        try write(WatchLine(kind: "watching", keychains: watch.names))
        try watch.run(untilHangUpOf: 1) { event throws(KeychainError) in
            try write(WatchLine(event))
            return .next
        }
    }

    /// Reports keychains in use that are not sealed files.
    private func warn(
        of names: [String], _ configuration: Configuration
    ) throws(KeychainError) {
        let isChosen = try configuration.searchList(flag: keychain.name).isChosen
        for name in names {
            guard try isChosen ? true : configuration.defaultKeychain() == name else {
                continue
            }
            printWarning(
                "the keychain '\(name)' is not watched: only sealed keychains report changes")
        }
    }

    private func write(_ line: WatchLine) throws(KeychainError) {
        try writeAnswer(json.isOn ? try line.json() : Secret(line.text))
    }
}
