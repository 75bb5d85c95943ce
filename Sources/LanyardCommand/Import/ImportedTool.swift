internal import KeychainServices

/// A tool whose plain-text file `lanyard import TOOL` reads.
struct ImportedTool {
    /// The name in the command.
    let name: String
    /// Finds the files for the given path, or the tool's own.
    let files: @Sendable (String?) throws(KeychainError) -> ImportedFiles

    /// Those with a helper, for which the items are.
    static let all = [
        ImportedTool(name: "aws") { path throws(KeychainError) in try .aws(path) },
        ImportedTool(name: "cargo") { path throws(KeychainError) in try .cargo(path) },
        ImportedTool(name: "npm") { path throws(KeychainError) in try .npm(path) },
        ImportedTool(name: "pypirc") { path throws(KeychainError) in try .pypirc(path) },
        ImportedTool(name: "terraform") { path throws(KeychainError) in try .terraform(path) },
        ImportedTool(name: "vault") { path throws(KeychainError) in try .vault(path) },
    ]

    /// Finds the tool with a name.
    static func named(_ name: String) -> ImportedTool? { all.first { $0.name == name } }
}
