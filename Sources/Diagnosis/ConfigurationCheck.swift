internal import HelperKit
internal import Keychain

/// Lanyard's own configuration.
struct ConfigurationCheck: Check {
    static let name = "configuration"

    func findings(_ context: DiagnosisContext) async -> [Finding] {
        guard let places = context.places else {
            return []
        }
        let file = Configuration.file(places)
        guard let configuration = context.configuration else {
            // Its permissions are told of by themselves.
            guard let failure = context.configurationFailure, failure.status != .writePermissions
            else {
                return []
            }
            return [
                Finding(
                    .configurationUnreadable,
                    "the configuration '\(path: file)' can't be read: \(said: failure.reason)",
                    advice: "correct the line, or move the file away: it is not needed")
            ]
        }
        let unknown = configuration.unknownSettings.map { setting in
            Finding(
                .configurationUnknownSetting, "the setting '\(name: setting.name)' means nothing",
                command:
                    "git config --file \(quoted: file) --unset-all \(nameArgument: setting.name)")
        }
        let mistakes = configuration.mistakes.map { mistake in
            Finding(
                .configurationMistake, "\(said: mistake.reason)",
                advice: "correct it in '\(path: file)': \(said: mistake.hint ?? "lanyard config")")
        }
        return unknown + mistakes
    }
}
