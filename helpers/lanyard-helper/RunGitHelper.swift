import GitCredential
import LanyardPrompting
import Keychains
import KeychainServices

private let help = """
    usage: git-credential-lanyard [--keychain NAME] get|store|erase|capability
           git-credential-lanyard --help|--version

    git's credential helper: stores logins in an encrypted keychain.
    Set it up with: git config --global credential.helper lanyard

    examples:
      printf 'protocol=https\\nhost=example.com\\n' | git-credential-lanyard get
      git config --global credential.helper 'lanyard --keychain work'
    """

/// Answers git, and exits.
func runGitHelper() -> Never {
    runHelper(name: "git-credential-lanyard", help: help) { invocation throws(KeychainError) in
        let operation = GitCredentialOperation(rawValue: invocation.operation)
        switch operation {
        case nil:
            // gitcredentials(7): ignoring unknown operations lets the protocol grow.
            return
        case .capability:
            try writeAnswer(GitCredentialHelper.capabilities)
        case .get, .store, .erase:
            let request = try GitCredentialRequest(parsing: try readRequest())
            let chosen = try invocation.chooseKeychain(
                accessGroups: AccessGroups(GitCredentialHelper.accessGroup))
            let helper = GitCredentialHelper(
                keychain: chosen.keychain,
                now: currentTime(),
                stateDigest: {
                    machineDigest(
                        $0, keychainName: chosen.names, use: "lanyard git-credential state")
                })
            switch operation {
            case .get: try writeAnswer(try helper.get(request))
            case .store: try helper.store(request)
            default: try helper.erase(request)
            }
        }
    }
}
