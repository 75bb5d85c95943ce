internal import KeychainServices

extension ToolHelper {
    /// Answers one call as the program `keyring` does. pip stops using it after another exit status than 0 or 1.
    static let keyring = ToolHelper(
        help: """
            usage: keyring-lanyard [--keychain NAME] [--mode MODE] [--output FORMAT] get|set|del SERVICE [ACCOUNT]
                   keyring-lanyard --help|--version

            Answers as the program keyring does, from an encrypted keychain: for pip, uv, twine and others.

            examples:
              lanyard set --for keyring https://pypi.example/simple ada
              UV_KEYRING_PROVIDER=subprocess PATH="/usr/libexec/lanyard/bin:$PATH" uv pip install notes
            """, accessGroups: KeyringCredentialHelper.accessGroups,
        isSilent: { $0.status == .itemNotFound }
    ) { session throws(KeychainError) in
        let call = try KeyringCall(session)
        let helper = KeyringCredentialHelper(keychain: try session.keychain())
        let account = call.account ?? ""
        switch call.operation {
        case .get:
            let login = try helper.get(call.service, account: call.account)
            try session.write(try login.text(call.mode, call.output))
        case .set:
            try helper.set(call.service, account: account, try newPassword(call, session))
        case .del: try helper.delete(call.service, account: account)
        }
    }

    private static func newPassword(
        _ call: KeyringCall, _ session: any HelperSession
    ) throws(KeychainError) -> Secret {
        guard session.isInputTerminal else {
            return try session.readAll().droppingFinalNewline()
        }
        let account = call.account ?? ""
        return try session.ask(
            HelperQuestion(
                "password of '\(account)' for '\(call.service)': ",
                hint: "give it on standard input"))
    }
}
