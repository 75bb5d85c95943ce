internal import KeychainServices
internal import PlainTextScan
internal import LanyardPrompting
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

    /// Moves those at or below the paths, and says what it leaves and why: files that a tool still uses, those
    /// that programs without the keychain read, and those of several accounts.
    ///
    /// - Returns: The first error of a file, after trying all of them.
    /// - Throws: Errors of finding the files.
    func run(_ paths: [String]) throws(KeychainError) -> KeychainError? {
        let files = PlainTextLeftover.all(environment)
            .filter { $0.knownFile.isThere(home: "", at: paths) }
        var failure: KeychainError?
        var hasMoved = false
        func attempt(
            _ path: String, _ move: () throws(KeychainError) -> Void
        ) {
            do throws(KeychainError) {
                try move()
                hasMoved = true
            } catch {
                let reason = "'\(path)': \(error.reason)"
                failure = failure ?? KeychainError(error.status, reason, hint: error.hint)
            }
        }
        let ofGit = files.isEmpty ? [] : LoginsToCopy.ofGit(environment)
        let ofDocker = files.isEmpty ? [] : try LoginsToCopy.ofDocker(environment)
        for file in files {
            if (ofGit + ofDocker).contains(.file(file.kind, path: file.path)) {
                let tool = file.kind == .gitCredentials ? "git" : "docker"
                printWarning("'\(file.path)' is left as it is: \(tool) still uses it")
                printHint("lanyard setup \(tool), then lanyard scan --fix")
            } else if let readers = file.otherReaders {
                printWarning(
                    "'\(file.path)' is left as it is: \(readers) read it, and don't look in the keychain"
                )
                printHint(
                    file.hasOnlyDefault ? PlainTextLeftover.adviceOnDefault : file.importCommand)
            } else {
                attempt(file.path) { () throws(KeychainError) in
                    try move(try file.importedFiles())
                }
            }
        }
        func moveOrLeave(
            _ path: String, _ obstacle: (text: String, hint: String)?,
            _ files: () throws(KeychainError) -> ImportedFiles
        ) {
            guard let obstacle else {
                return attempt(path) { () throws(KeychainError) in try move(try files()) }
            }
            printWarning("'\(path)' is left as it is: \(obstacle.text)")
            printHint(obstacle.hint)
        }
        let ofTools = try ToolLeftover.all(environment, at: paths)
        // A tool whose helper is set up does not look where a profile's import stores the secret.
        let ofHelpers = ofTools.filter { $0.obstacle == nil }.map(\.path)
        let ofProfiles = try ProfileLeftover.all(environment, at: paths)
            .filter { !ofHelpers.contains($0.path) }
        for file in ofProfiles {
            moveOrLeave(file.path, file.obstacle(environment)) { () throws(KeychainError) in
                try .profile(file.profile, file.path)
            }
        }
        for file in ofTools
        where !ofProfiles.contains(where: { $0.path == file.path }) {
            moveOrLeave(file.path, file.obstacle, file.importedFiles)
        }
        if !hasMoved, failure == nil {
            printNote(
                "nothing was moved: --fix moves the files of git, docker, podman and set-up programs"
            )
        }
        return failure
    }

    private func move(_ files: ImportedFiles) throws(KeychainError) {
        var settings = ImportSettings()
        settings.keychain = keychain
        settings.removesPlainText = true
        try importItems(from: files, settings).show(asJSON: false)
    }
}
