internal import LanyardTransfer
internal import KeychainServices
internal import ToolCatalog

/// A tool whose plain-text file `lanyard import TOOL` reads.
struct ImportedTool {
    /// The name in the command.
    let name: String
    /// Finds the files for the given path, or the tool's own.
    let files: @Sendable (String?) throws(KeychainError) -> ImportedFiles

    /// The tools, whose names are unique.
    static let all =
        ofHelpers
        + ToolProfile.all.filter { profile in
            !profile.plainText.isEmpty && !isOfHelper(profile.name)
        }.map(ImportedTool.init)

    /// Those that have a reader of their own.
    private static let ofHelpers = CatalogTools.all.filter { !$0.plainText.isEmpty }
        .map(ImportedTool.init)

    private init(_ tool: any CatalogTool.Type) {
        name = tool.name
        files = { path throws(KeychainError) in
            guard let tool = tool as? any ReadTool.Type else {
                return try .kubectl(path)
            }
            return try .tool(tool, path)
        }
    }

    private init(_ profile: ToolProfile) {
        name = profile.name
        files = { path throws(KeychainError) in try .profile(profile, path) }
    }

    /// The names for the help, nothing for a command that is parsed without it.
    static var listForHelp: String { LanyardCommand.isAlone ? "" : list }

    private static let list = """
        These tools have plain-text files that 'lanyard import TOOL' reads: \
        \(all.map(\.name).sorted().joined(separator: ", ")).
        """

    /// Whether a helper gets a tool's items, and no profile.
    static func isOfHelper(_ name: String) -> Bool { ofHelpers.contains { $0.name == name } }

    /// Returns the file of a tool in the form that an import takes.
    static func files(of name: String, _ path: String?) throws(KeychainError) -> ImportedFiles {
        guard let tool = named(name) else {
            throw KeychainError(.param, "unknown tool '\(name)'")
        }
        return try tool.files(path)
    }

    /// Finds the tool with a name, or that of a program.
    static func named(_ name: String) -> ImportedTool? {
        all.first { $0.name == name } ?? ToolProfile(program: name).map(ImportedTool.init)
    }
}
