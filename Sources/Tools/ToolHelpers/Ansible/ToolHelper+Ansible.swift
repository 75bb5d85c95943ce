internal import KeychainServices

extension ToolHelper {
    /// Prints the password for the vault ID. ansible's manual, "Managing vault passwords", lists the arguments and the
    /// status 2 under "Using vault password client scripts".
    static let ansible = ToolHelper(
        help: """
            usage: ansible-lanyard-client [--keychain NAME] --vault-id ID
                   ansible-lanyard-client --help|--version

            Gives ansible the password of a vault from an encrypted keychain.

            examples:
              lanyard set --for ansible dev
              ansible-vault view --vault-id "dev@$(command -v ansible-lanyard-client)" secrets.yml
            """, accessGroups: AccessGroups("ansible"),
        exitStatus: { $0.status == .itemNotFound ? 2 : 1 }
    ) { session throws(KeychainError) in
        let id = try session.vaultID
        guard
            let password = try session.keychain().secret(named: ByteString(id), in: "ansible")
        else {
            throw KeychainError(
                .itemNotFound, "found no password for the vault ID '\(id)'",
                hint: "lanyard set --for ansible \(id.shellWord)")
        }
        try session.writeLine(password)
    }
}

extension HelperSession {
    fileprivate var vaultID: String {
        get throws(KeychainError) {
            let option = "--vault-id"
            let words = arguments
            let id: String? =
                switch words.count {
                case 1 where words[0].hasPrefix("\(option)="):
                    String(words[0].dropFirst(option.count + 1))
                case 2 where words[0] == option: words[1]
                default: nil
                }
            guard let id, !id.isEmpty else {
                throw wrongUsage("the only argument is --vault-id ID")
            }
            return id
        }
    }
}
