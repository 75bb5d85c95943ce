internal import KeychainServices
internal import LanyardTransfer
internal import PlainTextScan
internal import ToolCatalog
internal import ToolSetup

/// A plain-text file of a tool with a helper, with secrets that can be imported.
struct ToolLeftover {
    private let name: String
    /// The file's path.
    let path: String
    private let environment: SetupEnvironment

    /// Returns those at or below the paths.
    ///
    /// - Throws: Errors of finding the files.
    static func all(
        _ environment: SetupEnvironment, at paths: [String]
    ) throws(KeychainError) -> [ToolLeftover] {
        var found: [ToolLeftover] = []
        for tool in CatalogTools.all where ImportedTool.isOfHelper(tool.name) {
            for path in try environment.files(ofImport: tool.name)
            where KnownFile(tool.name, path, .urls).isThere(home: "", at: paths) {
                let file = ToolLeftover(name: tool.name, path: path, environment: environment)
                // What can't be read has an obstacle, or the import says why.
                if (try? file.importedFiles().contents().contains(where: hasSecret)) != false {
                    found.append(file)
                }
            }
        }
        return found
    }

    private static func hasSecret(_ content: ImportRecord.Content) -> Bool {
        switch content {
        case .item, .failed: true
        case .skipped, .shadowed, .without: false
        }
    }

    /// Returns the file in the form that an import takes.
    func importedFiles() throws(KeychainError) -> ImportedFiles {
        try ImportedTool.files(of: name, path)
    }

    /// Why the tool would no longer find its secrets without the file, and the command to run first; nil if it
    /// gets them from the keychain.
    var obstacle: (text: String, hint: String)? {
        do throws(KeychainError) {
            let files = try importedFiles()
            let items = try files.items()
            guard files.removingCommand == nil else {
                let users = KubectlSetup([], environment).plainUsers.map(\.shellWord)
                return users.isEmpty
                    ? nil
                    : (
                        "\(name) still uses it",
                        "lanyard setup \(name) \(users.joined(separator: " "))"
                    )
            }
            // The items are for another tool's helper, as npm's are for pnpm.
            guard let tool = Tool.ofImport(name) else {
                return (
                    "\(name) does not use imported items", CatalogTools.named(name)?.advice ?? ""
                )
            }
            return try ImportedFiles.missingSetup(of: tool, items, environment).map { setup in
                (
                    "\(name) may still use it",
                    "\(setup), then lanyard import \(name) --remove-plain-text \(path.shellQuoted)"
                )
            }
        } catch {
            return (error.reason, error.hint ?? "lanyard import \(name) --help")
        }
    }
}
