package import KeychainServices
internal import ToolHelpers

/// pnpm. The setup has code of its own: a line and a script for each registry.
package enum PnpmTool: CatalogTool {
    package static let name = "pnpm"
    package static let format: ToolFormat? = .npm
    package static let settings: ToolSettings? = ToolSettings(
        "pnpm",
        argument: .init(
            "registry", help: "The URLs of the registries.", example: "https://npm.example.com/"))
    package static let sources = ["https://pnpm.io/npmrc"]
}
