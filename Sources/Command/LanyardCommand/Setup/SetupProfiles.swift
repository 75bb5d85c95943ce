internal import LanyardConfiguration
internal import KeychainServices
internal import LanyardPrompting
internal import ToolCatalog
internal import ToolSetup

/// `lanyard setup PROFILE`: shims for the programs of profiles.
struct SetupProfiles {
    private let tools: [Tool]
    private let profiles: [ToolProfile]
    private let account: String?
    private let environment: SetupEnvironment

    /// - Parameters:
    ///   - names: Programs, or profiles for their installed programs.
    ///   - account: The account whose secret they get, nil for any.
    /// - Throws: ``Status/param`` for an unknown name, ``Status/notAvailable`` if a profile has no installed
    ///   program.
    init(
        _ names: [String], account: String?, _ environment: SetupEnvironment
    ) throws(KeychainError) {
        self.account = account
        let catalog = try ProfileCatalog(Configuration())
        var programs: [String] = []
        var profiles: [ToolProfile] = []
        for name in names {
            let profile = try SetupProfiles.profile(name, catalog)
            profiles.append(profile)
            guard !profile.programs.contains(name) else {
                programs.append(name)
                continue
            }
            let installed = profile.programs.filter { environment.finds($0) }
            guard !installed.isEmpty else {
                throw KeychainError(
                    .notAvailable, "no program of the profile '\(name)' is on the PATH",
                    hint: "lanyard exec --profile \(name) -- COMMAND")
            }
            programs += installed
        }
        tools = programs.map { .program($0) }
        self.profiles = profiles
        self.environment = environment
    }

    /// The setups that programs without a profile share, by the programs.
    static let otherSetups: [String: String] = {
        var setups: [String: String] = [:]
        for tool in CatalogTools.all where tool.settings != nil {
            for name in tool.namesOfSetup {
                setups[name] = tool.name
            }
        }
        return setups
    }()

    /// A misspelt `git` or `docker` is no program of a profile.
    private static func profile(
        _ name: String, _ catalog: ProfileCatalog
    ) throws(KeychainError) -> ToolProfile {
        do throws(KeychainError) {
            return try catalog.profile(ofProgram: name)
        } catch {
            if let setup = otherSetups[name] {
                throw KeychainError(error.status, error.reason, hint: "lanyard setup \(setup)")
            }
            let unknown = UnknownCommand(["setup", name])?.error
            throw unknown?.hint?.hasPrefix("did you mean") == true ? unknown ?? error : error
        }
    }

    /// Shows the changes, and applies them.
    func run(_ options: SetupOptions) throws(KeychainError) {
        var setups: [(ToolSetup, SetupPlan)] = []
        for tool in tools {
            let setup = ToolSetup(tool, environment, names: [account].compactMap(\.self))
            setups.append((setup, try setup.plan()))
        }
        var screen = Screen()
        for (_, plan) in setups {
            plan.add(to: &screen)
        }
        for profile in profiles where !hasSecret(profile, account) {
            if let account, hasSecret(profile, nil) {
                printWarning("'\(profile.name)' has no account '\(account)'")
            }
            let copy =
                account == nil
                ? (try? OpenKeychains(nil, mayAsk: false).keychain)?.copyCommand(for: profile) : nil
            screen.add(
                "next",
                try hasFile(profile)
                    ? "lanyard import \(profile.name)"
                    : copy ?? profile.setCommand(account: account))
        }
        if options.isDryRun {
            screen.addDryRun()
        }
        try screen.show()
        guard !options.isDryRun else {
            return
        }
        if !setups.allSatisfy(\.1.isEmpty) {
            try options.askToChange()
        }
        for (setup, plan) in setups {
            try setup.apply(plan)
        }
    }

    /// Removes the shims.
    ///
    /// - Throws: ``Status/itemNotFound`` without any.
    func undo(isDryRun: Bool) throws(KeychainError) {
        let names = tools.map(\.name).joined(separator: ", ")
        try SetupUndo(tools, environment).run(
            isDryRun: isDryRun, asJSON: false, nothing: "there is no setup of \(names) to undo")
    }

    /// Whether an import would make the profile's item of a plain-text file.
    private func hasFile(_ profile: ToolProfile) throws(KeychainError) -> Bool {
        guard !ImportedTool.isOfHelper(profile.name) else {
            return false
        }
        return try !ProfileLeftover.all(of: profile, profile.plainText, environment).isEmpty
    }

    /// Whether the keychain has the profile's item, as far as Lanyard can tell without a question.
    ///
    /// - Parameter account: Its account, or the name of its scope; nil for any.
    private func hasSecret(_ profile: ToolProfile, _ account: String?) -> Bool {
        guard let keychain = try? OpenKeychains(nil, mayAsk: false).keychain,
            let places = try? SecretLookup(in: keychain, group: nil)
                .places(of: profile, account: nil)
        else {
            return true
        }
        return places.contains { place in
            account.map { place.account == ByteString($0) || place.scope == $0 } ?? true
        }
    }
}
