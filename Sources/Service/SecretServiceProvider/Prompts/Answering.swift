#if SecretService
internal import LanyardConfiguration
internal import Keychains
internal import KeychainServices
internal import LanyardPrompting
internal import SealedStore

/// Asks the user, in a process of its own.
///
/// - Parameters:
///   - ask: `unlock`, `create` or `delete`.
///   - program: The path of the program that asks for it.
/// - Throws: ``Status/userCanceled``, ``Status/interactionNotAllowed``; what the keychain throws.
func answer(_ ask: String, keychain name: String, program: String?) throws(KeychainError) {
    let configuration = try Configuration()
    var keychains = UserKeychains(configuration)
    let who = program ?? "A program"
    switch ask {
    case "unlock":
        guard let store = try configuration.openSealedKeychain(name) else {
            return
        }
        // Another client may have asked for the same.
        try store.unlockIfLocked(timeout: configuration.autolock(ofKeychain: name).limit)
    case "create":
        try confirm(["Let \(who) create the keychain '\(name)'?"])
        try keychains.create(name)
    case "delete":
        try confirm([
            "Let \(who) delete the keychain '\(name)'?", "Everything in it is lost.",
        ])
        try keychains.delete(name)
    default: throw KeychainError(.param, "unknown question '\(ask)'")
    }
}

private func confirm(_ question: [String]) throws(KeychainError) {
    guard try ConfirmationPrompt.ask(question, hint: "install pinentry") else {
        throw KeychainError(.userCanceled)
    }
}
#endif
