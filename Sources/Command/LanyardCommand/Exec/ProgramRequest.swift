internal import LanyardConfiguration
internal import Glibc
internal import LanyardTransfer
internal import KeychainServices
internal import LinuxSystem
internal import PlainTextFormats
internal import ToolCatalog
internal import ToolSetup

/// What a program is asked for: its name, its arguments and its variables.
struct ProgramRequest {
    /// The program's name without its folder.
    let program: String
    /// Its arguments.
    let words: [String]
    /// An option that one of them may contain besides others; nil if all is clear.
    let unclearOption: String?
    private let profile: ToolProfile
    private let environment: SetupEnvironment
    private let own: (String) -> String?
    private let givenUser: String?

    /// - Parameters:
    ///   - command: The program and its arguments.
    ///   - profile: Its profile.
    ///   - environment: That of this process.
    ///   - user: The user's name, nil for that of the system.
    ///   - own: Returns the value of a variable that the program gets besides those of this process.
    init(
        _ command: [String], _ profile: ToolProfile, _ environment: SetupEnvironment,
        user: String? = nil, _ own: @escaping (String) -> String?
    ) {
        program = PrivatePlace.name(of: command.first ?? "")
        let given =
            (profile.argumentsVariable.flatMap { own($0) ?? environment.value($0) } ?? "")
            .split(whereSeparator: \.isWhitespace).map(String.init) + command.dropFirst()
        (words, unclearOption) = profile.separated(given, of: program)
        self.profile = profile
        self.environment = environment
        self.own = own
        givenUser = user
    }

    /// The user's name as libpq finds it: the system's, whatever a variable says.
    var systemUser: String {
        givenUser ?? UserAccount.ownName ?? variable("USER") ?? ""
    }

    /// The scopes for which a program may get a secret.
    struct Scopes {
        /// Their names, the best one first.
        let names: [String]
        /// Whether an option or a variable names them.
        let areAsked: Bool
        /// The server that the program is asked for if it is not that of the scope.
        var otherServer: String?
        /// The server of the scope in the program's files, nil if they name none.
        var server: String?
        /// Whether the name is that of a server that no file knows.
        var areUnknown = false
    }

    /// Whether an argument before `--` is an option, with or without a value in the same word.
    func has(_ option: String) -> Bool {
        words.prefix { $0 != "--" }.contains { word in
            word == option || word.hasPrefix("\(option)=")
                || option.count == 2 && word.hasPrefix(option)
        }
    }

    /// Returns the variable of the profile that the user has set, nil without one.
    var ownVariable: String? {
        profile.ownVariables.first { environment.value($0)?.isEmpty == false }
    }

    /// Whether a variable has the path of a file that a `lanyard` around this one made, as in a script of npm's.
    func hasFileOfLanyard(_ name: String) -> Bool {
        let file = environment.value(name).flatMap { try? SystemCalls.readLink($0) }
        return file?.hasPrefix(ProgramReplacement.memoryFile) == true
    }

    /// Whether it has an option, or a variable with a value.
    func hasEither(_ name: String) -> Bool {
        name.hasPrefix("-") ? has(name) : variable(name)?.isEmpty == false
    }

    /// Returns the value of a variable, nil if it is not set.
    func variable(_ name: String) -> String? { own(name) ?? environment.value(name) }

    /// Returns the scopes of a profile that the program is asked for, or else the active ones.
    func scopes(_ scope: ToolScope) -> Scopes {
        let asked = scope.asked(words, of: program, variable) { name($0, section: $1) }
        let names: [String]? = if case .scope(let names) = asked { names } else { nil }
        switch scope.kind {
        case .group:
            let programs =
                program == "mariadb" ? ["mariadb", "mariadb-client", "mysql"] : [program]
            let groups = programs + ["client"]
            let suffixed = groups.map { "\($0)\(names?.first ?? "")" }
            return Scopes(names: suffixed + (names == nil ? [] : groups), areAsked: true)
        case .folder:
            return Scopes(names: folders(above: names?.first), areAsked: names != nil)
        case .name, .caselessName, .host, .server:
            let active = scope.active.lazy.compactMap { name($0, section: nil) }.first
            if let server = scope.server, let wanted = server.asked(words, variable),
                let meant = scopes(scope, wanted, named: names, active)
            {
                return meant
            }
            let server = (names?.first ?? active).flatMap { self.server(of: $0, scope) }
            if let names {
                return Scopes(names: meant(names, scope), areAsked: true, server: server)
            }
            let asksRepository = scope.repositories != nil && asked == .nothing
            let repository = asksRepository ? repositoryHost() : nil
            let others = [repository, active ?? scope.fallback].compactMap(\.self)
            return Scopes(
                names: meant(others.flatMap { scope.names($0) }, scope), areAsked: false,
                server: server)
        }
    }

    /// Returns the server of a scope in the program's files, nil if they name none.
    private func server(of name: String, _ scope: ToolScope) -> String? {
        scope.server?.entries.lazy.compactMap { self.name($0, section: name) }.first
    }

    /// Returns the scopes on a server; nil for the named ones, whose server is unknown.
    private func scopes(
        _ scope: ToolScope, _ wanted: String, named: [String]?, _ active: String?
    ) -> Scopes? {
        let name = named?.first ?? active
        let own = name.flatMap { self.server(of: $0, scope) }
        if let name, let own, ServerAddress.areSame(own, wanted) {
            return Scopes(names: meant([name], scope), areAsked: true)
        }
        guard let named else {
            let servers = scope.names(wanted)
            let users = meant(servers, scope)
            return Scopes(names: users, areAsked: true, areUnknown: users == servers)
        }
        return own == nil ? nil : Scopes(names: named, areAsked: true, otherServer: wanted)
    }

    /// Returns the scopes that names mean in the program's file, the names themselves without any.
    private func meant(_ names: [String], _ scope: ToolScope) -> [String] {
        names.map { name in
            scope.meaning.lazy.compactMap { self.name($0, section: name) }.first
                .map(scope.canonical) ?? name
        }
    }

    /// Returns the account that an option means, else the active one of a scope, nil if no file names one.
    ///
    /// - Parameter name: The scope, nil for any.
    func activeAccount(_ scope: ToolScope, in name: String?) -> String? {
        let active = name == nil ? nil : scope.activeAccount
        return scope.accounts.first { has($0.key) }?.value
            ?? active.flatMap { self.name($0, section: name) }
    }

    private func name(_ entry: ToolScope.ActiveEntry, section: String?) -> String? {
        guard entry.programs?.contains(program) ?? true, entry.isUsed(by: words) else {
            return nil
        }
        let repository = entry.section.flatMap { gitSetting($0.gitSetting) }
        return read(paths(entry.path)) { text in
            let section = section ?? entry.section(in: text, words, variable) ?? repository
            guard section != nil || entry.section?.gitSetting.isEmpty != false else {
                return nil
            }
            return entry.name(in: text, section: section)
        }
    }

    /// Returns the options that name the section of the program's file which says the scope, if it is not known and the
    /// sections have others than the usual one; nil otherwise.
    func neededSection(_ scope: ToolScope) -> [String]? {
        guard case .nothing = scope.asked(words, of: program, variable) else {
            return nil
        }
        let usual = scopes(scope).names.first
        for entry in scope.active where entry.isUsed(by: words) {
            guard let section = entry.section, !section.gitSetting.isEmpty,
                section.named(words, variable) == nil,
                gitSetting(section.gitSetting) == nil
            else {
                continue
            }
            let other = read(paths(entry.path)) { text in
                entry.names(in: text).first { scope.canonical($0) != usual }
            }
            if other != nil {
                return section.options
            }
        }
        return nil
    }

    /// Returns the address that files of the project around the program name, nil without one.
    func projectText(of address: ServerAddress) -> String? {
        address.entries.lazy.compactMap { name($0, section: nil) }.first
    }

    /// Returns the account that options or variables name, else that of the scope in the program's files if it signs in with
    /// a user's name; nil without one.
    func account(in scopes: Scopes?) -> String? {
        let scope = scopes?.names.first ?? profile.scope?.fallback
        let asked = profile.askedAccount(words, in: scope, variable)
        let ofFile = profile.hasUserName ? texts(of: .account, in: scope, scopes).first : nil
        return [asked, ofFile].compactMap(\.self).first.flatMap { profile.isAccount($0) ? $0 : nil }
    }

    /// Returns the values that the program's own files have for a scope: nil is the only one.
    ///
    /// - Parameter scopes: Those that the program is asked for: it joins groups.
    func texts(of value: ProfileValue, in scope: String?, _ scopes: Scopes?) -> [String] {
        let groups = profile.scope?.kind == .group ? scopes?.names : nil
        let files = profile.plainText.filter { file in
            file.keys.contains { $0.holds == value }
        }
        return files.flatMap { file in
            [otherPaths(of: file), paths(file.path)].compactMap { paths in
                read(paths) { text in
                    groups.map { file.joinedText(of: value, in: $0, text) }
                        ?? file.text(of: value, in: scope, profile.scope, text)
                }
            }
        }
    }

    /// Returns the paths of a file that the program is asked to use instead of the usual one.
    private func otherPaths(of file: SecretFile) -> [String] {
        let place = profile.otherPlace(of: file, words, variable)
        return place.flatMap { try? environment.files(at: [$0]) } ?? []
    }

    /// Returns the path of a file that the program is asked to use instead of the usual one if that has secrets, and a given
    /// one is not among them; nil without such a file.
    func fileWithOther(than item: SecretLookup.Found) -> String? {
        for file in profile.plainText where file.format != .netrc {
            for path in otherPaths(of: file) {
                guard let other = try? PlainTextFile(path, isForChange: false) else {
                    continue
                }
                let mayHave = item.secret.withBytes { secret in
                    other.bytes.withBytes { file.mayHave(secret, in: $0) }
                }
                if !mayHave {
                    return path
                }
            }
        }
        return nil
    }

    /// Returns what a closure finds in the first file that is there.
    private func read(_ paths: [String], _ body: (Span<UInt8>) -> String?) -> String? {
        for path in paths {
            if let file = try? PlainTextFile(path, isForChange: false) {
                return file.bytes.withBytes(body)
            }
        }
        return nil
    }

    /// Returns the places of a file in their order.
    private func paths(_ path: String) -> [String] {
        let place = profile.place(of: path, words, variable)
        guard place != nil || !path.hasPrefix("./") else {
            return folders(above: nil).map { "\($0 == "/" ? "" : $0)\(path.dropFirst())" }
        }
        return (try? environment.files(at: [place ?? path])) ?? []
    }

    /// Returns a folder, the working one by default, and those above it.
    private func folders(above path: String?) -> [String] {
        guard var folder = SystemCalls.realPath(path ?? ".") else {
            return path.map { [$0] } ?? []
        }
        var folders = [folder]
        while folder != "/", let slash = folder.lastIndex(of: "/") {
            folder = slash == folder.startIndex ? "/" : String(folder[..<slash])
            folders.append(folder)
        }
        return folders
    }

    /// Returns the folder with the configuration of the git repository in a folder: `.git`, or where that file of a work
    /// tree or a submodule points.
    private func gitFolder(in folder: String) -> String {
        let own = "\(folder == "/" ? "" : folder)/.git"
        func line(_ path: String) -> String? {
            (try? PlainTextFile(path, isForChange: false))?.bytes.withBytes { text in
                ByteString(copying: text).description.split(whereSeparator: \.isNewline).first
                    .map(String.init)
            }
        }
        func absolute(_ path: some StringProtocol, from folder: String) -> String {
            path.hasPrefix("/") ? String(path) : "\(folder)/\(path)"
        }
        let mark = "gitdir: "
        guard let place = line(own), place.hasPrefix(mark) else {
            return own
        }
        let git = absolute(place.dropFirst(mark.count), from: folder)
        return line("\(git)/commondir").map { absolute($0, from: git) } ?? git
    }

    /// The places of the configuration of the git repository around the working folder; the first that is there counts.
    private var gitConfigurations: [String] {
        folders(above: nil).map { "\(gitFolder(in: $0))/config" }
    }

    /// Returns a setting of that repository, nil without one, and for no steps.
    private func gitSetting(_ steps: [PlainTextKey.Step]) -> String? {
        guard !steps.isEmpty else {
            return nil
        }
        let entry = ToolScope.ActiveEntry("", .ini, steps)
        return read(gitConfigurations) { entry.name(in: $0) }
    }

    /// Returns the host of the git repository's remote around the working folder: of `upstream`, else of `origin`, else of
    /// any.
    private func repositoryHost() -> String? {
        read(gitConfigurations) { text in
            let urls = PlainTextValues.search(text, .ini).filter {
                $0.path.count == 2 && $0.path[0].hasPrefix("remote ") && $0.path[1] == "url"
            }
            let url =
                urls.first { $0.path[0] == #"remote "upstream""# }
                ?? urls.first { $0.path[0] == #"remote "origin""# } ?? urls.first
            return url.flatMap { value in
                let bytes = text.extracting(value.range)
                return ProgramRequest.host(ofRemote: ByteString(copying: bytes).description)
            }
        }
    }

    /// Returns the host of a remote's URL, or of `USER@HOST:PATH`; nil for a path.
    private static func host(ofRemote url: String) -> String? {
        if url.contains("://") {
            return url.hasPrefix("file:") ? nil : url
        }
        guard let colon = url.firstIndex(of: ":"), !url[..<colon].contains("/") else {
            return nil
        }
        return String(url[..<colon])
    }
}
