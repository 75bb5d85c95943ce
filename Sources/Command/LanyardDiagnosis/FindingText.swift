internal import KeychainServices
internal import LinuxSystem

/// A line about a finding that knows which of its parts are personal: a redacted version leaves them out.
///
/// Every inserted part has to be labelled: a text of unknown origin does not compile.
package struct FindingText: Sendable, ExpressibleByStringInterpolation {
    /// A part of the line.
    enum Part: Sendable {
        /// Lanyard's own words, and numbers.
        case plain(String)
        /// A path.
        case path(String)
        /// A path quoted for a shell.
        case quotedPath(String)
        /// A name, a host, or any other chosen text, and its replacement.
        case name(String, standIn: String)
    }

    let parts: [Part]

    /// Creates a line without inserted parts.
    package init(stringLiteral value: String) {
        parts = [.plain(value)]
    }

    /// Creates a line with inserted parts.
    package init(stringInterpolation: Interpolation) {
        parts = stringInterpolation.parts
    }

    /// The line for the user it is about.
    package var full: String {
        parts.map { part in
            switch part {
            case .plain(let text), .path(let text), .name(let text, _): text
            case .quotedPath(let path): path.shellQuoted
            }
        }.joined()
    }

    /// Returns the line for others: without names, and with only the well-known words of paths.
    ///
    /// - Parameter home: The home folder, nil if unknown.
    package func redacted(home: String?) -> String {
        parts.map { part in
            switch part {
            case .plain(let text): text
            case .path(let path), .quotedPath(let path):
                FindingText.redacted(path, home: home)
            case .name(_, let standIn): standIn
            }
        }.joined()
    }

    private static func redacted(_ path: String, home: String?) -> String {
        if let home, path == home {
            return "~"
        }
        if let home, path.hasPrefix("\(home)/") {
            let rest = path.dropFirst(home.count + 1)
            return isWellKnown(rest) ? "~/\(rest)" : "~/…"
        }
        let isSystem = ["/etc/", "/usr/", "/bin/", "/proc/"].contains {
            path.hasPrefix($0)
        }
        return isSystem || path == "/dev/null" ? path : "/…"
    }

    /// Whether every word of a path in the home folder is common to all users.
    private static func isWellKnown(_ path: Substring) -> Bool {
        path.split(separator: "/").allSatisfy { known.contains(String($0)) }
    }

    private static let known: Set<String> = [
        ".config", ".local", "share", "state", "lanyard", "config", "data", "machine-key", "setup",
        "login.keychain", ".gitconfig", "git", "credentials", ".git-credentials", ".docker",
        "config.json", ".netrc", "containers", "auth.json", "registries.conf",
        "registries.conf.d", "zz-lanyard.conf", ".bin", "bin",
        "dbus-1", "services", "org.freedesktop.secrets.service", "lanyard-secret-service",
    ]
}

extension FindingText {
    /// Collects the parts of a line.
    package struct Interpolation: StringInterpolationProtocol {
        var parts: [Part] = []

        /// Starts a line.
        package init(literalCapacity: Int, interpolationCount: Int) {}

        /// Appends Lanyard's own words.
        package mutating func appendLiteral(_ literal: String) {
            parts.append(.plain(literal))
        }

        /// Appends words that are the same for everyone.
        package mutating func appendInterpolation(plain text: String) {
            parts.append(.plain(text))
        }

        /// Appends a number.
        package mutating func appendInterpolation(_ number: Int) {
            parts.append(.plain(String(number)))
        }

        /// Appends a path.
        package mutating func appendInterpolation(path: String) {
            parts.append(.path(path))
        }

        /// Appends a path quoted for a shell.
        package mutating func appendInterpolation(quoted path: String) {
            parts.append(.quotedPath(path))
        }

        /// Appends a chosen name.
        package mutating func appendInterpolation(name: String) {
            parts.append(.name(name, standIn: "NAME"))
        }

        /// Appends a host or a URL.
        package mutating func appendInterpolation(host: String) {
            parts.append(.name(host, standIn: "HOST"))
        }

        /// Appends a chosen name, quoted for a shell.
        package mutating func appendInterpolation(nameArgument name: String) {
            parts.append(.name(name.shellQuoted, standIn: "NAME"))
        }

        /// Appends a host or a URL, quoted for a shell.
        package mutating func appendInterpolation(hostArgument host: String) {
            parts.append(.name(host.shellQuoted, standIn: "HOST"))
        }

        /// Appends the words of another program or an error, which may contain anything.
        package mutating func appendInterpolation(said words: String) {
            parts.append(.name(words, standIn: "…"))
        }

        /// Appends another line.
        package mutating func appendInterpolation(_ text: FindingText) {
            parts += text.parts
        }
    }
}
