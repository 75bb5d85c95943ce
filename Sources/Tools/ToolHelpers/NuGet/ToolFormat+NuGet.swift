package import KeychainServices

extension ToolFormat {
    /// NuGet, whose logins ``NuGetPlugin`` finds.
    package static let nuget = ToolFormat(
        tokensOf: NuGetPlugin.accessGroup.description, helper: "nuget-plugin-lanyard",
        programs: ["dotnet", "nuget"], needsAccount: true, isToken: false, protocolHelper: .nuget)
}
