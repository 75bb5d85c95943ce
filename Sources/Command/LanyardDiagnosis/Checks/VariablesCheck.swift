internal import LanyardConfiguration
internal import KeychainServices
internal import LinuxSystem
internal import ToolSetup

/// Checks the environment variables that lanyard follows.
struct VariablesCheck: Check {
    static let name = "environment"

    func findings(_ context: DiagnosisContext) -> [Finding] {
        VariablesCheck.findings(context.environment, context.configuration)
    }

    /// A folder that LANYARD_HOME names may be missing: the first command that stores something creates it.
    static func findings(
        _ environment: SetupEnvironment, _ configuration: Configuration?
    ) -> [Finding] {
        var findings: [Finding] = []
        if isPassphraseFileMissing(environment) {
            let path = environment.value("LANYARD_PASSPHRASE_FILE") ?? ""
            findings.append(
                pointsNowhere("LANYARD_PASSPHRASE_FILE", "file '\(path: path)' not found"))
        }
        if let path = environment.value("LANYARD_ASKPASS"), !isProgram(path, environment) {
            findings.append(
                pointsNowhere("LANYARD_ASKPASS", "'\(path: path)' is not an executable program"))
        }
        if let name = environment.value("LANYARD_KEYCHAIN"),
            let configuration, (try? configuration.checkIsKnown(name)) == nil
        {
            findings.append(
                pointsNowhere("LANYARD_KEYCHAIN", "keychain '\(name: name)' not found"))
        }
        if environment.value("LANYARD_HOME") == nil {
            for name in ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"] {
                if let folder = environment.value(name), !folder.hasPrefix("/") {
                    findings.append(
                        pointsNowhere(name, "'\(path: folder)' is not an absolute path"))
                }
            }
        }
        return findings
    }

    private static func pointsNowhere(_ name: String, _ why: FindingText) -> Finding {
        Finding(
            .variablePointsNowhere, "\(plain: name) has an invalid value: \(why)",
            command: "unset \(plain: name)")
    }

    /// Whether LANYARD_PASSPHRASE_FILE names a file that does not exist.
    static func isPassphraseFileMissing(_ environment: SetupEnvironment) -> Bool {
        environment.value("LANYARD_PASSPHRASE_FILE").map { !isPassphraseFile($0) } ?? false
    }

    private static func exists(_ path: String) -> Bool { SystemCalls.realPath(path) != nil }

    private static func isPassphraseFile(_ path: String) -> Bool {
        // A number means an open descriptor.
        if let number = Int32(path) {
            return number >= 3 && (try? SystemCalls.status(of: number)) != nil
        }
        return exists(path)
    }

    private static func isProgram(_ name: String, _ environment: SetupEnvironment) -> Bool {
        name.hasPrefix("/") ? SystemCalls.isExecutable(name) : environment.finds(name)
    }
}
