internal import Configuration
internal import Keychains
internal import KeychainServices
internal import KeychainPlugin
internal import ToolSetup

/// Removes the logins that were made up for a trial, and that a setup which was killed has left behind,
/// from the keychains in use.
///
/// Nobody is asked for anything: a keychain that would have to be unlocked for it is left alone, as is
/// one that can't be used.
///
/// - Returns: How many were removed.
func removeLeftTrialLogins() -> Int {
    guard let configuration = try? Configuration(), let list = try? configuration.searchList()
    else {
        return 0
    }
    let now = currentTime()
    var count = 0
    for name in list.names {
        if let keychain = try? openWithoutAsking(name, configuration) {
            count += TrialLogin.removeLeftBehind(from: keychain, at: now)
        }
    }
    return count
}

/// - Returns: Nil if there is no such keychain, or only after a question.
private func openWithoutAsking(
    _ name: String, _ configuration: Configuration
) throws(KeychainError) -> Keychain? {
    switch try configuration.kind(ofKeychain: name) {
    case .sealed:
        // Its attributes are read, and its items deleted, while it is locked.
        return try configuration.openSealedKeychain(name).map { Keychain($0) }
    case .plugin(let kind):
        let status = try KeychainStatus.status(ofPlugin: name, .plugin(kind), configuration)
        return status.isLocked ? nil : Keychain(try configuration.pluginStore(ofKeychain: name))
    }
}
