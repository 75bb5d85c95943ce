internal import Keychain
internal import LinuxSystem
internal import ToolSetup

/// git's configuration as git itself sees it in the current folder: that of the system, the user, the
/// repository and the environment.
struct GitConfiguration {
    /// A credential helper, and where it is set.
    struct Helper {
        let helper: GitHelper
        /// `system`, `global`, `local`, `worktree` or `command`.
        let scope: String
        let origin: String
    }

    /// All variables, in git's order.
    let entries: [GitConfigEntry]

    /// The helpers in git's order, those for some URLs among them.
    var helpers: [Helper] {
        entries.compactMap { entry in
            GitHelper(entry).map {
                Helper(helper: $0, scope: entry.scope, origin: entry.origin)
            }
        }
    }

    /// Asks git.
    ///
    /// - Throws: ``Status/decode`` with git's own words if it can't read a file,
    ///   ``Status/notAvailable`` if it does not answer.
    init(_ environment: SetupEnvironment) async throws(KeychainError) {
        let answer = try await ForeignProgram("git", environment).run(
            ["config", "--includes", "--show-scope", "--show-origin", "--null", "--list"],
            variables: ["GIT_TRACE": nil, "GIT_TRACE2": nil])
        guard answer.succeeded else {
            throw KeychainError(.decode, answer.firstComplaint ?? "git fails")
        }
        entries = GitConfigEntry.parse(answer.output, withOrigins: true)
    }

    /// The command that takes a variable out of where it stands, nil if it stands in no file that git can
    /// change.
    ///
    /// - Parameters:
    ///   - key: The variable's name.
    ///   - pattern: What its value matches, a regular expression; nil for any value.
    static func unset(
        _ key: String, pattern: String? = nil, scope: String
    ) -> FindingText? {
        let place: FindingText
        switch scope {
        case "local", "worktree", "global": place = "--\(plain: scope)"
        case "system": place = "--system"
        case "command": return "unset GIT_CONFIG_COUNT GIT_CONFIG_PARAMETERS"
        default: return nil
        }
        guard let pattern else {
            return "git config \(place) --unset-all \(nameArgument: key)"
        }
        return "git config \(place) --unset-all \(nameArgument: key) \(plain: pattern)"
    }
}
