internal import LanyardConfiguration
internal import Keychains
internal import KeychainServices
internal import KeychainPlugin
internal import ToolSetup

/// Removes the trial logins of killed setups from the keychains in use.
///
/// It asks no questions: it skips a keychain that would have to be unlocked first, or that can't be used.
///
/// - Returns: The number of removed logins.
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

/// - Returns: Nil if the keychain is missing or would need a question.
private func openWithoutAsking(
    _ name: String, _ configuration: Configuration
) throws(KeychainError) -> Keychain? {
    switch try configuration.kind(ofKeychain: name) {
    case .sealed:
        // While it is locked, Lanyard can still read its attributes and delete its items.
        return try configuration.openSealedKeychain(name).map {
            Keychain($0, accessGroups: .all())
        }
    case .plugin:
        return try configuration.pluginStatus(ofKeychain: name).isLocked
            ? nil
            : Keychain(try configuration.pluginStore(ofKeychain: name), accessGroups: .all())
    }
}
