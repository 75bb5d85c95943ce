package import KeychainServices
internal import PlainTextFormats
internal import ToolHelpers

/// npm's file. Its tokens become those of pnpm's helper; npm itself takes one from `lanyard run`.
package enum NpmTool: CatalogTool {
    package static let name = "npm"
    package static let format: ToolFormat? = .npm
    /// Besides the tokens that the profile can pass on.
    package static let plainText = [
        SecretFile(
            ".npmrc", .ini,
            [
                .secret(["*:_password"]), .secret(["*:_auth"]), .secret(["_auth"]),
                .secret(["_authToken"]),
            ], variables: .braces)
    ]
    package static let moves = [
        FileMove(".npmrc", options: ["--userconfig"], variables: ["NPM_CONFIG_USERCONFIG"])
    ]
    package static let advice: String? =
        "lanyard set npm and lanyard setup npm, then take it out of the file"
    package static let sources = [
        "https://docs.npmjs.com/cli/v11/configuring-npm/npmrc#auth-related-configuration"
    ]
}
