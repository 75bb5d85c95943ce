/// The tools of the catalogue.
package enum CatalogTools {
    /// All of them, sorted by name: add a new one here.
    package static let all: [any CatalogTool.Type] = [
        AnsibleTool.self, AskpassTool.self, AWSTool.self, BazelTool.self, CargoTool.self,
        GcloudTool.self, GoTool.self, GPGTool.self, GradleTool.self, KeyringTool.self,
        KubectlTool.self, NpmTool.self, NuGetTool.self, PnpmTool.self, PodmanSecretsTool.self,
        PypircTool.self, TerraformTool.self, UVTool.self, VaultTool.self,
    ]

    /// Finds the tool with a name.
    package static func named(_ name: String) -> (any CatalogTool.Type)? {
        all.first { $0.name == name }
    }
}
