package import PlainTextFormats
package import ToolCatalog

/// A file in which a tool stores secrets in plain text.
package struct KnownFile: Hashable, Sendable {
    /// How its secrets are found.
    package enum Content: Hashable, Sendable {
        /// At places of a format of the table.
        case values(PlainTextFormat, [[PlainTextKey.Step]])
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

    /// Those of the profiles, and those of tools that have none, below the home folder. The files of git
    /// and docker, and netrc, are not among them: their paths depend on more.
    package static let belowHome: [KnownFile] = ofProfiles + others

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
            profile.ownPlainText.map { file in
                KnownFile(
                    profile.name, file.path,
                    .values(file.format, file.keys.filter { $0.holds == .secret }.map(\.path)))
            }
        }
    }

    private static let others: [KnownFile] = [
        nuget(".nuget/NuGet/NuGet.Config"), nuget(".config/NuGet/NuGet.Config"),
        KnownFile(
            "kubectl", ".kube/config",
            .values(
                .yaml,
                [
                    ["users", "*", "user", "token"], ["users", "*", "user", "password"],
                    ["users", "*", "user", "client-key-data"],
                ])),
        KnownFile(
            "terraform", ".terraform.d/credentials.tfrc.json",
            .values(.json, [["credentials", "*", "token"]])),
        terraform(".terraformrc"), terraform(".tofurc"),
        KnownFile(
            "uv", ".local/share/uv/credentials/credentials.toml",
            .values(.toml, [["*", "*", "password"]])),
        KnownFile("pypirc", ".pypirc", .values(.ini, [["*", "password"]])),
        KnownFile(
            "npm", ".npmrc",
            .values(.ini, [["*:_password"], ["*:_auth"], ["_auth"], ["_authToken"]])),
        KnownFile(
            "gradle", ".gradle/gradle.properties",
            .values(.ini, [["*assword"], ["*Token"], ["*token"], ["*Secret"]])),
    ]

    private static func terraform(_ path: String) -> KnownFile {
        KnownFile("terraform", path, .values(.hcl, [["credentials", "*", "token"]]))
    }

    private static func nuget(_ path: String) -> KnownFile {
        KnownFile(
            "nuget", path,
            .values(
                .xml,
                [["configuration", "packageSourceCredentials", "*", "ClearTextPassword"]]))
    }
}
