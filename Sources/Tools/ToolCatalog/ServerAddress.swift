internal import KeychainServices

/// A part that is the address of the server for the secret: the secret goes to no other one.
package struct ServerAddress: Hashable, Sendable {
    /// The part.
    package let part: String
    /// The program's options that name an address.
    package let options: [String]
    /// The variables that name one, in their order: `*` is the scope's name in capitals.
    package let variables: [String]
    /// Where files of a project name one, which holds next to those.
    package let entries: [ToolScope.ActiveEntry]
    /// The address of a secret whose file names none; nil if it is for any.
    package let usual: String?
    /// The part without which a secret has no usual address, nil for none.
    package let usualNextTo: String?

    /// Creates the description of a part.
    package init(
        _ part: String, options: [String] = [], variables: [String] = [],
        entries: [ToolScope.ActiveEntry] = [], usual: String? = nil, nextTo other: String? = nil
    ) {
        self.part = part
        self.options = options
        self.variables = variables
        self.entries = entries
        self.usual = usual
        usualNextTo = other
    }

    /// Returns the address that a program is asked for, nil if it is asked for none.
    ///
    /// - Parameters:
    ///   - words: The program's arguments, without its name.
    ///   - scope: The name of the scope in use, nil without one.
    ///   - variable: Returns the value of a variable, nil for one that is not set.
    package func asked(
        _ words: [String], in scope: String? = nil, _ variable: (String) -> String?
    ) -> String? {
        if let option = ToolScope.value(of: options, in: words) {
            return option
        }
        let names = variables.compactMap { name in
            name.contains("*") ? scope.map { name.replacing("*", with: $0.uppercased()) } : name
        }
        return names.compactMap(variable).first { !$0.isEmpty }
    }

    /// Whether two addresses mean one server. A missing scheme is https.
    package static func areSame(_ one: String, _ other: String) -> Bool {
        canonical(one) == canonical(other)
    }

    /// Returns the host of an address, with a port that is not the scheme's, in lower case.
    package static func host(of address: String) -> String {
        let address = canonical(address)
        let start = address.firstRange(of: "://")?.upperBound ?? address.startIndex
        let host = address[start...].prefix { !"/\\".contains($0) }
        return String(host.split(separator: "@").last ?? "")
    }

    private static func canonical(_ address: String) -> String {
        var rest = Substring(address.trimmed)
        var scheme = "https"
        if let end = rest.firstRange(of: "://") {
            scheme = rest[..<end.lowerBound].lowercased()
            rest = rest[end.upperBound...]
        }
        // Browsers' URLs have a backslash for a slash, and so have programs of Node.
        var host = rest.prefix { !"/\\?#".contains($0) }
        // A query chooses an organization, for example.
        let path = rest.dropFirst(host.count).prefix { !"?#".contains($0) }
        if host.hasSuffix(scheme == "http" ? ":80" : ":443") {
            host = host[..<(host.lastIndex(of: ":") ?? host.endIndex)]
        }
        return "\(scheme)://\(host.lowercased())\(path.hasSuffix("/") ? path.dropLast() : path)"
    }
}

extension String {
    fileprivate var trimmed: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
