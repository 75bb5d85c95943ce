internal import ArgumentParser
internal import LanyardConfiguration
internal import Glibc
internal import KeychainServices
internal import PlainTextFormats
internal import PlainTextScan
internal import ToolCatalog
internal import ToolSetup

/// `lanyard scan`: finds secrets in plain text.
struct ScanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan", abstract: "Find copies of your secrets in files.",
        discussion:
            "Searches files for the secrets in the keychain, and looks for tools' own files with "
            + "secrets in plain text. Never prints a secret. The status is 1 if it found one."
    ).examples(
        "lanyard scan",
        "lanyard scan ~/projects ~/.bash_history",
        "lanyard scan --fix",
        "lanyard scan --staged")

    @Argument(
        help: "The files and folders to search; the home folder by default.",
        completion: .file())
    var paths: [String] = []
    @Flag(help: "Search what is staged in the git repository of the current folder.")
    var staged = false
    @Flag(
        name: .customLong("fix"),
        help:
            "First move secrets out of the files of git, docker, podman and set-up programs into the keychain."
    )
    var fixes = false
    @OptionGroup var json: JSONFlag
    @OptionGroup var keychain: KeychainOption

    func validate() throws {
        if staged, !paths.isEmpty {
            throw ValidationError("--staged searches no other files: leave the paths out")
        }
        if fixes, staged || json.isOn {
            throw ValidationError("--fix can't be combined with --\(staged ? "staged" : "json")")
        }
    }

    func run() throws {
        let environment = try SetupEnvironment()
        var failure: KeychainError?
        if fixes {
            // Before anything is moved: a locked keychain can't be searched for.
            _ = try openItems()
            failure = try ScanFix(environment, keychain: keychain.name)
                .run(try searchedPaths(environment))
        }
        // Its search has ended before anything is printed: the process may end at once after that.
        let result = try scan(environment)
        try result.report(asJSON: json.isOn, offersFix: !fixes, keychain: keychain.name)
        if let failure {
            throw failure
        }
        if result.counts.isStopped {
            _exit(ScanProgress.stoppedStatus)
        }
        // The findings are the answer: there is no error to print.
        if !result.findings.isEmpty {
            _exit(1)
        }
    }

    private func openItems() throws(KeychainError) -> (items: ScannedItems, search: SecretSearch) {
        try ScannedItems.open(try OpenKeychains(keychain.name, mayAsk: false))
    }

    private func scan(_ environment: SetupEnvironment) throws(KeychainError) -> ScanResult {
        let (items, search) = try openItems()
        return staged
            ? try staged(items, search, environment) : try files(items, search, environment)
    }

    private func staged(
        _ items: ScannedItems, _ search: SecretSearch, _ environment: SetupEnvironment
    ) throws(KeychainError) -> ScanResult {
        var result = ScanResult(items, sizeLimit: StagedFiles.sizeLimit)
        result.findings = try StagedFiles(environment).scan(search, &result.counts)
        return result
    }

    private func searchedPaths(
        _ environment: SetupEnvironment
    ) throws(KeychainError) -> [String] {
        paths.isEmpty ? [try environment.home()] : paths
    }

    private func files(
        _ items: ScannedItems, _ search: SecretSearch, _ environment: SetupEnvironment
    ) throws(KeychainError) -> ScanResult {
        let home = try environment.home()
        let paths = try searchedPaths(environment)
        var result = ScanResult(items, sizeLimit: FileScan.sizeLimit)
        let places = try Places()
        var copies: [ScanFinding] = []
        let scan = FileScan(
            search, excluding: [places.data, places.state]
        ) { finding throws(KeychainError) in
            copies.append(finding)
        }
        let progress = try ScanProgress(isShown: !json.isOn)
        try scan.run(paths, while: progress.goesOn)
        progress.end()
        result.counts = scan.counts
        let leftovers = PlainTextLeftover.all(environment)
        result.findings = KnownFile.findings(
            in: leftovers.map(\.knownFile) + KnownFile.belowHome, home: home, at: paths,
            &result.counts)
        result.findings += copies
        return result
    }
}

extension PlainTextLeftover {
    /// The file in the form that a scan takes.
    var knownFile: KnownFile {
        switch kind {
        case .gitCredentials: KnownFile("git", path, .urls)
        case .dockerConfig: KnownFile("docker", path, KnownFile.dockerContent)
        case .netrc: KnownFile("netrc", path, KnownFile.netrcContent)
        case .tool(let name):
            CatalogTools.named(name)?.plainText.first.map { KnownFile(name, $0, at: path) }
                ?? KnownFile(name, path, .urls)
        }
    }
}
