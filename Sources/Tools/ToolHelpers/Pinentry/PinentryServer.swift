package import KeychainServices

/// Answers gpg-agent in place of a pinentry: passphrases of keys from a keychain, everything else from the user's
/// own pinentry.
///
/// The corresponding manual is "Pinentry", section "Protocol".
package struct PinentryServer {
    /// The access group of the passphrases of keys.
    package static let accessGroup: ByteString = "gpg"

    /// Limits the options: gpg-agent sets some twenty.
    private static let optionLimit = 100
    /// Limits the bytes of a line, as Assuan does.
    private static let lineLimit = 1000

    /// The commands that describe a dialog, which the user's pinentry gets.
    private static let descriptions = [
        "SETDESC", "SETPROMPT", "SETTITLE", "SETOK", "SETCANCEL", "SETNOTOK", "SETERROR",
        "SETTIMEOUT",
    ]

    private let session: any HelperSession
    private var options: [(name: Substring, line: String)] = []
    private var dialog: [(command: String, line: String)] = []
    private var keygrip: Keygrip?
    /// The keys whose stored passphrase was given, each once: asked again, gpg-agent could not use it.
    private var given: Set<Keygrip> = []

    /// Creates a server for the caller of a helper.
    package init(_ session: any HelperSession) {
        self.session = session
    }

    /// Answers until the caller ends the conversation.
    ///
    /// - Throws: ``Status/io``; ``Status/dataTooLarge``.
    package mutating func run() throws(KeychainError) {
        try reply("OK Lanyard answers")
        while let line = try session.readLine() {
            var line = line.withBytes { ByteString(copying: $0).description }
            // Assuan's lines end with LF, or CR and LF.
            if line.last == "\r" {
                line.removeLast()
            }
            guard line.utf8.count <= PinentryServer.lineLimit else {
                try reply(.lineTooLong)
                continue
            }
            let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            let command = words[0].uppercased()
            let argument = words.count > 1 ? String(words[1]) : ""
            guard command != "BYE" else {
                return try reply("OK closing connection")
            }
            try answer(command, argument)
        }
    }

    private mutating func answer(
        _ command: String, _ argument: String
    ) throws(KeychainError) {
        switch command {
        // Assuan's comments.
        case _ where command.isEmpty || command.hasPrefix("#"): break
        case "OPTION": try setOption(argument)
        case _ where PinentryServer.descriptions.contains(command):
            dialog.removeAll { $0.command == command }
            dialog.append((command, argument.isEmpty ? command : "\(command) \(argument)"))
            try reply("OK")
        case "SETKEYINFO":
            // `n/` and the keygrip, or another letter for another kind of cache.
            let parts = argument.split(separator: "/", maxSplits: 1)
            keygrip = parts.count == 2 ? Keygrip(Array(parts[1].utf8)) : nil
            try reply("OK")
        case "GETPIN": try getPIN()
        case "CONFIRM", "MESSAGE":
            try ask(argument.isEmpty ? command : "\(command) \(argument)")
        case "GETINFO": try getInformation(argument)
        case "RESET":
            dialog = []
            keygrip = nil
            try reply("OK")
        // gpg-agent's wish to forget a stored passphrase: it can be wrong for one key file alone.
        case "NOP", "CLEARPASSPHRASE": try reply("OK")
        case "HELP":
            for name in PinentryServer.descriptions + ["OPTION", "SETKEYINFO", "GETPIN", "CONFIRM"]
            {
                try reply("# \(name)")
            }
            try reply("OK")
        default: try reply(.unknownCommand)
        }
    }

    private mutating func setOption(_ option: String) throws(KeychainError) {
        // Without it pinentry uses no other store.
        if option != "allow-external-password-cache" {
            let name = option.prefix { $0 != "=" && $0 != " " }
            options.removeAll { $0.name == name }
            guard options.count < PinentryServer.optionLimit else {
                return try reply(.tooMany)
            }
            options.append((name, "OPTION \(option)"))
        }
        try reply("OK")
    }

    private func getInformation(_ what: String) throws(KeychainError) {
        let information: String
        switch what {
        case "pid": information = String(session.processID)
        case "version": information = session.version
        case "flavor": information = "lanyard"
        default: return try reply(.unknownParameter)
        }
        try reply("D \(information)")
        try reply("OK")
    }

    private mutating func getPIN() throws(KeychainError) {
        if let keygrip, !isWrong, given.insert(keygrip).inserted {
            do throws(KeychainError) {
                if let passphrase = try stored(keygrip) {
                    return try reply(with: passphrase)
                }
            } catch {
                guard error.status != .userCanceled else {
                    return try reply(.canceled)
                }
                // You can still type it.
                session.note("the passphrase can't be read: \(error.reason)")
            }
        }
        try ask("GETPIN")
    }

    /// Whether gpg-agent could not use the last passphrase.
    private var isWrong: Bool {
        dialog.contains { $0.command == "SETERROR" && $0.line != "SETERROR" }
    }

    private func stored(_ keygrip: Keygrip) throws(KeychainError) -> Secret? {
        try session.keychain().secret(
            named: PinentryServer.accessGroup, account: keygrip.text,
            in: PinentryServer.accessGroup)
    }

    /// Lets the user's pinentry ask, and passes its answer on.
    private mutating func ask(_ question: String) throws(KeychainError) {
        let commands = options.map({ $0.line }) + dialog.map({ $0.line }) + [question]
        // Each error belongs to one question.
        dialog.removeAll { $0.command == "SETERROR" }
        let answer: PinentryAnswer
        do throws(KeychainError) {
            answer = try session.askPinentry(commands)
        } catch {
            guard error.status != .userCanceled else {
                return try reply(.canceled)
            }
            session.note(error.reason)
            return try reply(.noPinentry)
        }
        switch answer {
        case .ok(let data): try reply(with: data)
        case .error(let number): try reply("ERR \(number) pinentry failed")
        }
    }
}

/// Answers in Assuan's form.
extension PinentryServer {
    /// Numbers of libgpg-error, with pinentry as their source.
    private enum Failure: String {
        case canceled = "83886179 canceled"
        case noPinentry = "83886166 no pinentry"
        case tooMany = "83886262 too many options"
        case lineTooLong = "83886343 line too long"
        case unknownCommand = "83886355 unknown command"
        case unknownParameter = "83886360 unknown parameter"
    }

    /// A line has at most 1000 bytes.
    private static let dataLimit = 900

    private func reply(_ line: String) throws(KeychainError) {
        try session.write(Secret("\(line)\n"))
    }

    private func reply(_ failure: Failure) throws(KeychainError) {
        try reply("ERR \(failure.rawValue)")
    }

    /// Writes data, percent-encoded, and consent.
    private func reply(with data: borrowing Secret) throws(KeychainError) {
        var lines = SecretBuilder(capacity: 3 * data.count + 16)
        data.withBytes { bytes in
            var length = PinentryServer.dataLimit
            for index in bytes.indices {
                if length >= PinentryServer.dataLimit {
                    lines.append(index == 0 ? "D " : "\nD ")
                    length = 0
                }
                switch bytes[index] {
                case UInt8(ascii: "%"): lines.append("%25")
                case UInt8(ascii: "\r"): lines.append("%0D")
                case UInt8(ascii: "\n"): lines.append("%0A")
                case let byte: lines.append(byte)
                }
                length += 3
            }
        }
        lines.append(data.count == 0 ? "OK\n" : "\nOK\n")
        try session.write(lines.finish())
    }
}
