internal import KeychainServices
internal import PlainTextScan
internal import Prompting
internal import ToolSetup

/// Moves logins from plain-text files into the keychain, as `lanyard import --remove-plain-text` does.
struct ScanFix {
    private let environment: SetupEnvironment
    private let keychain: String?

    /// - Parameter keychain: The keychain to use, nil for the default one.
    init(_ environment: SetupEnvironment, keychain: String?) {
        self.environment = environment
        self.keychain = keychain
    }

    /// Moves those at or below the paths, and says what it leaves and why: files that a tool still uses, and
    /// those that programs without the keychain read.
    ///
    /// - Returns: The first error of a file, after trying all of them.
    /// - Throws: Errors of finding the files.
    func run(_ paths: [String]) async throws(KeychainError) -> KeychainError? {
        let files = await PlainTextLeftover.all(environment)
            .filter { $0.knownFile.isThere(home: "", at: paths) }
        guard !files.isEmpty else {
            return nil
        }
        let ofGit = await LoginsToCopy.ofGit(environment)
        let ofDocker = try LoginsToCopy.ofDocker(environment)
        var failure: KeychainError?
        for file in files {
            if (ofGit + ofDocker).contains(.file(file.kind, path: file.path)) {
                let tool = file.kind == .gitCredentials ? "git" : "docker"
                printWarning("'\(file.path)' is left as it is: \(tool) still uses it")
                printHint("lanyard setup \(tool), then lanyard scan --fix")
            } else if file.isReadByOthers {
                printWarning(
                    "'\(file.path)' is left as it is: curl and other programs read it, and don't look in "
                        + "the keychain")
                printHint(file.importCommand)
            } else {
                do throws(KeychainError) {
                    try move(file)
                } catch {
                    let reason = "'\(file.path)': \(error.reason)"
                    failure = failure ?? KeychainError(error.status, reason, hint: error.hint)
                }
            }
        }
        return failure
    }

    private func move(_ file: PlainTextLeftover) throws(KeychainError) {
        var settings = ImportSettings()
        settings.keychain = keychain
        settings.removesPlainText = true
        try importItems(from: try file.importedFiles(), settings).show(asJSON: false)
    }
}
