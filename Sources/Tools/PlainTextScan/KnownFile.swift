package import PlainTextFormats
package import ToolCatalog

/// A file in which a tool stores secrets in plain text.
package struct KnownFile: Hashable, Sendable {
    /// How its secrets are found.
    package enum Content: Hashable, Sendable {
        /// At places of a format of the table.
        case values(PlainTextFormat, [[PlainTextKey.Step]], variables: VariableForm? = nil)
        /// Lines of URLs with a password: gitcredentials(7).
        case urls
    }

    /// The name of the tool.
    package let tool: String
    /// Its path: absolute, or below the home folder; a name `*.json` means every file of the folder that ends so.
    package let path: String
    /// How its secrets are found.
    package let content: Content

    /// Describes a file.
    package init(_ tool: String, _ path: String, _ content: Content) {
        self.tool = tool
        self.path = path
        self.content = content
    }

    /// Describes a file of the catalogue.
    ///
    /// - Parameter path: Its path, nil for the usual one.
    package init(_ tool: String, _ file: SecretFile, at path: String? = nil) {
        self.init(
            tool, path ?? file.path,
            .values(
                file.format, file.keys.filter { $0.holds == .secret }.map(\.path),
                variables: file.variables))
    }

    /// Those of the profiles, and of the other tools of the catalogue, below the home folder. The files of git and docker,
    /// and netrc, are not among them: their paths depend on more.
    package static let belowHome: [KnownFile] = {
        let files = ofProfiles
        return files + ofTools.filter { !files.contains($0) }
    }()

    /// The content of docker's, podman's, skopeo's and buildah's file.
    package static let dockerContent = Content.values(
        .json,
        [
            ["auths", "*", "auth"], ["auths", "*", "password"], ["auths", "*", "identitytoken"],
            ["auths", "*", "registrytoken"],
        ])
    /// The content of netrc.
    package static let netrcContent = Content.values(.netrc, [["*", "password"]])

    private static var ofProfiles: [KnownFile] {
        ToolProfile.all.flatMap { profile in
            profile.ownPlainText.map { KnownFile(profile.name, $0) }
        }
    }

    private static var ofTools: [KnownFile] {
        CatalogTools.all.flatMap { tool in tool.plainText.map { KnownFile(tool.name, $0) } }
    }
}
