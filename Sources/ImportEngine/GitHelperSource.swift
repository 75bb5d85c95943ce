internal import GitCredential
internal import Prompting
package import ItemImport
package import KeychainServices
internal import LinuxSystem

/// A place that git logs in to, as it tells helpers of it.
package struct GitPlace: Sendable {
    /// The scheme, for example `https`.
    package let `protocol`: ByteString
    /// The host, with a port if it has one.
    package let host: ByteString
    /// The path, nil for none.
    package let path: ByteString?
    /// The user's name, nil for any.
    package let username: ByteString?

    /// A place of these parts.
    package init(
        protocol: ByteString, host: ByteString, path: ByteString?, username: ByteString?
    ) {
        self.protocol = `protocol`
        self.host = host
        self.path = path
        self.username = username
    }

    /// The lines of a request.
    fileprivate var lines: [UInt8] {
        var lines: [UInt8] = []
        let fields: [(String, ByteString?)] = [
            ("protocol", `protocol`), ("host", host), ("path", path), ("username", username),
        ]
        for (key, value) in fields {
            if let value {
                lines += Array("\(key)=".utf8) + value.bytes + [UInt8(ascii: "\n")]
            }
        }
        return lines
    }

    /// The URL, for a person.
    fileprivate var text: String { "\(`protocol`)://\(host)/\(path?.description ?? "")" }
}

/// What another credential helper of git answers for some places: helpers can't list what they have.
package struct GitHelperSource: ImportSource {
    private let program: AskedProgram
    private let places: [GitPlace]

    /// How many bytes an answer may have: 1 MiB.
    private static let limit = 1 << 20

    /// A helper as git's configuration names it.
    ///
    /// - Parameters:
    ///   - helper: `NAME` with arguments for `git credential-NAME`, an absolute path with arguments, or
    ///     `!` and a command of the shell. The corresponding section of gitcredentials(7) is "CUSTOM
    ///     HELPERS".
    ///   - timeLimit: How many seconds an answer may take.
    package init(_ helper: String, _ places: [GitPlace], timeLimit: UInt32) {
        let command =
            helper.hasPrefix("!")
            ? String(helper.dropFirst())
            : helper.hasPrefix("/") ? helper : "git credential-\(helper)"
        // Nobody is to be asked for a login that the helper does not have.
        let script = "export GIT_TERMINAL_PROMPT=0 GCM_INTERACTIVE=never; \(command) get"
        let name = helper.split(separator: " ").first ?? ""
        program = AskedProgram(
            "the helper '\(name)'", path: "/bin/sh", ["-c", script], timeLimit: timeLimit)
        self.places = places
    }

    /// How many places there are.
    package var count: Int { places.count }

    /// Hands what the helper has for each place to a closure.
    ///
    /// - Throws: ``Status/notAvailable`` if the helper can't be run or does not answer in time, what the
    ///   closure throws.
    package func forEach(
        _ body: (ImportRecord) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        for place in places {
            let content: ImportRecord.Content
            do throws(KeychainError) {
                content = try ask(place)
            } catch {
                guard error.status == .param else {
                    throw error
                }
                content = .skipped(reason: error.reason)
            }
            try body(ImportRecord(place: "'\(place.text)'", range: nil, content: content))
        }
    }

    private func ask(_ place: GitPlace) throws(KeychainError) -> ImportRecord.Content {
        let answer = try program.answer(
            to: place.lines + [UInt8(ascii: "\n")], limit: GitHelperSource.limit)
        guard answer.status != 127 else {
            throw KeychainError(.notAvailable, "there is no program for \(program.name)")
        }
        guard answer.status == 0 else {
            return .skipped(reason: "\(program.name) failed with status \(answer.status)")
        }
        // As git does: what the helper says counts more than what it was asked.
        var login = try GitCredentialRequest(parsing: answer.text)
        login.fillAbsent(from: try GitCredentialRequest(parsing: Secret(copying: place.lines.span)))
        return login.content
    }
}

extension GitCredentialRequest {
    /// The item of the login; skipped if there is none in it.
    fileprivate var content: ImportRecord.Content {
        switch item(at: SystemCalls.now()) {
        case .some(let item): .item(item.newItem())
        case .none: .skipped(reason: "the helper has no login for it that is still good")
        }
    }
}
