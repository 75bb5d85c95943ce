internal import GitCredential
internal import LanyardPrompting
package import KeychainServices
internal import LinuxSystem

/// A place that git logs in to, in the form of a helper's request.
package struct GitPlace: Sendable {
    /// The scheme, for example `https`.
    package let `protocol`: ByteString
    /// The host, with a port if it has one.
    package let host: ByteString
    /// The path, nil for none.
    package let path: ByteString?
    /// The account, nil for any.
    package let username: ByteString?

    /// Creates a place from these parts.
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

    /// The URL, for users.
    fileprivate var text: String { "\(`protocol`)://\(host)/\(path?.description ?? "")" }
}

/// The answers of another git credential helper for some places: such helpers can't list their logins.
package struct GitHelperSource: ImportSource {
    private let program: AskedProgram
    private let places: [GitPlace]

    /// Limits the bytes of an answer: 1 MiB.
    private static let limit = 1 << 20

    /// Creates a source from a helper in git's configuration.
    ///
    /// - Parameters:
    ///   - helper: `NAME` with arguments for `git credential-NAME`, an absolute path with arguments, or `!`
    ///     and a shell command. The corresponding section of gitcredentials(7) is "CUSTOM HELPERS".
    ///   - timeLimit: How many seconds an answer may take.
    package init(_ helper: String, _ places: [GitPlace], timeLimit: UInt32) {
        let command =
            helper.hasPrefix("!")
            ? String(helper.dropFirst())
            : helper.hasPrefix("/") ? helper : "git credential-\(helper)"
        // The helper must not ask the user for a login that it does not have.
        let script = "export GIT_TERMINAL_PROMPT=0 GCM_INTERACTIVE=never; \(command) get"
        let name = helper.split(separator: " ").first ?? ""
        program = AskedProgram(
            "the helper '\(name)'", path: "/bin/sh", ["-c", script], timeLimit: timeLimit)
        self.places = places
    }

    /// The number of places.
    package var count: Int { places.count }

    /// Passes the helper's login for each place to a closure.
    ///
    /// - Throws: ``Status/notAvailable`` if the helper can't be run or does not answer in time, what the
    ///   closure throws.
    package func forEach(_ body: ImportRecord.Body) throws(KeychainError) {
        for place in places {
            let content: ImportRecord.Content
            do throws(KeychainError) {
                content = try ask(place)
            } catch  where error.status == .param {
                content = .failed(error)
            }
            try body(ImportRecord(place: "'\(place.text)'", range: nil, content: content))
        }
    }

    private func ask(_ place: GitPlace) throws(KeychainError) -> ImportRecord.Content {
        let request = place.lines + [UInt8(ascii: "\n")]
        let answer = try program.answer(to: request.span, limit: GitHelperSource.limit)
        guard answer.status != 127 else {
            throw KeychainError(.notAvailable, "no program found for \(program.name)")
        }
        guard answer.status == 0 else {
            return .failed(
                KeychainError(
                    .notAvailable, "\(program.name) failed with status \(answer.status)"))
        }
        // As in git, the helper's answer takes precedence over the request.
        var login = try GitCredentialRequest(parsing: answer.text)
        login.fillAbsent(from: try GitCredentialRequest(parsing: Secret(copying: place.lines.span)))
        return login.content
    }
}

extension GitCredentialRequest {
    /// The item for the login.
    fileprivate var content: ImportRecord.Content {
        switch item(at: SystemCalls.now()) {
        case .some(let item): .item(item.newItem())
        case .none:
            .failed(KeychainError(.itemNotFound, "the helper has no valid login for it"))
        }
    }
}
