internal import ArgumentParser
internal import Keychains
internal import KeychainServices
internal import OneTimeCodes
internal import LanyardPrompting
internal import StrictJSON

/// `lanyard code`: prints a one-time code.
struct CodeCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "code", abstract: "Print a one-time code.",
            discussion: "lanyard set --code stores the key that makes the codes of a login."
        ).examples(
            "lanyard code https://example.com",
            "lanyard code --json github ada"
        ).whenAlone
    }

    @OptionGroup var named: NamedItem
    @OptionGroup var json: JSONFlag
    @OptionGroup var keychain: KeychainOption

    func run() throws {
        let opened = try keychain.open()
        guard let url = try url(in: opened) else {
            let search = ItemSearch(name: try named.name(), group: .codeGroup)
            throw KeychainError(
                .itemNotFound, "'\(named.what)' has no key for one-time codes",
                hint: search.otherKeychain() ?? search.nameOfHost(named.what, in: opened.keychain)
                    ?? "lanyard set --code stores it; see lanyard list --group code")
        }
        let now = currentTime()
        let key = try OneTimeCodeKey(url: url)
        let code = key.code(at: now)
        let secondsLeft = key.secondsLeft(at: now)
        guard json.isOn else {
            var line = SecretBuilder(capacity: 16)
            line.append(code)
            line.append(UInt8(ascii: "\n"))
            return try writeAnswer(line.finish())
        }
        let period = key.period
        try writeAnswer(
            try JSONWriter.writeObject { writer throws(KeychainError) in
                try writer.member("code", code)
                try writer.member("seconds_left", secondsLeft)
                try writer.member("period", period)
            })
    }

    /// Returns the otpauth URL of the name's key, or of another item with such a URL as its secret.
    private func url(in opened: OpenKeychains) throws(KeychainError) -> Secret? {
        let name = try named.name()
        for name in [name, name.ofNameAndAccount].compactMap(\.self) {
            if let url = try url(name, in: opened) {
                return url
            }
        }
        return nil
    }

    private func url(
        _ name: ItemName, in opened: OpenKeychains
    ) throws(KeychainError) -> Secret? {
        let search = ItemSearch(name: name, group: .codeGroup)
        let naming: ItemSearch.Naming = { match in
            var words = match
            if words.group == ByteString.codeGroup.description {
                words.group = nil
            }
            return words.group == nil && words.synchronizable == nil
                ? "lanyard code \(words.arguments)" : nil
        }
        if let item = try search.one(
            named.what, in: opened.keychain, opened.store, returns: .data, naming: naming)
        {
            return item.secret
        }
        var matches: [ItemSearch.Match] = []
        let others = ItemSearch(name: name, group: nil, isForReading: true)
        try others.forEach(in: opened.keychain, returns: [.data, .reference]) {
            item, attributes throws(KeychainError) in
            switch item.secret {
            case .some(let secret) where OneTimeCodeKey.isURL(secret):
                if let reference = item.reference {
                    matches.append(ItemSearch.Match(reference: reference, attributes: attributes))
                }
            default: break
            }
            return .next
        }
        guard !matches.isEmpty else {
            return nil
        }
        let match = try others.chosen(
            others.meant(matches, named.what), named.what, in: opened.keychain, opened.store, naming
        )
        return try opened.keychain.firstSecret(of: Query(match.reference, returns: .data))
    }
}
