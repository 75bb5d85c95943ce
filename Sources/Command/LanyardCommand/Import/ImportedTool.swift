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
            !profile.plainText.isEmpty && !ofHelpers.contains { $0.name == profile.name }
        }.map(ImportedTool.init)

    /// Those whose items are for a helper.
    private static let ofHelpers = [
        ImportedTool("aws", AWSCredentialsFile()),
        ImportedTool(name: "cargo") { path throws(KeychainError) in try .cargo(path) },
        ImportedTool("gradle", GradlePropertiesFile()),
        ImportedTool(name: "kubectl") { path throws(KeychainError) in try .kubectl(path) },
        ImportedTool("npm", NpmrcFile()),
        ImportedTool("nuget", NuGetConfigFile()),
        ImportedTool("pypirc", PypircFile()),
        ImportedTool("terraform", TerraformCredentialsFile()),
        ImportedTool("uv", UVCredentialsFile()),
        ImportedTool(name: "vault") { path throws(KeychainError) in try .vault(path) },
    ]

    private init(
        name: String, files: @escaping @Sendable (String?) throws(KeychainError) -> ImportedFiles
    ) {
        self.name = name
        self.files = files
    }

    private init(_ name: String, _ format: any ImportFormat) {
        self.init(name: name) { path throws(KeychainError) in
            ImportedFiles(
                format: format, paths: try ImportedFiles.paths(path, of: name), tool: name)
        }
    }

    private init(_ profile: ToolProfile) {
        self.init(name: profile.name) { path throws(KeychainError) in
            try .profile(profile, path)
        }
    }

    /// The names for the help.
    static let list = """
        These tools have plain-text files that 'lanyard import TOOL' reads: \
        \(all.map(\.name).sorted().joined(separator: ", ")).
        """

    /// Whether a helper gets a tool's items, and no profile.
    static func isOfHelper(_ name: String) -> Bool { ofHelpers.contains { $0.name == name } }

    /// Finds the tool with a name, or that of a program.
    static func named(_ name: String) -> ImportedTool? {
        all.first { $0.name == name } ?? ToolProfile(program: name).map(ImportedTool.init)
    }
}
