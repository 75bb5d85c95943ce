internal import PlainTextFormats

/// How a program without a credential protocol takes its secret: in variables, or in a file whose path it
/// gets.
///
/// The secret of a profile is a generic password whose service is the profile's name; further secrets are
/// items with the service `NAME/PART`.
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
    /// The address of the page, or the command, that creates the secret; nil for users' own profiles.
    package let signIn: String?
    /// What the account is, for users.
    package let accountWord: String
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

        /// Creates a variable with a value.
        package init(_ name: String, _ value: ProfileValue, isOptional: Bool = false) {
            self.name = name
            self.value = value
            self.isOptional = isOptional
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

        /// Creates a file with a content.
        package init(_ place: Place, _ content: [ProfileValue], quoting: ValueQuoting = .none) {
            self.place = place
            self.content = content
            self.quoting = quoting
        }
    }

    /// Creates a profile; by default it has one program with its name.
    package init(
        _ name: String, programs: [String]? = nil, variables: [Variable] = [], files: [File] = [],
        plainText: [SecretFile] = [], accountWord: String = "ACCOUNT", signIn: String?,
        sources: [String]
    ) {
        self.name = name
        self.programs = programs ?? [name]
        self.variables = variables
        self.files = files
        self.plainText = plainText
        self.accountWord = accountWord
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

    /// Everything that the variables and files contain, each value once, in their order.
    package var values: [ProfileValue] {
        var values: [ProfileValue] = []
        for value in variables.map(\.value) + files.flatMap(\.content) where !values.contains(value)
        {
            values.append(value)
        }
        return values
    }

    /// The parts that the program can't do without.
    package var requiredParts: [String] {
        let optional = Set(variables.filter(\.isOptional).map(\.value))
        return values.filter { !optional.contains($0) }.compactMap(\.part)
    }

    /// Returns the service of the item with a value, nil for a text.
    package func service(of value: ProfileValue) -> String? {
        switch value {
        case .secret, .account: name
        case .part(let part): "\(name)/\(part)"
        case .text: nil
        }
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

    /// Returns a variable that always has the same value.
    static func text(_ name: String, _ text: String) -> Self { Self(name, .text(text)) }
}
