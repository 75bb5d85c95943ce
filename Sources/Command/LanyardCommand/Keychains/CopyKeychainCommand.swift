internal import ArgumentParser
internal import LanyardConfiguration
internal import LanyardPrompting
internal import Keychains
internal import LanyardTransfer
internal import KeychainServices

/// `lanyard keychain copy`.
struct CopyKeychainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy", abstract: "Copy every item of a keychain into another keychain.",
        discussion:
            "Running it twice is harmless: what is already there is not written again."
    ).examples(
        "lanyard keychain copy login work")

    @Argument(help: "The keychain to copy from.", completion: .stored(.keychains))
    var from: String
    @Argument(help: "The keychain to copy to.", completion: .stored(.keychains))
    var to: String
    @Flag(help: "Replace items that have a different secret or attributes there.")
    var replace = false
    @Flag(help: "Replace only those that did not change later there.")
    var newer = false

    func run() throws {
        let configuration = try Configuration()
        guard from != to else {
            throw KeychainError(
                .param, "a keychain can't be copied into itself",
                hint: "name two keychains; see lanyard keychain list")
        }
        for name in [from, to] {
            try configuration.checkIsKnown(name)
        }
        let copy = KeychainCopy(
            from: try keychain(from, configuration), to: try keychain(to, configuration),
            staysOnMachine: try configuration.kind(ofKeychain: to) == .sealed,
            replaces: replace ? .all : newer ? .older : .none)
        // Before the items are listed: what is stored elsewhere meanwhile is noted again.
        let elsewhere = StoredElsewhere(configuration.places)
        var isNoted = elsewhere.remove(from, home: to)
        defer {
            if isNoted {
                elsewhere.add(from, home: to)
            }
        }
        let bar = ProgressBar("copying")
        defer { bar.end() }
        var damage: KeychainError?
        do throws(KeychainError) {
            try copy.run { done, total in bar.show(done, of: total) }
        } catch {
            guard error.status == .decode else {
                throw error
            }
            damage = error
        }
        bar.end()
        try writeAnswer(Secret(copy.counts.text))
        for skipped in copy.skipped {
            printWarning("\(skipped.item) was skipped: \(skipped.error.reason)")
        }
        for name in copy.otherPrograms {
            printWarning("'\(name)' was skipped: \(KeychainSource.isOtherProgram)")
        }
        if let damage {
            throw KeychainError(
                damage.status, "the copy is not complete: \(damage.reason)", hint: damage.hint)
        }
        if copy.skipped.isEmpty {
            isNoted = false
        }
        // A script that deletes the source keychain after this must not lose anything.
        if let first = copy.skipped.first {
            let count = copy.skipped.count
            throw KeychainError(
                first.error.status,
                count == 1 ? "1 item was not copied" : "\(count) items were not copied")
        }
    }

    private func keychain(
        _ name: String, _ configuration: Configuration
    ) throws(KeychainError) -> Keychain {
        try SearchListStore(flag: name, configuration: configuration, isSilent: false)
            .keychain(accessGroups: .all())
    }
}
