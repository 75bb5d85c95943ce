internal import HelperKit
internal import Keychain
internal import KeychainPlugin

/// The keychains that plugins keep, the Secret Service among them, as far as they are looked in.
struct PluginsCheck: Check {
    static let name = "plugins"

    func findings(_ context: DiagnosisContext) async -> [Finding] {
        guard let configuration = context.configuration,
            let list = try? configuration.searchList()
        else {
            return []
        }
        return list.names.flatMap { name -> [Finding] in
            guard case .plugin(let kind)? = try? configuration.kind(ofKeychain: name) else {
                return []
            }
            // What nobody has chosen and nobody has used may be missing.
            guard list.isChosen || configuration.hasUsedSecretService else {
                return []
            }
            let others = list.names.filter { $0 != name }
            return findings(name, kind: kind, others: others, configuration)
        }
    }

    private func findings(
        _ name: String, kind: String, others: [String], _ configuration: Configuration
    ) -> [Finding] {
        do throws(KeychainError) {
            let status: PluginStatus
            if kind == KeychainKind.secretService.name {
                status = try SecretServiceProbe(keychain: name, configuration).status()
            } else {
                status = try configuration.pluginStore(ofKeychain: name).status()
            }
            guard status.isLocked, !status.canPrompt else {
                return []
            }
            return [
                Finding(
                    .secretServiceLocked,
                    "the keychain '\(name: name)' is locked, and nobody can be asked here",
                    advice: "unlock it on the desktop")
            ]
        } catch {
            let what: FindingText = "the keychain '\(name: name)': \(said: error.reason)"
            guard findPlugin(kind: kind) != nil else {
                return [
                    Finding(
                        .pluginMissing, what,
                        advice: "install lanyard-keychain-\(plain: kind) beside lanyard")
                ]
            }
            return [
                Finding(
                    .secretServiceUnreachable, what,
                    command: "lanyard keychain search-list\(arguments(others))")
            ]
        }
    }

    /// The keychains that are left; there has to be one.
    private func arguments(_ names: [String]) -> FindingText {
        let names = names.isEmpty ? [Configuration.login] : names
        return names.reduce("") { line, name in
            name == Configuration.login ? "\(line) \(plain: name)" : "\(line) \(name: name)"
        }
    }
}
