internal import KeychainServices
package import PlainTextFormats

/// A file in which a program stores secrets in plain text.
package struct SecretFile: Hashable, Sendable {
    /// The path below the home folder, for example `.config/gh/hosts.yml`. If its name is `*.json`, these are all
    /// files of the folder whose names end so.
    package let path: String
    /// The file's format.
    package let format: PlainTextFormat
    /// The places of values in it; a single line has exactly one, with an empty path.
    package let keys: [PlainTextKey]
    /// Whether the whole file is the secret, not single values.
    package let isWhole: Bool
    /// What encrypts the values in braces; nil if the program encrypts none.
    package let encryption: String?
    /// The quotation marks that the program takes off a value of INI; others are a part of it.
    package let quotes: String
    /// Whether an import takes the account out with its secret: the program ignores its variables as long as the file
    /// names one.
    package let losesAccount: Bool

    /// How values name a variable that the program replaces; nil if it replaces none.
    package let variables: VariableForm?

    /// Creates the description of a file.
    package init(
        _ path: String, _ format: PlainTextFormat, _ keys: [PlainTextKey], isWhole: Bool = false,
        encryption: String? = nil, quotes: String = "\"'", losesAccount: Bool = false,
        variables: VariableForm? = nil
    ) {
        self.path = path
        self.format = format
        self.keys = keys
        self.isWhole = isWhole
        self.encryption = encryption
        self.quotes = quotes
        self.losesAccount = losesAccount
        self.variables = variables
    }

    /// Returns the description of a file whose only line is the secret.
    static func singleLine(_ path: String) -> SecretFile {
        SecretFile(path, .singleLine, [.secret([])])
    }
}

extension SecretFile {
    /// Returns a value that a file has for a scope, or for all of them; nil without one.
    ///
    /// - Parameters:
    ///   - name: The scope's name in the form of the items' services, nil for the only one.
    ///   - scope: How names of scopes match.
    package func text(
        of held: ProfileValue, in name: String?, _ scope: ToolScope?, _ text: Span<UInt8>
    ) -> String? {
        let values = PlainTextValues.search(text, format)
        func content(_ value: PlainTextValue) -> String {
            let content = value.name(in: text)
            return scope?.canonical(content) ?? content
        }
        let names = values.filter { value in
            keys.contains { $0.holds == .scope && $0.matches(value.path) }
        }
        var ofAll: String?
        for value in values {
            guard let key = keys.first(where: { $0.matches(value.path) }),
                key.holds == held, !value.range.isEmpty
            else {
                continue
            }
            let text = value.name(in: text)
            let next =
                names.first { $0.parent == value.parent && $0.parentPath == value.parentPath }
                ?? names.last {
                    $0.range.lowerBound < value.range.lowerBound
                        && value.path.starts(with: $0.parentPath)
                }
            let section = scope.flatMap { scope in
                key.scope(of: value.path).map(scope.canonical)
            }
            let own = next.map(content) ?? section ?? key.scope
            if own == name {
                return text
            } else if own == nil {
                ofAll = text
            }
        }
        return ofAll
    }
}

extension SecretFile {
    /// Returns the last one of such values in some sections, which a program joins; nil without any.
    package func joinedText(
        of held: ProfileValue, in names: [String], _ text: Span<UInt8>
    ) -> String? {
        let value = PlainTextValues.search(text, format).last { value in
            keys.contains { key in
                key.holds == held && key.matches(value.path)
                    && key.scope(of: value.path).map(names.contains) == true
            }
        }
        return value?.name(in: text)
    }

    /// Returns the bytes that are a value to the program.
    package func range(of value: PlainTextValue, in text: Span<UInt8>) -> Range<Int> {
        let range = value.range
        guard format == .ini, value.isVerbatim, range.lowerBound > 0, range.upperBound < text.count
        else {
            return range
        }
        let mark = text[range.lowerBound - 1]
        return "\"'".utf8.contains(mark) && !quotes.utf8.contains(mark)
            ? range.lowerBound - 1..<range.upperBound + 1 : range
    }

    /// Whether a secret is among those of a file, or the file has none: of one that is the secret as a whole, all of it.
    package func mayHave(_ secret: Span<UInt8>, in text: Span<UInt8>) -> Bool {
        let values = PlainTextValues.search(text, format).filter { value in
            let key = keys.first { $0.matches(value.path) }
            return key?.holds == .secret && key?.exclusion == nil && !value.range.isEmpty
        }
        guard !values.isEmpty, !isWhole else {
            return values.isEmpty || text.extracting(text.withoutBlankBytes).hasBytes(of: secret)
        }
        return values.contains { value in
            value.content?.withBytes { $0.hasBytes(of: secret) }
                ?? text.extracting(range(of: value, in: text)).hasBytes(of: secret)
        }
    }
}

extension Span where Element == UInt8 {
    fileprivate func hasBytes(of other: Span<UInt8>) -> Bool {
        count == other.count && indices.allSatisfy { self[$0] == other[$0] }
    }

    /// The range without blanks and line breaks at both ends.
    fileprivate var withoutBlankBytes: Range<Int> {
        var (start, end) = (0, count)
        while start < end, " \t\r\n".utf8.contains(self[start]) {
            start += 1
        }
        while end > start, " \t\r\n".utf8.contains(self[end - 1]) {
            end -= 1
        }
        return start..<end
    }
}

/// A value in a plain-text file.
package struct PlainTextKey: Hashable, Sendable {
    /// A step to the value.
    package enum Step: Hashable, Sendable, ExpressibleByStringLiteral {
        /// The member, section or key with this name.
        case named(String)
        /// Every member of an object, every element of a list, every section or key.
        case any
        /// Every member, section or key whose name ends so.
        case ending(String)
        /// Every member, section or key whose name starts so.
        case starting(String)

        /// `*` is every step, `*text` every one that ends so, `text*` every one that starts so.
        package init(stringLiteral text: String) {
            if text == "*" {
                self = .any
            } else if text.hasPrefix("*") {
                self = .ending(String(text.dropFirst()))
            } else if text.hasSuffix("*") {
                self = .starting(String(text.dropLast()))
            } else {
                self = .named(text)
            }
        }

        /// Whether a name matches.
        package func matches(_ name: String) -> Bool {
            switch self {
            case .named(let own): own == name
            case .any: true
            case .ending(let end): name.hasSuffix(end)
            case .starting(let start): name.hasPrefix(start)
            }
        }
    }

    /// Why an import leaves a secret.
    package enum Exclusion: Hashable, Sendable {
        /// The profile can't pass it on: it is for another server, for example.
        case otherUse
        /// The program renews it.
        case session
        /// The program has encrypted it.
        case encrypted
    }

    /// The steps from the top of the file; empty for the whole file.
    package let path: [Step]
    /// The meaning of the value: never a text.
    package let holds: ProfileValue
    /// Why an import leaves the value; nil if the profile passes it on.
    package let exclusion: Exclusion?
    /// What tells the secret from another one of the same section, nil for the only one.
    package let label: String?
    /// The scope of a value that no step names; nil for the one that the file names as active, or the profile's fallback.
    package let scope: String?

    /// Creates the description of a value.
    package init(
        _ path: [Step], holds: ProfileValue, exclusion: Exclusion? = nil, label: String? = nil,
        scope: String? = nil
    ) {
        self.path = path
        self.holds = holds
        self.exclusion = exclusion
        self.label = label
        self.scope = scope
    }

    /// Whether the names lead to this place.
    package func matches(_ names: [String]) -> Bool {
        path.count == names.count && zip(path, names).allSatisfy { $0.matches($1) }
    }

    /// Returns the place of the secret.
    static func secret(
        _ path: [Step], label: String? = nil, scope: String? = nil
    ) -> PlainTextKey {
        PlainTextKey(path, holds: .secret, label: label, scope: scope)
    }

    /// Returns the place of a secret that the profile has no use for.
    static func otherSecret(
        _ path: [Step], _ exclusion: Exclusion = .otherUse
    ) -> PlainTextKey {
        PlainTextKey(path, holds: .secret, exclusion: exclusion)
    }

    /// Returns the place of the account.
    static func account(_ path: [Step]) -> PlainTextKey { PlainTextKey(path, holds: .account) }

    /// Returns the place of the scope.
    static func scope(_ path: [Step]) -> PlainTextKey { PlainTextKey(path, holds: .scope) }

    /// Returns the place of a part's secret.
    ///
    /// - Parameter label: That of the secret that it belongs to, nil for any.
    static func part(_ part: String, _ path: [Step], label: String? = nil) -> PlainTextKey {
        PlainTextKey(path, holds: .part(part), label: label)
    }
}
