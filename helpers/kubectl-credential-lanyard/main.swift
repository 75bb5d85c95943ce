import Configuration
import Keychains
import KeychainServices
import KubectlCredential
import Prompting

let name = "kubectl-credential-lanyard"
let help = """
    usage: \(name) [--keychain NAME] WHAT
           \(name) --help|--version

    Gives kubectl a client certificate or a token from an encrypted keychain.

    examples:
      kubectl config set-credentials ada --exec-command=\(name) --exec-arg=ada \\
          --exec-api-version=client.authentication.k8s.io/v1 --exec-interactive-mode=IfAvailable
      lanyard set --for kubectl https://cluster.example:6443
    """

runHelper(name: name, argument: "certificate or cluster", help: help) {
    invocation throws(KeychainError) in
    let request = try ExecCredentialRequest(
        try Environment.value(ExecCredentialRequest.variable))
    let helper = KubectlCredentialHelper(
        keychain: try invocation.chooseKeychain(
            accessGroups: KubectlCredentialHelper.accessGroups
        ).keychain)
    let credential = try helper.get(invocation.operation, for: request)
    try writeAnswer(try credential.answer(to: request))
}
