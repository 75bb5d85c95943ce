import DockerCredential
import LanyardPrompting
import Keychains
import KeychainServices
import LinuxSystem

private let name = "docker-credential-lanyard"
private let help = """
    usage: \(name) [--keychain NAME] get|store|erase|list|version
           \(name) --help|--version

    docker's credential helper: stores logins in an encrypted keychain.
    Set it up in ~/.docker/config.json with: { "credsStore": "lanyard" }

    examples:
      docker-credential-lanyard list
      echo registry.example.com | docker-credential-lanyard get
    """

/// Answers docker, and exits.
func runDockerHelper() -> Never {
    runHelper(name: name, help: help, reporting: printErrorAsAnswer) {
        invocation throws(KeychainError) in
        let helper = DockerCredentialHelper(
            keychain: try invocation.chooseKeychain(
                accessGroups: AccessGroups(DockerCredentialHelper.accessGroup)
            ).keychain,
            hint: printHint)
        let limit = DockerCredentialHelper.requestLimit
        switch DockerCredentialOperation(rawValue: invocation.operation) {
        case .get: try writeAnswer(try helper.get(try readRequest(limit: limit)))
        case .store: try helper.store(try readRequest(limit: limit))
        case .erase: try helper.erase(try readRequest(limit: limit))
        case .list: try helper.list(to: writeAnswer)
        case .version: try writeAnswer(Secret("\(name) \(lanyardVersion)\n"))
        case nil:
            throw KeychainError(
                .param, "unknown action '\(invocation.operation)'", hint: "\(name) --help")
        }
    }
}
