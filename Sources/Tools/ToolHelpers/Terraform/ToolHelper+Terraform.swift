internal import KeychainServices

extension ToolHelper {
    /// Answers one operation on the token of a host.
    static let terraform = ToolHelper(
        help: """
            usage: terraform-credentials-lanyard [--keychain NAME] get|store|forget HOST
                   terraform-credentials-lanyard --help|--version

            Stores the tokens of terraform and OpenTofu in an encrypted keychain.

            examples:
              ln -s "$(command -v terraform-credentials-lanyard)" ~/.terraform.d/plugins/
              echo 'credentials_helper "lanyard" {}' >>~/.terraformrc
            """, accessGroups: AccessGroups(TerraformCredentialHelper.accessGroup)
    ) { session throws(KeychainError) in
        let arguments = session.arguments
        guard let operation = arguments.first else {
            throw session.wrongUsage("missing operation: get, store or forget")
        }
        guard ["get", "store", "forget"].contains(operation) else {
            throw session.wrongUsage("unknown operation '\(operation)'")
        }
        guard arguments.count == 2 else {
            throw session.wrongUsage("\(operation) needs one host")
        }
        let helper = try TerraformCredentialHelper(arguments[1], keychain: try session.keychain())
        switch operation {
        case "get": try session.write(try helper.get())
        case "store": try helper.store(try session.readAll())
        default: try helper.forget()
        }
    }
}
