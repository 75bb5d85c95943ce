internal import PlainTextFormats

/// How a program without a credential protocol takes its secret: in variables, or in a file whose path it
/// gets.
///
/// The secret of a profile is a generic password whose service is the profile's name; further secrets are
/// items with the service `NAME/PART`. A secret of one scope has the service `NAME@SCOPE`.
package struct ToolProfile: Hashable, Sendable {
    /// The name, which is also the service of the item, for example `stripe`.
    package let name: String
    /// The programs that the profile is for; none if only libraries read its variables.
    package let programs: [String]
    /// The variables to set.
    package let variables: [Variable]
    /// The files to pass.
    package let files: [File]
    /// Where the programs store the secret in plain text.
    package let plainText: [SecretFile]
    /// What moves these files, and those that name the active scope.
    package let moves: [FileMove]
    /// The parts with the address of the secret's server.
    package let addresses: [ServerAddress]
    /// What gives the program another secret, which comes first: options and variables, each alone or with others.
    package let rivals: [[String]]
    /// How its programs write options.
    package let syntax: OptionSyntax
    /// The variable with further arguments, which come before the others; nil if it reads none.
    package let argumentsVariable: String?
    /// The address of the page, or the command, that creates the secret; nil for users' own profiles.
    package let signIn: String?
    /// What the file binds each secret to; nil if it has only one secret, or the program finds the right one itself.
    package let scope: ToolScope?
    /// What the account is, for users.
    package let accountWord: String
    /// The program's options and variables that name the account, besides those that follow from ``variables``: `*` in a
    /// variable is the scope's name in capitals.
    package let accountNames: [String]
    /// The documents that name the variables and files: addresses, or `OWNER/REPOSITORY/PATH` on GitHub.
    package let sources: [String]

    /// A variable and its value.
    package struct Variable: Hashable, Sendable {
        /// The variable's name.
        package let name: String
        /// Its value.
        package let value: ProfileValue
        /// Whether the program also runs without it.
        package let isOptional: Bool
        /// Its value for an item of one scope that has it, nil for the same.
        package let scoped: ProfileValue?
        /// The scopes of items that it is for, nil for all.
        package let scopes: Scopes?

        /// Some scopes: their names, or how they end, such as `.ghe.com`.
        package enum Scopes: Hashable, Sendable {
            /// These.
            case among([String])
            /// All but these.
            case besides([String])

            /// Whether a scope is among them.
            package func contains(_ scope: String) -> Bool {
                func has(_ names: [String]) -> Bool {
                    names.contains { $0.hasPrefix(".") ? scope.hasSuffix($0) : scope == $0 }
                }
                return switch self {
                case .among(let names): has(names)
                case .besides(let names): !has(names)
                }
            }
        }

        /// Creates a variable with a value.
        package init(
            _ name: String, _ value: ProfileValue, isOptional: Bool = false,
            scoped: ProfileValue? = nil, scopes: Scopes? = nil
        ) {
            self.name = name
            self.value = value
            self.isOptional = isOptional
            self.scoped = scoped
            self.scopes = scopes
        }
    }

    /// A file in memory.
    package struct File: Hashable, Sendable {
        /// How the program learns the file's path.
        package enum Place: Hashable, Sendable {
            /// In a variable.
            case variable(String)
            /// In an argument before all others, such as `--defaults-extra-file={}`: `{}` becomes the
            /// path.
            case argument(String)
        }

        /// How the program learns the path.
        package let place: Place
        /// The content: its parts in order.
        package let content: [ProfileValue]
        /// How values are written between the texts.
        package let quoting: ValueQuoting
        /// The texts before and after the content, which comes once for each item: the program chooses among
        /// them. Nil for a file with one item.
        package let frame: Frame?
        /// The parts that follow the content in lines of their own if there are items with them, and the text before each.
        package let optionalParts: [String: String]
        /// The program's options after which it can't take the file: they name another one, or none.
        package let rivals: [String]

        /// The values of its optional parts.
        package var optionalValues: [ProfileValue] {
            optionalParts.keys.sorted().map { .part($0) }
        }

        /// Two texts around all items.
        package struct Frame: Hashable, Sendable {
            /// The text before them.
            package let head: String
            /// The text after them.
            package let tail: String
        }

        /// Creates a file with a content.
        package init(
            _ place: Place, _ content: [ProfileValue], quoting: ValueQuoting = .none,
            frame: Frame? = nil, optionalParts: [String: String] = [:], rivals: [String] = []
        ) {
            self.place = place
            self.content = content
            self.quoting = quoting
            self.frame = frame
            self.optionalParts = optionalParts
            self.rivals = rivals
        }
    }

    /// Creates a profile; by default it has one program with its name.
    package init(
        _ name: String, programs: [String]? = nil, variables: [Variable] = [], files: [File] = [],
        plainText: [SecretFile] = [], moves: [FileMove] = [], scope: ToolScope? = nil,
        address addresses: ServerAddress..., rivals: [[String]] = [],
        syntax: OptionSyntax = OptionSyntax(), argumentsVariable: String? = nil,
        accountWord: String = "ACCOUNT", accountNames: [String] = [], signIn: String?,
        sources: [String]
    ) {
        self.name = name
        self.programs = programs ?? [name]
        self.variables = variables
        self.files = files
        self.plainText = plainText
        self.moves = moves
        self.addresses = addresses
        self.rivals = rivals
        self.syntax = syntax
        self.argumentsVariable = argumentsVariable
        self.scope = scope
        self.accountWord = accountWord
        self.accountNames = accountNames
        self.signIn = signIn
        self.sources = sources
    }

    /// The plain-text files that only its programs read: not .netrc.
    package var ownPlainText: [SecretFile] { plainText.filter { $0.format != .netrc } }

    /// Whether the program can't sign in without the item's account.
    package var needsAccount: Bool {
        variables.contains { $0.value == .account && !$0.isOptional }
            || files.contains { $0.content.contains(.account) }
    }

    /// Everything that the variables and files contain, and the server's address, each value once, in their order.
    package var values: [ProfileValue] {
        var values: [ProfileValue] = []
        let all =
            variables.map(\.value) + files.flatMap { $0.content + $0.optionalValues }
            + addresses.map { .part($0.part) }
        for value in all where !values.contains(value) {
            values.append(value)
        }
        return values
    }

    /// Whether the program gets a value.
    package func passes(_ value: ProfileValue) -> Bool {
        variables.contains { $0.value == value }
            || files.contains { ($0.content + $0.optionalValues).contains(value) }
    }

    /// The parts that the program can't do without.
    package var requiredParts: [String] {
        let optional = Set(
            variables.filter(\.isOptional).map(\.value) + files.flatMap(\.optionalValues))
        return values.filter { passes($0) && !optional.contains($0) }.compactMap(\.part)
    }

    /// The variables with a secret, or with the name of its account: another value of one of them means another account.
    package var ownVariables: [String] {
        let own = variables.filter { variable in
            switch variable.value {
            case .secret: true
            case .account: !variable.isOptional
            case .part(let part): part.hasSuffix("token") || part.hasSuffix("key")
            case .scope, .text: false
            }
        }.map(\.name)
        let moving = Set(moves.flatMap(\.variables))
        return own
            + files.compactMap { file in
                guard case .variable(let name) = file.place, !moving.contains(name) else {
                    return nil
                }
                return name
            }
    }

    /// The part with the date on which a secret expires.
    package static let endPart = "expires"

    /// Whether it has all items, of which the program chooses one.
    package var hasAllItems: Bool { files.contains { $0.frame != nil } }

    /// Returns the service of the item with a value, nil for a text and for a scope.
    ///
    /// - Parameter scope: The scope of the secret, nil for any.
    package func service(of value: ProfileValue, in scope: String? = nil) -> String? {
        let service = scope.map { "\(name)@\($0)" } ?? name
        return switch value {
        case .secret, .account: service
        case .part(let part): "\(service)/\(part)"
        case .scope, .text: nil
        }
    }

    /// Returns the scope in the service of an item with a secret: nil for any scope.
    ///
    /// - Returns: nil for the service of another item, or of a part.
    package func scope(inService service: String) -> String?? {
        guard service != name else {
            return .some(nil)
        }
        let ofHosts = scope?.kind == .host ? [ProfileValue.part(ToolProfile.serverPart)] : []
        let held = values + plainText.flatMap(\.keys).map(\.holds) + ofHosts
        guard service.hasPrefix("\(name)@"),
            !held.contains(where: { $0.part.map { service.hasSuffix("/\($0)") } ?? false })
        else {
            return nil
        }
        return .some(String(service.dropFirst(name.count + 1)))
    }
}

extension ToolProfile.Variable {
    /// Returns a variable with the secret.
    static func secret(_ name: String) -> Self { Self(name, .secret) }

    /// Returns a variable with the item's account; left out if the item has none.
    static func account(_ name: String) -> Self { Self(name, .account, isOptional: true) }

    /// Returns a variable with the item's account, without which the program can't sign in.
    static func requiredAccount(_ name: String) -> Self { Self(name, .account) }

    /// Returns a variable with the secret of a part; left out if there is no such item.
    static func part(_ name: String, _ part: String) -> Self {
        Self(name, .part(part), isOptional: true)
    }

    /// Returns a variable with the secret of a part, without which the program can't sign in.
    static func requiredPart(_ name: String, _ part: String) -> Self { Self(name, .part(part)) }

    /// Returns a variable with the scope of an item that is for one alone, else with another value; left out without
    /// both.
    static func scope(_ name: String, else value: ProfileValue) -> Self {
        Self(name, value, isOptional: true, scoped: .scope)
    }

    /// Returns a variable that always has the same value.
    static func text(_ name: String, _ text: String) -> Self { Self(name, .text(text)) }
}
