internal import LanyardConfiguration
internal import Keychains
internal import KeychainServices
internal import KeychainPlugin
internal import ToolSetup

/// Checks the plugins' keychains in the search list, including the Secret Service.
struct PluginsCheck: Check {
    static let name = "plugins"

    func findings(_ context: DiagnosisContext) -> [Finding] {
        guard let configuration = context.configuration,
            let list = try? configuration.searchList()
        else {
            return []
        }
        return list.names.flatMap { name -> [Finding] in
            guard case .plugin(let kind)? = try? configuration.kind(ofKeychain: name) else {
                return []
            }
            // The Secret Service may be missing if it was neither chosen nor used; any other name of a plugin's
            // keychain was given to it.
            guard
                list.isChosen || configuration.hasUsedSecretService
                    || name != Configuration.secretService
            else {
                return []
            }
            return findings(name, kind: kind, configuration, context.environment)
        }
    }

    private func findings(
        _ name: String, kind: String, _ configuration: Configuration,
        _ environment: SetupEnvironment
    ) -> [Finding] {
        do throws(KeychainError) {
            let status = try configuration.pluginStatus(ofKeychain: name)
            guard status.isLocked, !status.canPrompt else {
                return storedElsewhere(name, configuration)
            }
            return [
                Finding(
                    .secretServiceLocked,
                    "the keychain '\(name: name)' is locked, and lanyard can't prompt here",
                    advice: "unlock it on the desktop")
            ]
        } catch {
            let what: FindingText = "the keychain '\(name: name)': \(said: error.reason)"
            let plugin = findPlugin(kind: kind)
            if let plugin, let library = MissingLibrary(of: plugin, environment) {
                return [library.finding(isUsed: true)]
            }
            guard plugin != nil else {
                return [
                    Finding(
                        .pluginMissing, what,
                        advice: "install lanyard-keychain-\(plain: kind) beside lanyard")
                ]
            }
            return [
                Finding(
                    .secretServiceUnreachable, what,
                    // Removing it from the list would hide its logins on the desktop, too.
                    advice: kind == KeychainKind.secretService.name
                        ? "nothing to do over SSH; on the desktop its logins are back"
                        : "lanyard status tries again")
            ]
        }
    }

    /// Finds items that had to go to other keychains and can return now.
    private func storedElsewhere(_ name: String, _ configuration: Configuration) -> [Finding] {
        StoredElsewhere(configuration.places).entries.filter { $0.home == name }.map { entry in
            Finding(
                .storedElsewhere,
                "logins for '\(name: name)' went to the keychain '\(name: entry.keychain)', "
                    + "while it could not be used",
                command: "lanyard keychain copy --newer \(name: entry.keychain) \(name: name)")
        }
    }
}
