internal import LanyardTransfer
internal import KeychainServices
internal import LinuxSystem
internal import PlainTextFormats
internal import ToolCatalog
internal import ToolSetup

/// Files of one format to import from.
struct ImportedFiles {
    /// Their format, unless they have formats of their own.
    let format: any ImportFormat
    /// The formats of single files, by their paths.
    var formats: [String: any ImportFormat] = [:]
    /// Their paths in the tool's search order, `-` for standard input; none if the tool has no file in its usual
    /// places.
    let paths: [String]
    /// Whether they belong to git's credential store, which respects a lock and uses the first login that
    /// it finds.
    var areGits = false
    /// Whether programs that don't use the keychain read them.
    var areReadByOthers = false
    /// Which account of a host answers after the import, if the files belong to a tool.
    var answering: AnsweringOrder.Rule?

    /// The name of their tool in `lanyard setup` or `lanyard import`, nil if it needs no setup to find the items.
    var tool: String?

    /// Whether a tool reads them: an export of another program is not of any.
    var areOfTools: Bool { tool != nil || areReadByOthers }

    /// The command that removes logins from the files, nil if imports do.
    var removingCommand: String?

    /// What to do about entries that can't be imported.
    var hint: String?

    /// What to do instead if none of them can be imported.
    var hintForNone: String?

    /// How to make such a file, nil for a tool's own.
    var exportHint: String?

    /// The path that means standard input.
    static let standardInput = "-"

    /// Returns a file of `git credential-store`, or its default files.
    static func gitCredentials(_ path: String?) throws(KeychainError) -> ImportedFiles {
        ImportedFiles(
            format: GitCredentialsFile(), paths: try paths(path, of: "git-credentials"),
            areGits: true, answering: .keychainFirst, tool: "git")
    }

    /// Returns a file of docker's format, or docker's own and those of podman, skopeo and buildah.
    static func dockerConfig(_ path: String?) throws(KeychainError) -> ImportedFiles {
        ImportedFiles(
            format: DockerConfigFile(), paths: try paths(path, of: "docker-config"),
            answering: .keychainFirst, tool: "docker")
    }

    /// Returns a file of netrc's format, or .netrc in the home folder and the file that NETRC names.
    static func netrc(_ path: String?) throws(KeychainError) -> ImportedFiles {
        let paths = try paths(path, of: "netrc")
        // Through curl, git reads these before it asks a helper.
        let asked = try SetupEnvironment().files(ofImport: "netrc")
        return ImportedFiles(
            format: NetrcFile(), paths: paths, areReadByOthers: true,
            answering: paths.allSatisfy(asked.contains) ? .fileFirst : .keychainFirst)
    }

    /// Returns a file of a tool with a reader of its own, or the tool's own files.
    static func tool(
        _ tool: any ReadTool.Type, _ path: String?
    ) throws(KeychainError) -> ImportedFiles {
        let paths = try paths(path, of: tool.name)
        return ImportedFiles(
            format: try tool.reader(of: paths.first, try SetupEnvironment().value), paths: paths,
            tool: tool.name)
    }

    /// Returns a file of kubectl's with tokens of its users, or its own.
    static func kubectl(_ path: String?) throws(KeychainError) -> ImportedFiles {
        ImportedFiles(
            format: KubeconfigFile(), paths: try paths(path, of: "kubectl"),
            removingCommand: "lanyard setup kubectl",
            hint: "lanyard setup kubectl USER moves a user's login")
    }

    /// Returns a file of a profile's program, or those that exist in their usual places.
    ///
    /// - Throws: ``Status/param`` if the program's file is unknown.
    static func profile(
        _ profile: ToolProfile, _ path: String?
    ) throws(KeychainError) -> ImportedFiles {
        let known = profile.plainText
        let set = profile.setCommand()
        let hint = profile.origin.map { "\(set) stores a secret from \($0)" } ?? set
        // The file with the given file's name, else the first one.
        let meant = path.flatMap { path in
            known.first { PrivatePlace.name(of: $0.path) == PrivatePlace.name(of: path) }
        }
        guard let first = meant ?? known.first else {
            throw KeychainError(
                .param, "Lanyard knows no plain-text file of \(profile.name)", hint: hint)
        }
        var formats: [String: any ImportFormat] = [:]
        var paths: [String] = []
        if let path {
            paths = [try named(path)]
        } else {
            let environment = try SetupEnvironment()
            for file in known {
                for place in profile.places(of: file.path, environment.value) {
                    let found = try environment.files(at: [place]).filter { formats[$0] == nil }
                    found.forEach { formats[$0] = ProfileFile(profile, file) }
                    paths += found
                    guard found.isEmpty else {
                        break
                    }
                }
            }
        }
        return ImportedFiles(
            format: ProfileFile(profile, first), formats: formats, paths: paths,
            areReadByOthers: first.format == .netrc, tool: profile.name, hintForNone: hint)
    }

    /// Returns the commands after which the tool gets the items, none if it gets them already.
    ///
    /// - Parameter items: The items of the files.
    func missingSetup(_ items: [ItemAttributes]) throws(KeychainError) -> [String] {
        let environment = try SetupEnvironment()
        switch tool {
        case nil: return []
        // No setup makes these read the items: the first one's are for pnpm, the other has no helper.
        case "npm"?: return ImportedFiles.missingSetupOfNPM(items)
        case "gradle"?:
            return ["lanyard exec --env ORG_GRADLE_PROJECT_NAME=gradle/NAME gives gradle one"]
        case let name?:
            if let tool = Tool.ofImport(name) {
                let command = try ImportedFiles.missingSetup(of: tool, items, environment)
                return [command].compactMap(\.self)
            }
            let programs = ToolProfile.all.first { $0.name == name }?.programs ?? []
            return programs.contains { program in
                environment.finds(program) && !ToolSetup.startsShim(program, environment)
            } ? ["lanyard setup \(name)"] : []
        }
    }

    /// Returns what gives npm the tokens back, which it shows only once: the user has them nowhere else any more.
    private static func missingSetupOfNPM(_ items: [ItemAttributes]) -> [String] {
        let own: ByteString = "registry.npmjs.org"
        var hints: [String] = []
        if let item = items.first(where: { $0.server == own }) {
            hints.append("\(item.copyCommand(to: "--stdin npm")) && lanyard setup npm")
        }
        var urls: Set<String> = []
        for item in items where item.server != own {
            let url = item.name.description
            guard let host = url.split(separator: "://", maxSplits: 1).last,
                urls.insert(url).inserted
            else {
                continue
            }
            hints.append(
                "//\(host)/:_authToken=${NPM_TOKEN} in ~/.npmrc takes the token of "
                    + "lanyard exec --env NPM_TOKEN=\(url.shellWord) -- npm")
        }
        return hints.isEmpty ? ["lanyard set npm and lanyard setup npm give npm a token"] : hints
    }

    /// Returns the command after which a tool gets the items, nil if it gets them already.
    static func missingSetup(
        of tool: Tool, _ items: [ItemAttributes], _ environment: SetupEnvironment
    ) throws(KeychainError) -> String? {
        var profiles: [String] = []
        for case let profile? in items.map({ $0.service?.description })
        where tool.name == AWSTool.name && !profiles.contains(profile) {
            profiles.append(profile)
        }
        guard try !ToolSetup(tool, environment, names: profiles).plan().isEmpty else {
            return nil
        }
        return (["lanyard setup \(tool.name)"] + profiles.map(\.shellQuoted))
            .joined(separator: " ")
    }

    /// Returns the items that an import would store.
    func items() throws(KeychainError) -> [ItemAttributes] {
        try contents().compactMap { if case .item(let item) = $0 { item.attributes } else { nil } }
    }

    /// Returns what an import would make of the entries.
    func contents() throws(KeychainError) -> [ImportRecord.Content] {
        var contents: [ImportRecord.Content] = []
        for path in paths {
            let file = try PlainTextFile(path, isForChange: false)
            try format(of: path).read(file.bytes) { record throws(KeychainError) in
                contents.append(record.content)
            }
        }
        return contents
    }

    /// Returns the format of one of them.
    func format(of path: String) -> any ImportFormat { formats[path] ?? format }

    /// Returns a file of a given format.
    static func file(
        _ path: String, _ format: any ImportFormat, exportHint: String?
    ) throws(KeychainError) -> ImportedFiles {
        ImportedFiles(format: format, paths: [try named(path)], exportHint: exportHint)
    }

    /// Returns the given path, or those of the source's own files.
    static func paths(_ path: String?, of source: String) throws(KeychainError) -> [String] {
        if let path {
            return [try named(path)]
        }
        return try SetupEnvironment().files(ofImport: source)
    }

    private static func named(_ path: String) throws(KeychainError) -> String {
        path == standardInput ? path : try absolutePath(path)
    }
}
