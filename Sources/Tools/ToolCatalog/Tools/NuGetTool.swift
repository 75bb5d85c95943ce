package import KeychainServices
internal import PlainTextFormats
internal import ToolHelpers

/// dotnet and NuGet, which look for plugins by their names.
package enum NuGetTool: CatalogTool {
    package static let name = "nuget"
    package static let format: ToolFormat? = .nuget
    package static let settings: ToolSettings? = ToolSettings(
        "dotnet and NuGet", place: "by a program that they find",
        files: [
            // It is on the PATH already, but for an archive or a build.
            SettingsFile(
                script: ".local/bin/nuget-plugin-lanyard", "dotnet finds lanyard's plugin",
                if: .without(program: "nuget-plugin-lanyard"))
        ],
        notes: [
            SettingsNote("dotnet looks for plugins on PATH: add ~/.local/bin", if: .hiddenScript),
            "dotnet needs SDK 9.0.100 or newer to find plugins on the PATH",
        ])
    /// Those of dotnet and of NuGet on Mono.
    package static let plainText = [".nuget/NuGet/NuGet.Config", ".config/NuGet/NuGet.Config"].map {
        SecretFile(
            $0, .xml,
            [.secret(["configuration", "packageSourceCredentials", "*", "ClearTextPassword"])],
            variables: .percentSigns)
    }
    package static let moves = [FileMove(".config/NuGet", obeysFolders: false)]
    package static let sources = [
        "https://learn.microsoft.com/en-us/nuget/reference/extensibility/nuget-cross-platform-plugins"
    ]
}
