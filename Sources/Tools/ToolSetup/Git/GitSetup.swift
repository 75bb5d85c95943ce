internal import GitCredential
package import KeychainServices
internal import LinuxSystem

/// Sets up git to store its logins in lanyard.
package struct GitSetup {
    let environment: SetupEnvironment

    /// Adds the change of the global configuration, if needed.
    func propose(_ proposal: inout Proposal) throws(KeychainError) {
        let git = GitProgram(environment: environment)
        let file = try TargetFile(try globalFile())
        let entries = try git.configuration()
        let path = helperPath(git)
        let chain = GitHelperChain(
            try helpers(entries), path: path, isExecutable: SystemCalls.isExecutable)
        try addNotes(&proposal, entries, chain)
        addNoteOfPath(&proposal, path, git)
        guard !chain.isSetUp else {
            return
        }
        let base = try proposal.base(file)
        let old = try git.entries(of: base ?? "")
        let lineEnd = GitConfigBlock.lineEnd(of: base ?? "")
        let block = GitConfigBlock.text(chain.addition, lineEnd: lineEnd)
        let text = GitConfigBlock.appending(block, to: base ?? "", lineEnd: lineEnd)

        // git itself confirms that the old lines keep their meaning and that the new ones have theirs.
        let new = try git.entries(of: text)
        let added = chain.addition.map(\.entry)
        guard new.count == old.count + added.count,
            zip(new, old + added).allSatisfy({ $0.equals($1) })
        else {
            throw KeychainError(
                .decode, "lines after the end of '\(file.path)' would change what git reads in it",
                hint: "git config --global --edit")
        }
        try proposal.change(
            file, base: base, to: text, .gitBlock(block), summary: summary(chain),
            lines: GitConfigBlock.lines(block).map { "+\($0)" }, .git)
    }

    /// Returns the path of lanyard's helper if git does not find it by its name, in jobs or at all.
    private func helperPath(_ git: GitProgram) -> String? {
        guard !git.findsInJobs(GitSetup.helper) else {
            return nil
        }
        return environment.path(ofProgram: GitSetup.helper)
            ?? environment.path(ofNeighbour: GitSetup.helper)
    }

    package static let helper = ToolFormat.git.helper

    /// Returns the file that `git config --global` writes.
    private func globalFile() throws(KeychainError) -> String {
        if environment.variables["GIT_CONFIG_GLOBAL"] != nil {
            guard let path = try environment.path("GIT_CONFIG_GLOBAL"), path != "/dev/null" else {
                throw KeychainError(
                    .param, "GIT_CONFIG_GLOBAL keeps git from having a global configuration",
                    hint: "unset GIT_CONFIG_GLOBAL")
            }
            return path
        }
        let files = try GitSetup.globalFiles(environment)
        for file in files where try TargetFile(file).bytes != nil {
            return file
        }
        return files[0]
    }

    /// Returns the files that git reads as the user's own, whether they exist or not. It writes the first that exists.
    ///
    /// - Throws: ``Status/param`` for an invalid variable, or without a home folder.
    package static func globalFiles(
        _ environment: SetupEnvironment
    ) throws(KeychainError) -> [String] {
        guard environment.variables["GIT_CONFIG_GLOBAL"] == nil else {
            return [try environment.path("GIT_CONFIG_GLOBAL")].compactMap(\.self)
        }
        return [
            "\(try environment.home())/.gitconfig",
            "\(try environment.configurations())/git/config",
        ]
    }

    private func helpers(_ entries: [GitConfigEntry]) throws(KeychainError) -> [GitHelper] {
        var helpers: [GitHelper] = []
        for entry in entries {
            guard let helper = GitHelper(entry) else {
                continue
            }
            guard entry.value != nil else {
                throw KeychainError(
                    .decode, "'\(entry.origin)' has a credential helper without a value: git fails",
                    hint: "git config --global --edit")
            }
            helpers.append(helper)
        }
        return helpers
    }

    private func summary(_ chain: GitHelperChain) -> [String] {
        var summary = ["git stores its logins in lanyard (credential.helper)"]
        for helper in chain.displaced {
            let urls = helper.pattern.map { " for \(String(decoding: $0, as: UTF8.self))" } ?? ""
            summary.append(
                "the helper '\(helper.name)'\(urls), which writes plain text, is no longer used"
                    + " (in '\(helper.origin)')")
        }
        for helper in chain.kept {
            summary.append(
                "the helper '\(helper.name)' stays, after lanyard (in '\(helper.origin)')"
            )
        }
        return summary
    }

    private func addNotes(
        _ proposal: inout Proposal, _ entries: [GitConfigEntry], _ chain: GitHelperChain
    ) throws(KeychainError) {
        for helper in chain.displaced {
            proposal.unusedLogins += try PlainTextLogins.files(of: helper, environment)
                .compactMap { file in
                    UnusedLogins(in: file, .gitCredentials, meaning: "git no longer reads them")
                }
        }
        if entries.contains(where: { $0.key.starts(with: "includeif.".utf8) }) {
            proposal.notes.append(
                "files that git includes only for some repositories were not checked")
        }
    }

    private func addNoteOfPath(
        _ proposal: inout Proposal, _ path: String?, _ git: GitProgram
    ) {
        if path == nil, git.path(ofHelper: GitSetup.helper) == nil {
            let program = UnrunnableProgram(GitSetup.helper, environment)
            proposal.notes.append(
                program.map { "\($0.reason): \($0.command)" }
                    ?? "\(GitSetup.helper) is not on the PATH")
        }
    }
}

extension GitHelper {
    /// The variable that sets it.
    fileprivate var entry: GitConfigEntry {
        let middle = pattern.map { $0 + Array(".".utf8) } ?? []
        return GitConfigEntry(
            scope: "", origin: "",
            key: FileBytes(Array("credential.".utf8) + middle + Array("helper".utf8)),
            value: value)
    }
}
