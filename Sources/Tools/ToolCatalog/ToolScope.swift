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
        /// In any letter case, as viper reads names in files.
        case caselessName
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
    /// The program's options that name one: `--context`, `-c`, `-endpoint` of a program without short ones, or
    /// `--cluster *` if the word after the option's value does.
    package let options: [String]
    /// Further ones that only some of the profile's programs have.
    package let programOptions: [String: [String]]
    /// The options without a value that mean one.
    package let flags: [Flag]
    /// Those that mean an account of each scope.
    package let accounts: [String: String]
    /// The variables that name one, in their order.
    package let variables: [String]
    /// What names its server; nil if nothing does. Together with the above, both have to mean the same one.
    package let server: Server?
    /// The arguments that name one; nil if none does.
    package let arguments: Arguments?
    /// What names the port of a host; nil if the host alone does.
    package let port: Port?
    /// Other names of scopes. One that begins with a dot means all that end so.
    package let aliases: [String: String]
    /// Where the program's files name the active one.
    package let active: [ActiveEntry]
    /// Where they name the active account of each scope.
    package let activeAccount: ActiveEntry?
    /// Where they say which scope of the file a name means, such as the user of a context; the first one counts.
    package let meaning: [ActiveEntry]
    /// How options name repositories; the host of the git repository around the program then comes before the active one.
    /// Nil if they name none.
    package let repositories: Repositories?
    /// The one that the program uses without any name, nil if it has none.
    package let fallback: String?

    /// Creates a scope.
    package init(
        _ kind: Kind, _ word: String, options: [String] = [],
        programOptions: [String: [String]] = [:], flags: [Flag] = [],
        accounts: [String: String] = [:],
        variables: [String] = [], server: Server? = nil, arguments: Arguments? = nil,
        port: Port? = nil, aliases: [String: String] = [:], active: [ActiveEntry] = [],
        activeAccount: ActiveEntry? = nil, meaning: [ActiveEntry] = [],
        repositories: Repositories? = nil,
        fallback: String? = nil
    ) {
        self.kind = kind
        self.word = word
        self.options = options
        self.programOptions = programOptions
        self.flags = flags
        self.accounts = accounts
        self.variables = variables
        self.server = server
        self.arguments = arguments
        self.port = port
        self.aliases = aliases
        self.active = active
        self.activeAccount = activeAccount
        self.meaning = meaning
        self.repositories = repositories
        self.fallback = fallback
    }

    /// The options and variables of the program that name one, or its port or socket.
    package var names: [String] {
        let ports = (port?.options ?? []) + (port?.sockets ?? [])
        let options = options + programOptions.values.flatMap(\.self)
        return options.map { $0.replacing(" *", with: "") } + flags.flatMap(\.names)
            + (server?.options ?? []) + ports + variables + (server?.variables ?? [])
            + (port?.variables ?? [])
    }

    /// Options and variables that name the server of a scope.
    package struct Server: Hashable, Sendable {
        /// The options.
        package let options: [String]
        /// The variables, in their order.
        package let variables: [String]
        /// Where the program's files name a scope's server.
        package let entries: [ActiveEntry]
        /// Where they name the server of an item's scope.
        package let itemEntries: [ActiveEntry]

        /// Creates a description.
        package init(
            options: [String], variables: [String], entries: [ActiveEntry],
            itemEntries: [ActiveEntry]
        ) {
            self.options = options
            self.variables = variables
            self.entries = entries
            self.itemEntries = itemEntries
        }

        /// Returns the name that a program is asked for, nil without one.
        package func asked(_ words: [String], _ variable: (String) -> String?) -> String? {
            ToolScope.value(of: options, in: words)
                ?? variables.compactMap(variable).first { !$0.isEmpty }
        }
    }

    /// An option without a value that means a scope.
    package struct Flag: Hashable, Sendable {
        /// Its names.
        package let names: [String]
        /// The scope.
        package let scope: String
        /// Where a file has that scope's name instead; a word after the flag chooses a section other than `default`.
        package let entry: ActiveEntry?

        /// Creates a flag.
        package init(_ names: String..., means scope: String, entry: ActiveEntry? = nil) {
            self.names = names
            self.scope = scope
            self.entry = entry
        }
    }

    /// Arguments that name a host: addresses such as `https://HOST/PATH` and `git@HOST:PATH`.
    package struct Arguments: Hashable, Sendable {
        /// The only commands with such arguments; empty for all.
        package let commands: [String]
        /// The commands whose arguments may be any text.
        package let others: [String]
        /// The options whose values may be any text.
        package let texts: [String]
        /// The commands whose arguments may be `HOST/OWNER/REPOSITORY`.
        package let ofRepositories: [String]

        /// Creates a description.
        package init(
            of commands: [String] = [], notOf others: [String] = [], texts: [String] = [],
            repositoriesOf: [String] = []
        ) {
            self.commands = commands
            self.others = others
            self.texts = texts
            ofRepositories = repositoriesOf
        }
    }

    /// What names the port of a host, and a socket.
    package struct Port: Hashable, Sendable {
        /// The port without any name.
        package let fallback: String
        /// The options that name one.
        package let options: [String]
        /// The variables that name one.
        package let variables: [String]
        /// The options that name a socket, which comes before any host.
        package let sockets: [String]

        /// Creates a description.
        package init(
            _ fallback: String, options: [String] = [], variables: [String] = [],
            sockets: [String] = []
        ) {
            self.fallback = fallback
            self.options = options
            self.variables = variables
            self.sockets = sockets
        }
    }

    /// The names of repositories.
    package enum Repositories: Hashable, Sendable {
        /// `[HOST/]OWNER/REPOSITORY`.
        case ofOwners
        /// `[HOST/]GROUP/…/REPOSITORY`: a host has a dot.
        case ofGroups
    }

    /// A place in a file that names the active scope.
    package struct ActiveEntry: Hashable, Sendable {
        /// The path below the home folder, or `./NAME` of a file in the working folder or above it.
        package let path: String
        /// The file's format.
        package let format: PlainTextFormat
        /// The steps to its name; several names are joined by colons.
        package let keys: [[PlainTextKey.Step]]
        /// Where the name is.
        package let naming: Naming
        /// The programs that read it, nil for all of the profile.
        package let programs: Set<String>?
        /// What chooses the section of a step `*`; nil if the scope does.
        package let section: Section?

        /// What chooses a section.
        package struct Section: Hashable, Sendable {
            /// The options.
            package let options: [String]
            /// The variables, in their order.
            package let variables: [String]
            /// The steps to the value `true` in the section that is used without any of them.
            package let flag: [PlainTextKey.Step]
            /// The steps to its name in the configuration of the git repository around the program. The section of a
            /// repository has to be known.
            package let gitSetting: [PlainTextKey.Step]
            /// The commands that use no section.
            package let others: [String]

            /// Creates a description.
            package init(
                options: [String], variables: [String] = [], flag: [PlainTextKey.Step] = [],
                gitSetting: [PlainTextKey.Step] = [], notOf others: [String] = []
            ) {
                self.options = options
                self.variables = variables
                self.flag = flag
                self.gitSetting = gitSetting
                self.others = others
            }

            /// Returns the section that an option or a variable names, nil without one.
            package func named(
                _ words: [String], _ variable: (String) -> String?
            ) -> String? {
                ToolScope.value(of: options, in: words)
                    ?? variables.compactMap(variable).first { !$0.isEmpty }
            }
        }

        /// Where a name is.
        package enum Naming: Hashable, Sendable {
            /// It is the value.
            case value
            /// It is that of the section with the value `true`.
            case flaggedSection
            /// It is that of the only section.
            case onlySection
            /// It is the value in the element whose member of this name has the section's name.
            case besides(String)
        }

        /// Creates a place.
        package init(
            _ path: String, _ format: PlainTextFormat, _ keys: [PlainTextKey.Step]...,
            naming: Naming = .value, programs: Set<String>? = nil, section: Section? = nil
        ) {
            self.path = path
            self.format = format
            self.keys = keys
            self.naming = naming
            self.programs = programs
            self.section = section
        }

        /// Returns the section that a program uses of a file; nil if it is the only one.
        ///
        /// - Parameters:
        ///   - words: The program's arguments, without its name.
        ///   - variable: Returns the value of a variable, nil for one that is not set.
        package func section(
            in text: Span<UInt8>, _ words: [String], _ variable: (String) -> String?
        ) -> String? {
            guard let section else {
                return nil
            }
            return section.named(words, variable)
                ?? ActiveEntry(path, format, section.flag, naming: .flaggedSection).name(in: text)
        }

        /// Whether the arguments of a program are those of a command that uses the place.
        package func isUsed(by words: [String]) -> Bool {
            let command = words.first { !$0.hasPrefix("-") } ?? ""
            return section?.others.contains(command) != true
        }

        /// Returns the names in a file, of all sections.
        package func names(in text: Span<UInt8>) -> [String] {
            let steps = keys.map { PlainTextKey($0, holds: .scope) }
            return PlainTextValues.search(text, format)
                .filter { value in steps.contains { $0.matches(value.path) } }
                .map { $0.name(in: text).trimming("\"") }
        }

        /// Returns the name in a file, nil without one.
        ///
        /// - Parameter section: The section of a value whose steps have a `*`; nil for any.
        package func name(in text: Span<UInt8>, section: String? = nil) -> String? {
            let values = PlainTextValues.search(text, format)
            var names: [String] = []
            for key in keys {
                let step = PlainTextKey(key, holds: .scope)
                let found = values.filter { value in
                    step.matches(value.path)
                        && (naming != .flaggedSection
                            || text.extracting(value.range).equals("true"))
                        && (section == nil
                            || self.section(of: value, step, values, text) == section)
                }
                guard let value = found.last else {
                    return nil
                }
                let own = step.scope(of: value.path) ?? ""
                switch naming {
                case .value: names.append(value.name(in: text))
                case .besides:
                    guard Set(found.map { $0.name(in: text) }).count == 1 else {
                        return nil
                    }
                    names.append(value.name(in: text))
                case .flaggedSection: names.append(own)
                case .onlySection:
                    guard Set(found.map { step.scope(of: $0.path) }).count == 1 else {
                        return nil
                    }
                    names.append(own)
                }
            }
            names = names.map { $0.trimming("\"") }
            return names.contains("") ? nil : names.joined(separator: ":")
        }

        /// Returns the name of the section that has a value, nil without one.
        private func section(
            of value: PlainTextValue, _ step: PlainTextKey, _ values: [PlainTextValue],
            _ text: Span<UInt8>
        ) -> String? {
            guard case .besides(let key) = naming else {
                return step.scope(of: value.path)
            }
            let name = values.first { $0.parent == value.parent && $0.path.last == key }
            return name?.name(in: text).trimming("\"")
        }
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
