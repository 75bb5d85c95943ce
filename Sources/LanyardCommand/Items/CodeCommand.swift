internal import ArgumentParser
internal import Keychains
internal import KeychainServices
internal import OneTimeCodes
internal import Prompting
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
        guard let url = try url(in: opened.keychain) else {
            throw KeychainError(
                .itemNotFound, "'\(named.what)' has no key for one-time codes",
                hint: try ItemSearch(name: named.name(), group: .codeGroup).otherKeychain()
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
    private func url(in keychain: Keychain) throws(KeychainError) -> Secret? {
        let name = try named.name()
        let search = ItemSearch(name: name, group: .codeGroup)
        if let item = try search.first(in: keychain, returns: .data) {
            return item.secret
        }
        var url: Secret?
        try ItemSearch(name: name, group: nil, isForReading: true)
            .forEach(in: keychain, returns: .data) { item, _ throws(KeychainError) in
                switch item.secret {
                case .some(let secret) where OneTimeCodeKey.isURL(secret):
                    url = secret.copy()
                    return .stop
                default: return .next
                }
            }
        return url
    }
}
