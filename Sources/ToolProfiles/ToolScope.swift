internal import KeychainServices
package import PlainTextFormats

/// What a program's file binds each of its secrets to, such as a context or a host.
///
/// The item `NAME@SCOPE` is for that one alone. The item `NAME`, which a user stores, is for any.
package struct ToolScope: Hashable, Sendable {
    /// How names of scopes match.
    package enum Kind: Hashable, Sendable {
        /// As they are.
        case name
        /// As hosts: scheme, user and path of an address mean nothing.
        case host
        /// A folder means also those below it; the deepest one counts.
        case folder
        /// A group of an option file: the program's own, then `client`.
        case group
        /// Host, port and database of libpq's password file.
        case server
    }

    /// How names match.
    package let kind: Kind
    /// The word for users: `context`.
    package let word: String
    /// The program's options that name one: `--context`, `-c`, or `-endpoint` of a program without short ones.
    package let options: [String]
    /// The variables that name one, in their order.
    package let variables: [String]
    /// Where the program's files name the active one.
    package let active: [ActiveEntry]
    /// Where they name the active account of each scope.
    package let activeAccount: ActiveEntry?
    /// Whether the host of the git repository around the program comes before the active one.
    package let asksRepository: Bool
    /// The one that the program uses without any name, nil if it has none.
    package let fallback: String?

    /// Creates a scope.
    package init(
        _ kind: Kind, _ word: String, options: [String] = [], variables: [String] = [],
        active: [ActiveEntry] = [], activeAccount: ActiveEntry? = nil, asksRepository: Bool = false,
        fallback: String? = nil
    ) {
        self.kind = kind
        self.word = word
        self.options = options
        self.variables = variables
        self.active = active
        self.activeAccount = activeAccount
        self.asksRepository = asksRepository
        self.fallback = fallback
    }

    /// A place in a file that names the active scope.
    package struct ActiveEntry: Hashable, Sendable {
        /// The path below the home folder.
        package let path: String
        /// The file's format.
        package let format: PlainTextFormat
        /// The steps to its name; several names are joined by colons.
        package let keys: [[PlainTextKey.Step]]
        /// Whether the value is `true`, and the name that of its section.
        package let isFlag: Bool

        /// Creates a place.
        package init(
            _ path: String, _ format: PlainTextFormat, _ keys: [PlainTextKey.Step]...,
            isFlag: Bool = false
        ) {
            self.path = path
            self.format = format
            self.keys = keys
            self.isFlag = isFlag
        }

        /// Returns the name in a file, nil without one.
        ///
        /// - Parameter section: The section of a value whose steps have a `*`; nil for any.
        package func name(in text: Span<UInt8>, section: String? = nil) -> String? {
            let values = PlainTextValues.search(text, format)
            var names: [String] = []
            for key in keys {
                let value = values.last { value in
                    let step = PlainTextKey(key, holds: .scope)
                    guard step.matches(value.path) else {
                        return false
                    }
                    return isFlag
                        ? text.extracting(value.range).equals("true")
                        : section == nil || step.scope(of: value.path) == section
                }
                guard let value else {
                    return nil
                }
                let text = text.extracting(value.range)
                let name =
                    isFlag
                    ? PlainTextKey(key, holds: .scope).scope(of: value.path) ?? ""
                    : String(decoding: (text.indices.map { text[$0] }), as: UTF8.self)
                names.append(name.trimming("\""))
            }
            return names.contains("") ? nil : names.joined(separator: ":")
        }
    }

    /// Returns a name in the form of the items' services.
    package func canonical(_ name: String) -> String {
        guard kind == .host else {
            return name
        }
        var host = Substring(name)
        if let scheme = host.firstRange(of: "://") {
            host = host[scheme.upperBound...]
        }
        host = host.prefix { $0 != "/" }
        if let user = host.lastIndex(of: "@") {
            host = host[host.index(after: user)...]
        }
        return host.lowercased()
    }

    /// Returns the name that the program is asked for by its options, else by its variables; nil if by none.
    ///
    /// - Parameters:
    ///   - words: The program's arguments, without its name.
    ///   - variable: Returns the value of a variable, nil for one that is not set.
    package func asked(_ words: [String], _ variable: (String) -> String?) -> String? {
        let named =
            ToolScope.value(of: options, in: words)
            ?? variables.compactMap(variable).first { !$0.isEmpty }
        return named.flatMap(name)
    }

    /// Returns the scope that an option's value names: of `HOST/OWNER/REPOSITORY` the host.
    private func name(_ value: String) -> String? {
        guard asksRepository, !value.contains("://") else {
            return canonical(value)
        }
        let parts = value.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 2 ? nil : canonical(value)
    }

    /// Returns the value of the last one of some options before `--`, nil without one.
    static func value(of options: [String], in words: [String]) -> String? {
        var value: String?
        for (index, word) in words.enumerated() {
            if word == "--" {
                break
            }
            for option in options {
                if word == option {
                    value = index + 1 < words.count ? words[index + 1] : value
                } else if word.hasPrefix("\(option)=") {
                    value = String(word.dropFirst(option.count + 1))
                } else if option.count == 2, word.hasPrefix(option), !option.hasSuffix("-") {
                    value = String(word.dropFirst(2))
                }
            }
        }
        return value
    }
}

extension PlainTextKey {
    /// Returns the name of the first step that matches several: a section, or a member of an object; nil without one.
    package func scope(of names: [String]) -> String? {
        for (step, name) in zip(path, names) {
            switch step {
            case .named: continue
            case .any: return name.isEmpty ? nil : name
            case .ending(let end): return String(name.dropLast(end.count))
            case .starting(let start): return String(name.dropFirst(start.count))
            }
        }
        return nil
    }
}

extension String {
    fileprivate func trimming(_ quote: Character) -> String {
        count > 1 && first == quote && last == quote ? String(dropFirst().dropLast()) : self
    }
}
