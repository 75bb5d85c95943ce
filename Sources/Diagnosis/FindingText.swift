internal import LinuxSystem

/// A line about a finding that knows which of its parts tell of a person: these are left out where it
/// is to be shown to others.
///
/// What is put into it has to be named: a text of unknown origin does not compile.
public struct FindingText: Sendable, ExpressibleByStringInterpolation {
    /// A part of the line.
    enum Part: Sendable {
        /// Words of ours, and numbers.
        case plain(String)
        /// A path.
        case path(String)
        /// A path as a shell takes it.
        case quotedPath(String)
        /// A name, a host, or anything else of somebody's choosing; and what stands for it.
        case name(String, standIn: String)
    }

    let parts: [Part]

    /// A line without anything in it.
    public init(stringLiteral value: String) {
        parts = [.plain(value)]
    }

    /// A line with parts.
    public init(stringInterpolation: Interpolation) {
        parts = stringInterpolation.parts
    }

    /// The line for the person it is about.
    public var full: String {
        parts.map { part in
            switch part {
            case .plain(let text), .path(let text), .name(let text, _): text
            case .quotedPath(let path): PrivatePlace.quoted(path)
            }
        }.joined()
    }

    /// The line for others: without names, and of paths only what is the same for everybody.
    ///
    /// - Parameter home: The home folder, nil if it is not known.
    public func redacted(home: String?) -> String {
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

    /// Whether every word of a path in the home folder is one that somebody else's has too.
    private static func isWellKnown(_ path: Substring) -> Bool {
        path.split(separator: "/").allSatisfy { known.contains(String($0)) }
    }

    private static let known: Set<String> = [
        ".config", ".local", "share", "state", "lanyard", "config", "data", "machine-key", "setup",
        "login.keychain", ".gitconfig", "git", "credentials", ".git-credentials", ".docker",
        "config.json", ".netrc", "containers", "auth.json", "registries.conf",
        "registries.conf.d", "zz-lanyard.conf", ".bin", "bin",
    ]
}

extension FindingText {
    /// Takes the parts of a line.
    public struct Interpolation: StringInterpolationProtocol {
        var parts: [Part] = []

        /// Begins a line.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Words of ours.
        public mutating func appendLiteral(_ literal: String) {
            parts.append(.plain(literal))
        }

        /// Words that are the same for everybody.
        public mutating func appendInterpolation(plain text: String) {
            parts.append(.plain(text))
        }

        /// A number.
        public mutating func appendInterpolation(_ number: Int) {
            parts.append(.plain(String(number)))
        }

        /// A path.
        public mutating func appendInterpolation(path: String) {
            parts.append(.path(path))
        }

        /// A path as a shell takes it.
        public mutating func appendInterpolation(quoted path: String) {
            parts.append(.quotedPath(path))
        }

        /// A name of somebody's choosing.
        public mutating func appendInterpolation(name: String) {
            parts.append(.name(name, standIn: "NAME"))
        }

        /// A host or a URL.
        public mutating func appendInterpolation(host: String) {
            parts.append(.name(host, standIn: "HOST"))
        }

        /// A name of somebody's choosing as a shell takes it.
        public mutating func appendInterpolation(nameArgument name: String) {
            parts.append(.name(PrivatePlace.quoted(name), standIn: "NAME"))
        }

        /// A host or a URL as a shell takes it.
        public mutating func appendInterpolation(hostArgument host: String) {
            parts.append(.name(PrivatePlace.quoted(host), standIn: "HOST"))
        }

        /// What another program, or an error, says: it may hold anything.
        public mutating func appendInterpolation(said words: String) {
            parts.append(.name(words, standIn: "…"))
        }

        /// A line in a line.
        public mutating func appendInterpolation(_ text: FindingText) {
            parts += text.parts
        }
    }
}
