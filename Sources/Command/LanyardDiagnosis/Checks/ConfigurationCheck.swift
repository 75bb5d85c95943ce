internal import LanyardConfiguration
internal import KeychainServices
internal import LinuxSystem

/// Checks lanyard's own configuration.
struct ConfigurationCheck: Check {
    static let name = "configuration"

    static func isApplicable(_ context: DiagnosisContext) -> Bool {
        context.configuration != nil || failure(context) != nil
    }

    /// Returns why the configuration can't be read; nil if it can, or if another check says why not.
    private static func failure(_ context: DiagnosisContext) -> KeychainError? {
        guard let places = context.places, let failure = context.configurationFailure else {
            return nil
        }
        // The check of folders reports permissions, but not those of a link's target.
        let isOfLink = (try? PrivatePlace.isLink(Configuration.file(places))) == true
        return failure.status != .writePermissions || isOfLink ? failure : nil
    }

    func findings(_ context: DiagnosisContext) -> [Finding] {
        guard let places = context.places else {
            return []
        }
        let file = Configuration.file(places)
        guard let configuration = context.configuration else {
            guard let failure = ConfigurationCheck.failure(context) else {
                return []
            }
            return [
                Finding(
                    .configurationUnreadable,
                    "the configuration '\(path: file)' can't be read: \(said: failure.reason)",
                    advice: "\(said: failure.hint ?? "fix the line with an editor")")
            ]
        }
        let unknown = configuration.unknownSettings.map { ConfigurationCheck.unknown($0, file) }
        // Other checks report permissions, and a missing keychain, which the file may not even name.
        let mistakes = configuration.mistakes
            .filter { ![.noSuchKeychain, .writePermissions].contains($0.status) }
            .map { mistake in
                Finding(
                    .configurationMistake, "\(said: mistake.reason)",
                    advice:
                        "fix it in '\(path: file)': \(said: mistake.hint ?? "lanyard config")")
            }
        return unknown + mistakes
    }

    private static func unknown(_ setting: Configuration.Setting, _ file: String) -> Finding {
        let what: FindingText = "unknown setting '\(name: setting.name)'"
        let known = Configuration.settingNames(like: setting.name)
        guard let meant = suggestion(for: setting.name, among: known) else {
            return Finding(
                .configurationUnknownSetting, what,
                command:
                    "git config --file \(quoted: file) --unset-all \(nameArgument: setting.name)")
        }
        return Finding(
            .configurationUnknownSetting, "\(what); did you mean '\(name: meant)'?",
            advice: "fix the name in '\(path: setting.origin)'")
    }
}
