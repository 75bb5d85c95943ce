internal import ArgumentParser
internal import HelperKit
internal import Keychain

/// `lanyard remove`: removes items.
struct RemoveCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "remove", abstract: "Remove an item.",
            discussion: "Several items that match are removed only with --all."
        ).whenAlone
    }

    @OptionGroup var named: NamedItem
    @Flag(help: "Remove every item that matches.")
    var all = false
    @OptionGroup var group: GroupOption
    @OptionGroup var keychain: KeychainOption

    func run() throws {
        let search = ItemSearch(
            name: try named.name(), group: group.name.map { ByteString($0) })
        let opened = try keychain.open()
        let keychain = opened.keychain
        // Looked at first: where there is nothing, nothing is written.
        guard try !matches(search, keychain).isEmpty else {
            throw ItemSearch.nothing(named.what)
        }
        try keychain.transaction { () throws(KeychainError) in
            let matches = try matches(search, keychain)
            try checkOne(matches, opened.store)
            for match in matches {
                try keychain.delete(Query(match.reference))
            }
        }
    }

    private struct Match {
        let reference: ItemReference
        let attributes: ItemAttributes
    }

    private func matches(
        _ search: ItemSearch, _ keychain: Keychain
    ) throws(KeychainError) -> [Match] {
        var matches: [Match] = []
        try search.forEach(in: keychain, returns: .reference) {
            item, attributes throws(KeychainError) in
            if let reference = item.reference {
                matches.append(Match(reference: reference, attributes: attributes))
            }
            return .next
        }
        return matches
    }

    private func checkOne(
        _ matches: [Match], _ store: SearchListStore
    ) throws(KeychainError) {
        guard matches.count > 1, !all else {
            return
        }
        let groups = Set(matches.map { ($0.attributes.accessGroup ?? "").description }).sorted()
        guard groups.count == 1 else {
            throw KeychainError(
                .param,
                "'\(named.what)' stands in several groups: \(groups.joined(separator: ", "))",
                hint: "choose one with --group, or remove all with --all")
        }
        let keychains = Set(matches.compactMap { store.keychainName(of: $0.reference) }).sorted()
        guard keychains.count == 1 else {
            throw KeychainError(
                .param,
                "'\(named.what)' stands in several keychains: \(keychains.joined(separator: ", "))",
                hint: "choose one with --keychain, or remove all with --all")
        }
        throw KeychainError(
            .param, "\(matches.count) items match '\(named.what)'",
            hint: "name the account or the path (see lanyard list), or remove all with --all")
    }
}
