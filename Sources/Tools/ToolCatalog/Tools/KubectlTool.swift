package import KeychainServices
internal import PlainTextFormats
internal import ToolHelpers

/// kubectl, whose setup and import have code of their own.
package enum KubectlTool: CatalogTool {
    package static let name = "kubectl"
    package static let format: ToolFormat? = .kubectl
    package static let plainText = [
        SecretFile(
            ".kube/config", .yaml,
            [
                .secret(["users", "*", "user", "token"]),
                .secret(["users", "*", "user", "password"]),
                .secret(["users", "*", "user", "client-key-data"]),
            ])
    ]
    package static let sources = [
        "https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins"
    ]
}
